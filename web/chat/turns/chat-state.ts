import { uniqueId } from '../../common/unique-id.js';
import { texts } from '../texts.js';
import type { Decision } from './decision.js';
import type { Message } from './transcript.js';
import type { Trouble } from './trouble.js';

export type Phase = 'idle' | 'sending' | 'waiting' | 'answering' | 'reconnecting';

/** Everything that the page shows of a chat. Immutable. */
export interface ChatState {
  messages: readonly Message[];
  phase: Phase;
  trouble?: Trouble;
  followUps: readonly string[];
  decision?: Decision;
  /** The latest event, for screen readers. */
  announcement: string;
}

export const emptyChat: ChatState = { messages: [], phase: 'idle', followUps: [], announcement: '' };

const LONGEST_ANNOUNCEMENT = 2_000;

/** Returns the answer's id, which is the same in all tabs that follow the turn. */
const answerId = (last: Message | undefined): string =>
  last === undefined ? uniqueId() : last.from === 'flow' ? last.id : `${last.id}.answer`;

/** Shows `text` as the answer so far, the last message. */
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

/** Marks the last answer, or an empty one, as stopped by the person. */
export function withStopped(state: ChatState): ChatState {
  const last = state.messages.at(-1);
  const text = last?.from === 'flow' ? last.text : '';
  const answer: Message = { id: answerId(last), from: 'flow', text, stopped: true };
  return { ...state, messages: [...withoutUnfinished(state).messages, answer] };
}

/** Attaches the trouble of the last turn to its message before the chat continues. */
export function withPastTrouble(state: ChatState): ChatState {
  const { messages, trouble } = state;
  const last = messages.at(-1);
  if (!trouble || !last) return state;
  return { ...state, messages: [...messages.slice(0, -1), { ...last, trouble: trouble.sentence }] };
}

/** Starts a turn: clears the follow-ups and trouble of the last one. An approval question stays unless it is answered. */
export function withTurn(state: ChatState, answers?: string): ChatState {
  const { trouble: _, decision, ...rest } = state;
  const waits = decision && decision.startNodeId !== answers ? { decision } : {};
  return { ...rest, ...waits, phase: 'sending', followUps: [], announcement: texts.announceSending };
}

/** A URL too long to be read out, such as a signed link to a report. */
const LONG_ADDRESS = /https?:\/\/\S{60,}/g;

/** Returns the announcement of an answer for screen readers: its text without formatting, shortened if it is long. */
export function announcementOf(text: string, spoken: (text: string) => string): string {
  const words = spoken(text).replace(LONG_ADDRESS, texts.link).trim();
  if (words.length <= LONGEST_ANNOUNCEMENT) return words;
  return `${words.slice(0, LONGEST_ANNOUNCEMENT)} ${texts.restStands}`;
}
