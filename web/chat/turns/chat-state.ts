import { uniqueId } from '../../common/unique-id.js';
import { texts } from '../texts.js';
import type { Decision } from './decision.js';
import type { Message } from './transcript.js';
import type { Trouble } from './trouble.js';

export type Phase = 'idle' | 'sending' | 'waiting' | 'answering' | 'reconnecting';

/** Everything that the page shows of a chat. Immutable: each change makes another. */
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

/** Tabs that follow the same turn give its answer the same id. */
const answerId = (last: Message | undefined): string =>
  last === undefined ? uniqueId() : last.from === 'flow' ? last.id : `${last.id}.answer`;

/** The answer stands below the question as the last message, and grows. */
export function withAnswer(state: ChatState, text: string): ChatState {
  const { messages } = state;
  const last = messages.at(-1);
  const shown = last?.from === 'flow' ? messages.slice(0, -1) : messages;
  const answer: Message = { id: answerId(last), from: 'flow', text };
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
  const answer: Message = { id: answerId(last), from: 'flow', text, stopped: true };
  return { ...state, messages: [...withoutUnfinished(state).messages, answer] };
}

/** The chat goes on after trouble: why that message has no answer stays beside it. */
export function withTroubleKept(state: ChatState): ChatState {
  const { messages, trouble } = state;
  const last = messages.at(-1);
  if (!trouble || !last) return state;
  return { ...state, messages: [...messages.slice(0, -1), { ...last, trouble: trouble.sentence }] };
}

/** A turn begins: the announcements of the last one are removed; a question that it does not answer still waits. */
export function withTurn(state: ChatState, answers?: string): ChatState {
  const { trouble: _, decision, ...rest } = state;
  const waits = decision && decision.startNodeId !== answers ? { decision } : {};
  return { ...rest, ...waits, phase: 'sending', followUps: [], announcement: texts.announceSending };
}

/** An address too long to be read out, such as that of a report with its signature. */
const LONG_ADDRESS = /https?:\/\/\S{60,}/g;

/** The announcement of a new answer for screen readers: its words without marks, shortened where they are many. */
export function announcementOf(text: string, spoken: (text: string) => string): string {
  const words = spoken(text).replace(LONG_ADDRESS, texts.link).trim();
  if (words.length <= LONGEST_ANNOUNCEMENT) return words;
  return `${words.slice(0, LONGEST_ANNOUNCEMENT)} ${texts.restStands}`;
}
