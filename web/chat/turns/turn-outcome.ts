import { texts } from '../texts.js';
import { announcementOf, type ChatState, withAnswer, withStopped } from './chat-state.js';
import { inWords, referenceOf, type Trouble, troubleOf } from './trouble.js';
import type { Ending } from './turn.js';

/** How a chat goes on after a turn. */
export interface TurnOutcome {
  state: ChatState;
  /** The call is kept: it may be made again. */
  again: boolean;
  /**
   * The fate of the message's photographs: `answered`, `kept` for the call that may be made again, given back to the person
   * (`returned`), or given back and to be sent to the service anew (`lost`).
   */
  photographs: 'answered' | 'kept' | 'returned' | 'lost';
}

/** The turn that ended: of which chat, and whether the person had stopped it. */
export interface EndedTurn {
  chatId: string;
  stopped: boolean;
}

/** The outcome of a turn for its chat, which showed `state` until then. `spoken`: an answer as it is read out. */
export function outcomeOf(
  ending: Ending,
  state: ChatState,
  turn: EndedTurn,
  spoken: (text: string) => string,
): TurnOutcome {
  if (ending.type === 'answered') return answered(ending, state, spoken);
  if (!turn.stopped) return inTrouble({ ...troubleOf(ending)!, ...referenceOf(ending, turn.chatId) }, state);
  // A message that the service has not received is not sent again by itself.
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
  if (trouble.retry !== undefined) return { state, again: true, photographs: 'kept' };
  return { state, again: false, photographs: trouble.attachAnew ? 'lost' : 'returned' };
}
