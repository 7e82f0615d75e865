/** `GET feedback/:flowId`. */
export interface Feedback {
  id: string;
  chatId: string;
  messageId: string;
  rating: 'THUMBS_UP' | 'THUMBS_DOWN' | null;
  content: string | null;
  createdDate: string;
  /** The beginning of what was asked and answered; null where that is not known (any more). */
  question: string | null;
  answer: string | null;
}

/** `GET leads/:flowId`. */
export interface Lead {
  id: string;
  chatId: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  createdDate: string;
}
