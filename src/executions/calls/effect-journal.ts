import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { hmacOf } from '../../common/secrets/constant-time.js';
import { seal, unseal } from '../../common/secrets/sealed-text.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { patiently } from '../../database/patiently.js';
import type { SqlValue, Tx } from '../../database/tx.js';
import type { SharedWork } from '../../database/writes/shared-work.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import type { WriteHooks } from '../../database/writes/write-hooks.js';
import { runKey } from '../../database/writes/write-keys.js';
import { fence, OURS, type RunAttempt, RunInterrupted } from '../run-fence.js';

/** A run and its journal. */
export interface JournaledRun extends RunAttempt {
  /** The first execution of the run. */
  runId: string;
  /** Revision of the flow: stored answers of models hold for this one only. */
  revision: string;
  /** True if an earlier attempt may have left effects; otherwise none are read. */
  isResumed: boolean;
}

/** Position of an effect; `flows/engine/journal.ts` declares the view of a run. */
export interface JournalPlace extends RunAttempt {
  runId: string;
  path: string;
}

interface EffectRow {
  revision: string;
  result: string | null;
}

/** A statement that changes one row, or none if this attempt has lost the run. */
export interface FencedWrite {
  runId: string;
  sql: string;
  values: readonly SqlValue[];
}

const VALUES = `SELECT CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS integer),
  CAST(? AS text), CAST(? AS bigint), CAST(? AS bigint), CAST(? AS text) WHERE EXISTS (${OURS})`;
const INSERT = `INSERT INTO effects (run_id, path, kind, execution_id, attempt, revision, begun_at, ended_at, result)
  ${VALUES}`;
const AGAIN = `ON CONFLICT (run_id, path) DO UPDATE SET execution_id = excluded.execution_id, attempt = excluded.attempt,
  revision = excluded.revision, begun_at = excluded.begun_at, ended_at = excluded.ended_at, result = excluded.result`;
const BEGIN = `${INSERT} ${AGAIN} WHERE effects.ended_at IS NULL`;
const KEEP = `${INSERT} ${AGAIN}`;
const TAKE_BACK = `DELETE FROM effects WHERE run_id = ? AND path = ? AND ended_at IS NULL AND execution_id = ?
  AND attempt = ?`;

/**
 * Journal of effects outside the runs' records, one row per effect, sealed and stored as long as the run's record
 * (contract section 11). Every write tests the fence.
 */
@Injectable()
export class EffectJournal {
  private readonly begins = fencedWork(false);
  /** A power cut may lose the end of an effect, never the `begun` row before it: the effect is then "unknown". */
  private readonly keeps = fencedWork(true);

  constructor(
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
  ) {}

  /** Returns the engine's journal of one attempt. */
  openFor({ runId, executionId, attempt, revision, isResumed }: JournaledRun) {
    const owed: FencedWrite[] = [];
    return {
      /** Writes still to be made, for the transaction that ends the attempt, so that a retry sees them. */
      owed,
      place: (path: string): JournalPlace => ({ runId, path, executionId, attempt }),
      find: async (place: JournalPlace, of: 'run' | 'flow revision') => {
        const row = isResumed ? await this.row(place) : undefined;
        if (!row || (of === 'flow revision' && row.revision !== revision)) return undefined;
        return row.result === null ? 'begun' : { result: this.open(place, row.result) };
      },
      // If this write fails nothing is sent, so a row that was committed anyway is deleted at the end.
      begin: (place: JournalPlace, kind: string): Promise<void> => {
        const write = { runId, sql: BEGIN, values: this.values(place, kind, revision) };
        const back = { runId, sql: TAKE_BACK, values: [runId, place.path, executionId, attempt] };
        return this.fenced(this.begins, write).catch((error: unknown) => {
          owed.push(back);
          throw error;
        });
      },
      // Retried for long: without the row nobody knows if the effect happened. Owed from the first attempt,
      // since another branch may end the run meanwhile.
      store: async (place: JournalPlace, kind: string, result: unknown): Promise<void> => {
        const write = { runId, sql: KEEP, values: this.values(place, kind, revision, result) };
        owed.push(write);
        await patiently(() => this.fenced(this.keeps, write));
        owed.splice(owed.indexOf(write), 1);
      },
      idempotencyKey: ({ path }: JournalPlace): string => this.idempotencyKey(runId, path),
    };
  }

