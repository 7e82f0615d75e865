import { Injectable } from '@nestjs/common';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import type { Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import type { RunAttempt } from './run-fence.js';

/** Called inside the transaction in which a run changes hands, to release whatever its last attempt held. */
export type TakenOverListener = (tx: Tx, executionId: string) => Promise<void>;

/** A run that this process has taken over, and how many processes have died while they ran it. */
export interface TakenRun extends RunAttempt {
  processDeaths: number;
}

/** Of a run that has seen so many deaths no process tries another attempt: it is what kills them, as far as one can tell. */
export const MOST_PROCESS_DEATHS = 3;

/** Continues a run that this process has taken over, or ends one of too many deaths. It must not reject. */
export type GoOn = (run: TakenRun) => void;

/** The owner of a run that a stopping process has handed over: none, until a process takes it. */
export const NOBODY = '';

const HAND_OVER = `UPDATE executions SET process_id = '${NOBODY}', attempt = attempt + 1, holds_turn = NULL
  WHERE id = ? AND status = 'running' AND outlives_process = 1 AND attempt = ?`;

/** A death counts for a run that had its chat's turn: one that waits for it does nothing that could kill a process. */
const TAKE_OVER = `UPDATE executions SET process_id = ?, attempt = attempt + 1, holds_turn = NULL,
  process_deaths = process_deaths + CASE WHEN process_id <> '${NOBODY}' AND holds_turn = 1 THEN 1 ELSE 0 END
  WHERE id = ? AND status = 'running' AND outlives_process = 1 AND process_id = ?
  RETURNING attempt, process_deaths AS "processDeaths"`;

/**
 * Runs without a living owner (contract section 11): a process that stops hands its runs over at once, and the runs of
 * one that died are taken over by another. Each change of owner raises the attempt, so that the fence refuses writes of
 * the earlier owner.
 */
@Injectable()
export class Takeover {
  private readonly listeners: TakenOverListener[] = [];
  private goOn: GoOn | undefined;
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

  /** Sets the function that continues runs; until then this process takes none over. */
  useToGoOn(goOn: GoOn): void {
    this.goOn = goOn;
  }

  /** Gives up a run of this process. False when it had ended. */
  handOver(run: RunAttempt): Promise<boolean> {
    return this.gate.write((tx) => this.giveUp(tx, run));
  }

  /** The same in a transaction of the caller's. False also for a call that ends with its process. */
  async giveUp(tx: Tx, { executionId, attempt }: RunAttempt): Promise<boolean> {
    const given = (await tx.run(HAND_OVER, [executionId, attempt])) === 1;
    if (given) await this.tell(tx, executionId);
    return given;
  }

  /** Takes a run from a process that is gone and continues it. False when another process was faster. */
  async takeOver(executionId: string, from: string): Promise<boolean> {
    if (!this.goOn) return false;
    const run = await this.gate.write(async (tx) => {
      const values = [this.presence.id, executionId, from];
      const taken = await tx.one<Omit<TakenRun, 'executionId'>>(TAKE_OVER, values);
      if (taken) await this.tell(tx, executionId);
      return taken;
    });
    if (!run) return false;
    this.taken++;
    this.goOn({ executionId, ...run });
    return true;
  }

  private async tell(tx: Tx, executionId: string): Promise<void> {
    for (const listener of this.listeners) await listener(tx, executionId);
  }
}
