import type { Recorded } from '../recorded/recorded.js';
import type { ChatState } from '../turns/chat-state.js';

/**
 * `unfinished`: a photograph is in no report yet, or a message is unanswered. `reported`: every photograph is in a report.
 * `empty`: there is no photograph.
 */
export type InspectionState = 'unfinished' | 'empty' | 'reported';

/** The progress of a chat, as the list of this device shows it. */
export interface Progress {
  state: InspectionState;
  /** Recorded photographs, without withdrawn ones. */
  photographs: number;
  /** Photographs that the service has not recorded yet. */
  unsent: number;
  /** Messages that wait to be sent, or for their answer. */
  messages: number;
}

/** The messages and photographs on the device that wait to be sent. */
export interface Unsent {
  messages: number;
  photographs: number;
}

/** Derives the progress from the chat, what waits on the device, and the photographs at the service, by message id. */
export function progressOf(
  { messages, phase, trouble }: ChatState,
  waiting: Unsent,
  recorded: ReadonlyMap<string, Recorded>,
): Progress {
  const valid = [...recorded.values()].filter(({ withdrawn }) => !withdrawn);
  const isUnderWay = phase !== 'idle' || trouble?.retry !== undefined;
  const underWay = isUnderWay ? messages.findLast(({ from }) => from === 'person') : undefined;
  const sending = underWay?.photographs?.filter(({ id }) => !recorded.has(id)).length ?? 0;
  const unsent = waiting.photographs + sending;
  const unanswered = waiting.messages + (isUnderWay ? 1 : 0);
  const isOpen = unanswered > 0 || unsent > 0 || valid.some(({ reportedAt }) => reportedAt === undefined);
  const state = isOpen ? 'unfinished' : valid.length > 0 ? 'reported' : 'empty';
  return { state, photographs: valid.length, unsent, messages: unanswered };
}
