import { createHash } from 'node:crypto';
import {
  callNamed,
  type EffectPlace,
  forgetfulJournal,
  type Journal,
  NotRecorded,
  type StoredEffect,
} from '../../flows/engine/journal.js';
import type { Json } from '../../flows/engine/json.js';

/** A call of the source execution: its path in the journal and its whole result. */
export interface CaseCall {
  path: string;
  result: Json;
}

/**
 * The journal of a case with recorded calls: they are answered from a recording, by their path, and nothing is stored. Throws
 * `NotRecorded` for a call that has no recorded answer.
 */
export class CaseJournal implements Journal {
  private readonly results: ReadonlyMap<string, Json>;
  private readonly used = new Set<string>();

  constructor(
    private readonly runId: string,
    recorded: readonly CaseCall[],
  ) {
    this.results = new Map(recorded.map(({ path, result }) => [plainPath(path), result]));
  }

  place(path: string): EffectPlace {
    return { runId: this.runId, path, executionId: this.runId, attempt: 1 };
  }

  find({ path: wanted }: EffectPlace): Promise<StoredEffect | undefined> {
    const path = plainPath(wanted);
    const result = this.results.get(path);
    if (result !== undefined) {
      this.used.add(path);
      return Promise.resolve({ result });
    }
    // A sub-flow that did not end: its calls are recorded, its result is not.
    if (this.hasCallsWithin(path)) return Promise.resolve(undefined);
    return Promise.reject(new NotRecorded(path));
  }

  begin(): Promise<void> {
    return Promise.resolve();
  }

  store(): Promise<void> {
    return Promise.resolve();
  }

  readonly idempotencyKey = idempotencyKey;

  /** Returns the names of recorded calls that the run did not make. */
  unused(): string[] {
    const within = (path: string) =>
      [...this.used].some((used) => path.startsWith(`${used}/`) || path.startsWith(`${used}ed/`));
    return [...this.results.keys()]
      .filter((path) => !this.used.has(path) && !within(path))
      .map((path) => callNamed(path));
  }

  private hasCallsWithin(path: string): boolean {
    for (const recorded of this.results.keys()) if (recorded.startsWith(`${path}/`)) return true;
    return false;
  }
}

/** Returns the journal of a case with live calls. */
export const liveJournal = (runId: string): Journal => ({ ...forgetfulJournal(runId), idempotencyKey });

const idempotencyKey = ({ runId, path }: EffectPlace): string =>
  createHash('sha256').update(`case\n${runId}\n${path}`).digest('base64url');

/** Removes the revisions of sub-flows from a path, because a case applies to every revision. */
const plainPath = (path: string): string => path.replaceAll(/@[^/]*(?=\/|$)/g, '');
