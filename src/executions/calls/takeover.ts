import { Injectable } from '@nestjs/common';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import type { Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import type { RunAttempt } from '../run-fence.js';

/** Releases what the last attempt held, in the transaction in which a run changes hands. */
export type TakenOverListener = (tx: Tx, executionId: string) => Promise<void>;

/** A run taken over by this process, and the number of processes that died while running it. */
export interface TakenRun extends RunAttempt {
  processDeaths: number;
}

/** Process deaths after which a run counts as poison and is not retried. */
export const MOST_PROCESS_DEATHS = 3;

/** Resumes a run that was taken over until its end, or ends one with too many deaths. It must not reject. */
export type ResumeRun = (run: TakenRun) => Promise<void>;

const PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Returns the pause (ms) before a run that cannot continue is handed over. It grows with each attempt: an outage may
 * last hours, and each change of owner excludes every other writer.
 */
export const pauseAfter = ({ attempt }: RunAttempt): number => Math.min(PAUSE_MS * attempt, LONGEST_PAUSE_MS);

/** Attempts after which a run that cannot continue is ended; about a quarter of an hour. */
export const MOST_ATTEMPTS = 100;

/** Owner of a run that was handed over, until a process takes it. */
export const NOBODY = '';

const HAND_OVER = `UPDATE executions SET process_id = '${NOBODY}', attempt = attempt + 1, holds_turn = NULL
  WHERE id = ? AND status = 'running' AND outlives_process = 1 AND attempt = ?`;

/** A death counts only while the run held its chat's lock: a waiting run cannot kill a process. */
const TAKE_OVER = `UPDATE executions SET process_id = ?, attempt = attempt + 1, holds_turn = NULL,
  process_deaths = process_deaths + CASE WHEN process_id <> '${NOBODY}' AND holds_turn = 1 THEN 1 ELSE 0 END
  WHERE id = ? AND status = 'running' AND outlives_process = 1 AND process_id = ?
  RETURNING attempt, process_deaths AS "processDeaths"`;

/**
 * Transfers runs without a living owner (contract section 11). A process that shuts down hands its runs over at once;
 * runs of a dead process are taken over. Each change of owner raises the attempt, so that the fence refuses writes of
 * the earlier owner.
 */
@Injectable()
export class Takeover {
  private readonly listeners: TakenOverListener[] = [];
  private readonly underWay = new Set<{ executionId: string }>();
  private resume: ResumeRun | undefined;
  private taken = 0;

  constructor(
    private readonly gate: WriteGate,
    private readonly presence: ProcessPresence,
  ) {}

  /** Runs that this process has taken over since it started. */
  get count(): number {
    return this.taken;
  }

  onTakenOver(listener: TakenOverListener): void {
    this.listeners.push(listener);
  }

  /** Sets the function that resumes runs; before that, this process takes none over. */
  resumeWith(resume: ResumeRun): void {
    this.resume = resume;
  }

  /** Takes over no more runs, because the shutdown would cut them. */
  takeNoMore(): void {
    this.resume = undefined;
  }

  /** Gives up a run of this process. Returns false if it had ended. */
  handOver(run: RunAttempt): Promise<boolean> {
    return this.gate.write((tx) => this.giveUp(tx, run));
  }

  /** Gives up a run in the caller's transaction. Returns false also for a call that ends with its process. */
  async giveUp(tx: Tx, { executionId, attempt }: RunAttempt): Promise<boolean> {
    const given = (await tx.run(HAND_OVER, [executionId, attempt])) === 1;
    if (given) await this.notify(tx, executionId);
    return given;
  }

  /** Takes a run from a process that is gone and resumes it. Returns false if another process was faster. */
  async takeOver(executionId: string, from: string): Promise<boolean> {
    const { resume } = this;
    if (!resume) return false;
    const taking = { executionId };
    this.underWay.add(taking);
    let going = Promise.resolve();
    try {
      const run = await this.gate.write(async (tx) => {
        const values = [this.presence.id, executionId, from];
        const taken = await tx.one<Omit<TakenRun, 'executionId'>>(TAKE_OVER, values);
        if (taken) await this.notify(tx, executionId);
        return taken;
      });
      if (!run) return false;
      this.taken++;
      going = resume({ executionId, ...run });
      return true;
    } finally {
      void going.finally(() => this.underWay.delete(taking));
    }
  }

  /** Returns true if this process is taking the run over or running it. */
  isUnderWay(executionId: string): boolean {
    for (const taking of this.underWay) if (taking.executionId === executionId) return true;
    return false;
  }

  private async notify(tx: Tx, executionId: string): Promise<void> {
    for (const listener of this.listeners) await listener(tx, executionId);
  }
}
