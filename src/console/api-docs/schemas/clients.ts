import type { JsonSchema } from '../../../api/route-note.js';
import { flag, list, maybe, number, shape, text, time } from './shape.js';

const rating = { enum: ['THUMBS_UP', 'THUMBS_DOWN'] };

const feedback = {
  id: text,
  chatflowid: text,
  chatId: text,
  messageId: text,
  rating: maybe(rating),
  content: maybe(text),
  createdDate: time,
};

/** As chat clients put it: of the flow's `chat` only what they show. */
const shown = { type: 'object', additionalProperties: {} };

/** Answers for chat widgets. */
export const clientSchemas: Readonly<Record<string, JsonSchema>> = {
  Feedback: shape(feedback),
  ListedFeedback: shape({ ...feedback, question: maybe(text), answer: maybe(text) }),
  Lead: shape({
    id: text,
    chatflowid: text,
    chatId: text,
    name: maybe(text),
    email: maybe(text),
    phone: maybe(text),
    createdDate: time,
  }),
  Attachments: list(shape({ name: text, mimeType: text, size: number, content: text })),
  ChatbotConfig: shape({
    uploads: shown,
    flowData: { type: 'string', description: 'JSON text: whether a form is to be shown, and which.' },
    'starterPrompts?': shown,
    'chatFeedback?': shown,
    'leads?': shown,
    'followUpPrompts?': shown,
    'fullFileUpload?': shown,
    'isTTSEnabled?': flag,
  }),
};