  /**
   * Writes the row of an effect in the same transaction as the effect: the row is unique, so it happens once. Throws
   * `RunInterrupted`, which rolls back, if the run has another owner.
   */
  async write(tx: Tx, place: JournalPlace, kind: string, result: unknown): Promise<void> {
    const written = await tx.run(INSERT, this.values(place, kind, '', result));
    if (written !== 1) throw new RunInterrupted();
  }

  /** Returns the result of one effect of a run. */
  async effectAt(runId: string, path: string): Promise<unknown> {
    const row = await this.reader.one<EffectRow>(
      'SELECT revision, result FROM effects WHERE run_id = ? AND path = ?',
      [runId, path],
    );
    return row?.result == null ? undefined : this.open({ runId, path }, row.result);
  }

  /** Returns the finished effects of a run, whole. Throws if one was sealed with another key. */
  async effectsOf(runId: string): Promise<{ path: string; result: unknown }[]> {
    const rows = await this.reader.all<{ path: string; result: string }>(
      'SELECT path, result FROM effects WHERE run_id = ? AND result IS NOT NULL ORDER BY begun_at, path',
      [runId],
    );
    return rows.map(({ path, result }) => ({
      path,
      result: this.open({ runId, path }, result) as unknown,
    }));
  }

  /** Returns the characters that the results of a run take, sealed. */
  async sizeOf(runId: string): Promise<number> {
    const row = await this.reader.one<{ size: number | null }>(
      'SELECT SUM(LENGTH(result)) AS size FROM effects WHERE run_id = ?',
      [runId],
    );
    return Number(row?.size ?? 0);
  }

  /** Returns the hooks that make a transaction an effect of the run: the fence before its work, the effect's row after it. */
  hooks<Made>(place: JournalPlace, kind: string): Required<WriteHooks<Made>> {
    return {
      touches: [runKey(place.runId)],
      opening: (tx) => fence(tx, place),
      closing: (tx, made) => this.write(tx, place, kind, made),
    };
  }

  /** Writes what attempts still owe when they end. */
  async settle(tx: Tx, owed: readonly FencedWrite[]): Promise<void> {
    for (const { sql, values } of owed) await tx.run(sql, values);
  }

  private row({ runId, path }: JournalPlace): Promise<EffectRow | undefined> {
    return this.reader.one<EffectRow>('SELECT revision, result FROM effects WHERE run_id = ? AND path = ?', [
      runId,
      path,
    ]);
  }

  private idempotencyKey(runId: string, path: string): string {
    return hmacOf(this.secrets.credentialsKey.toString('base64url'), `effect\n${runId}\n${path}`);
  }

  private async fenced(work: SharedWork<FencedWrite, boolean>, write: FencedWrite): Promise<void> {
    if (!(await this.gate.writeTogether(work, write))) throw new RunInterrupted();
  }

  private values(place: JournalPlace, kind: string, revision: string, result?: unknown): SqlValue[] {
    const { runId, path, executionId, attempt } = place;
    const now = this.clock.now();
    const sealed =
      result === undefined
        ? null
        : seal(this.secrets.credentialsKey, JSON.stringify(result), sealName(place));
    const row = [
      runId,
      path,
      kind,
      executionId,
      attempt,
      revision,
      now,
      sealed === null ? null : now,
      sealed,
    ];
    return [...row, executionId, attempt];
  }

  /** Throws if the row was sealed with another key: its effect has happened but cannot be read. */
  private open(place: Pick<JournalPlace, 'runId' | 'path'>, sealed: string): never {
    return JSON.parse(unseal(this.secrets.credentialsKey, sealed, sealName(place))) as never;
  }
}

const sealName = ({ runId, path }: Pick<JournalPlace, 'runId' | 'path'>): string => `effect ${runId} ${path}`;

/** Runs one statement each, so that one refused by the fence does not undo the others of its group. */
const fencedWork = (soonDurable: boolean): SharedWork<FencedWrite, boolean> => ({
  soonDurable,
  keysOf: ({ runId }) => [runKey(runId)],
  write: async (tx, writes) => {
    const written: boolean[] = [];
    for (const { sql, values } of writes) written.push((await tx.run(sql, values)) === 1);
    return written;
  },
});
