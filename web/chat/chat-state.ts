import type { Decision } from './decision.js';
import { readMarkdown, wordsOf } from '../common/markdown.js';
import type { Message } from './transcript.js';
import type { Trouble } from './trouble.js';
import { uniqueId } from '../common/unique-id.js';

export type Phase = 'idle' | 'sending' | 'waiting' | 'answering' | 'reconnecting';

/** What there is to see of a chat. Never changed: each change makes another. */
export interface ChatState {
  messages: readonly Message[];
  phase: Phase;
  trouble?: Trouble;
  followUps: readonly string[];
  decision?: Decision;
  /** For screen readers: what has just happened, said once. */
  announcement: string;
}

export const emptyChat: ChatState = { messages: [], phase: 'idle', followUps: [], announcement: '' };

const LONGEST_ANNOUNCEMENT = 2_000;

/** The answer stands below the question as the last message, and grows. */
export function withAnswer(state: ChatState, text: string): ChatState {
  const { messages } = state;
  const last = messages.at(-1);
  const shown = last?.from === 'flow' ? messages.slice(0, -1) : messages;
  const answer: Message = { id: last?.from === 'flow' ? last.id : uniqueId(), from: 'flow', text };
  return { ...state, messages: [...shown, answer], phase: 'answering' };
}

export function withoutUnfinished(state: ChatState): ChatState {
  const { messages } = state;
  return messages.at(-1)?.from === 'flow' ? { ...state, messages: messages.slice(0, -1) } : state;
}

/** The last answer, or an empty one, is marked as cut off by the person. */
export function withStopped(state: ChatState): ChatState {
  const last = state.messages.at(-1);
  const text = last?.from === 'flow' ? last.text : '';
  const answer: Message = {
    id: last?.from === 'flow' ? last.id : uniqueId(),
    from: 'flow',
    text,
    stopped: true,
  };
  return { ...state, messages: [...withoutUnfinished(state).messages, answer] };
}

/** The chat goes on after trouble: why that message has no answer stays beside it. */
export function withTroubleKept(state: ChatState): ChatState {
  const { messages, trouble } = state;
  const last = messages.at(-1);
  if (!trouble || !last) return state;
  return { ...state, messages: [...messages.slice(0, -1), { ...last, trouble: trouble.sentence }] };
}

/** A turn begins: what was said of the last one goes. */
export function withTurn(state: ChatState): ChatState {
  const { trouble: _, decision: __, ...rest } = state;
  return { ...rest, phase: 'sending', followUps: [], announcement: 'Sending.' };
}

/** An address that nobody wants to hear out, such as that of a report with its signature. */
const LONG_ADDRESS = /https?:\/\/\S{60,}/g;

/** What is said of an answer that has come: its words without their marks, and not a book of them. */
export function announcementOf(text: string): string {
  const words = wordsOf(readMarkdown(text)).replace(LONG_ADDRESS, 'a link').trim();
  if (words.length <= LONGEST_ANNOUNCEMENT) return words;
  return `${words.slice(0, LONGEST_ANNOUNCEMENT)} … The rest stands in the chat.`;
}
