import { texts } from '../texts.js';
import { announcementOf, type ChatState, withAnswer, withStopped } from './chat-state.js';
import { inWords, referenceOf, type Trouble, troubleOf } from './trouble.js';
import type { Ending } from './turn.js';

/** The state of a chat after a turn. */
export interface TurnOutcome {
  state: ChatState;
  /** The call is stored for a retry. */
  again: boolean;
  /**
   * The outcome for the message's photographs: `answered`, `pending` for a retry, `returned` to the person, or returned and to
   * be uploaded again (`lost`).
   */
  photographs: 'answered' | 'pending' | 'returned' | 'lost';
}

/** The turn that ended. */
export interface EndedTurn {
  chatId: string;
  stopped: boolean;
  /** The turn may be retried by itself after a refusal. */
  mayWait: boolean;
}

/** Returns the chat after a turn, given its `state` before. `spoken` returns an answer as it is read out. */
export function outcomeOf(
  ending: Ending,
  state: ChatState,
  turn: EndedTurn,
  spoken: (text: string) => string,
): TurnOutcome {
  if (ending.type === 'answered') return answered(ending, state, spoken);
  if (!turn.stopped) {
    const trouble = troubleOf(ending, turn.mayWait)!;
    return inTrouble(trouble.waits ? trouble : { ...trouble, ...referenceOf(ending, turn.chatId) }, state);
  }
  // A message that the service has not received is not resent automatically.
  if (ending.type === 'lost' && !ending.began)
    return inTrouble({ sentence: texts.notSentStopped, retry: 'same' }, state);
  const stopped = { ...withStopped(state), announcement: texts.stopped };
  return { state: stopped, again: false, photographs: 'returned' };
}

function answered(
  { text, followUps, decision }: Extract<Ending, { type: 'answered' }>,
  before: ChatState,
  spoken: (text: string) => string,
): TurnOutcome {
  const state = {
    ...(text === '' ? before : withAnswer(before, text)),
    followUps,
    announcement: announcementOf(text, spoken),
    ...(decision ? { decision } : {}),
  };
  return { state, again: false, photographs: 'answered' };
}

function inTrouble(trouble: Trouble, before: ChatState): TurnOutcome {
  const state = { ...before, trouble, announcement: inWords(trouble) };
  if (trouble.retry !== undefined) return { state, again: true, photographs: 'pending' };
  return { state, again: false, photographs: trouble.photographsLost ? 'lost' : 'returned' };
}
