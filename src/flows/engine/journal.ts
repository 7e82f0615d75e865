import type { Json } from './json.js';

/** The position of an effect: the run, the path within it, and the record and attempt that perform it now. */
export interface EffectPlace {
  /** The first execution of the run, also for its retries. */
  runId: string;
  /** Each node with its visit and iteration index, from the outermost flow inwards, and the effect's name. */
  path: string;
  executionId: string;
  attempt: number;
}

/** An effect as an earlier attempt of the run left it; `begun` without a result may or may not have happened. */
export type StoredEffect = { result: Json } | 'begun';

/**
 * Keeps what a run does outside of its own record (contract section 11). The engine uses the one that it is handed,
 * which decides how it is stored. `begin` and `keep` reject once the run was interrupted or taken over.
 */
export interface Journal {
  place(path: string): EffectPlace;
  find(place: EffectPlace, scope: 'run' | 'flow revision'): Promise<StoredEffect | undefined>;
  /** Resolves when it is durable: only then may the effect be sent. */
  begin(place: EffectPlace, kind: string): Promise<void>;
  store(place: EffectPlace, kind: string, result: Json): Promise<void>;
  /** Lets the target recognise a repetition; names no execution. */
  idempotencyKey(place: EffectPlace): string;
}

/** The target's answer was lost, and a repetition might do the same twice. */
export class EffectUnknown extends Error {
  readonly code = 'effect_unknown';

  constructor() {
    super(
      'An earlier attempt of this run sent this request and did not live to see the answer: whether it was carried out is not known, and it was not sent again. Find out at the target; let the node say "retrySafe": true where a repetition does no harm.',
    );
    this.name = 'EffectUnknown';
  }
}

/** Stores nothing: for runs that are never continued. */
export function forgetfulJournal(runId: string): Journal {
  return {
    place: (path) => ({ runId, path, executionId: runId, attempt: 1 }),
    find: () => Promise.resolve(undefined),
    begin: () => Promise.resolve(),
    store: () => Promise.resolve(),
    idempotencyKey: ({ path }) => `${runId} ${path}`,
  };
}
