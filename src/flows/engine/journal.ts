import type { Json } from './json.js';

/** The position of an effect: the run, the path within it, and the execution and attempt that perform it now. */
export interface EffectPlace {
  /** The first execution of the run, also for its retries. */
  runId: string;
  /** Each node with its visit and iteration index, from the outermost flow inwards, and the effect's name. */
  path: string;
  executionId: string;
  attempt: number;
}

/** A stored effect of an earlier attempt; one that is `begun` without a result may or may not have happened. */
export type StoredEffect = { result: Json } | 'begun';

/** The validity of a stored result: for the whole run, or for one revision of the flow. */
export type EffectScope = 'run' | 'flow revision';

/**
 * Stores the effects of a run outside of its own record (contract section 11). `begin` and `store` reject once the run was
 * interrupted or taken over.
 */
export interface Journal {
  place(path: string): EffectPlace;
  find(place: EffectPlace, scope: EffectScope): Promise<StoredEffect | undefined>;
  /** Resolves when it is durable: only then may the effect be sent. */
  begin(place: EffectPlace, kind: string): Promise<void>;
  store(place: EffectPlace, kind: string, result: Json): Promise<void>;
  /** Returns a key by which the target recognises a repetition; it does not reveal the execution. */
  idempotencyKey(place: EffectPlace): string;
}

/** The target's answer was lost, and a repetition might repeat the effect. */
export class EffectUnknown extends Error {
  readonly code = 'effect_unknown';

  constructor() {
    super(
      'An earlier attempt of this run sent this request and ended before the answer arrived. It is not known whether the request was carried out, so it was not sent again. Check the target; set "retrySafe": true in the node if repeating the request does no harm.',
    );
    this.name = 'EffectUnknown';
  }
}

/** A run that answers from a recording makes a call that was not recorded. */
export class NotRecorded extends Error {
  readonly code = 'not_recorded';

  constructor(readonly path: string) {
    super(
      `There is no recorded answer for ${callNamed(path)}. Record the case again from an execution that makes this call, or run it with live calls.`,
    );
    this.name = 'NotRecorded';
  }
}

/** Returns the words for the call at a path: its node with the visit, and the effect. */
export const callNamed = (path: string): string => {
  const at = path.lastIndexOf('/');
  return `"${path.slice(at + 1).replace(/@.*/, '')}" of "${path.slice(0, at)}"`;
};

/** A journal that stores nothing, for runs that are never resumed. */
export function forgetfulJournal(runId: string): Journal {
  return {
    place: (path) => ({ runId, path, executionId: runId, attempt: 1 }),
    find: () => Promise.resolve(undefined),
    begin: () => Promise.resolve(),
    store: () => Promise.resolve(),
    idempotencyKey: ({ path }) => `${runId} ${path}`,
  };
}
