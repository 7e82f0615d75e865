import { Injectable } from '@nestjs/common';
import { ProcessPresence } from '../../database/process-presence.js';
import type { Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/write-gate.js';
import type { RunAttempt } from './run-fence.js';

/** What happens inside the transaction in which a run changes hands: what its last attempt held is let go. */
export type TakenOverListener = (tx: Tx, executionId: string) => Promise<void>;

/** Goes on with a run that this process has taken over. It must not reject. */
export type GoOn = (run: RunAttempt) => void;

/** The process of a run that a stopping process has handed over: nobody's, until one takes it. */
export const NOBODY = '';

const HAND_OVER = `UPDATE executions SET process_id = '${NOBODY}', attempt = attempt + 1, holds_turn = NULL
  WHERE id = ? AND status = 'running' AND attempt = ?`;

const TAKE_OVER = `UPDATE executions SET process_id = ?, attempt = attempt + 1, holds_turn = NULL
  WHERE id = ? AND status = 'running' AND outlives_process = 1 AND process_id = ? RETURNING attempt`;

/**
 * Runs that belong to no process (contract section 11): one that stops hands them over at once, and what one leaves
 * behind when it dies another takes over. The attempt rises with each, so that whoever held the run before writes no more.
 */
@Injectable()
export class Takeover {
  private readonly listeners: TakenOverListener[] = [];
  private goOn: GoOn | undefined;

  constructor(
    private readonly gate: WriteGate,
    private readonly presence: ProcessPresence,
  ) {}

  onTakenOver(listener: TakenOverListener): void {
    this.listeners.push(listener);
  }

  /** Who goes on with a run; until somebody says so this process takes none. */
  useToGoOn(goOn: GoOn): void {
    this.goOn = goOn;
  }

  /** Gives up a run of this process. False when it had ended. */
  handOver({ executionId, attempt }: RunAttempt): Promise<boolean> {
    return this.gate.write(async (tx) => {
      const given = (await tx.run(HAND_OVER, [executionId, attempt])) === 1;
      if (given) await this.tell(tx, executionId);
      return given;
    });
  }

  /** Takes a run from a process that is gone and goes on with it. False when another was faster. */
  async takeOver(executionId: string, from: string): Promise<boolean> {
    if (!this.goOn) return false;
    const attempt = await this.gate.write(async (tx) => {
      const taken = await tx.one<{ attempt: number }>(TAKE_OVER, [this.presence.id, executionId, from]);
      if (taken) await this.tell(tx, executionId);
      return taken?.attempt;
    });
    if (attempt === undefined) return false;
    this.goOn({ executionId, attempt });
    return true;
  }

  private async tell(tx: Tx, executionId: string): Promise<void> {
    for (const listener of this.listeners) await listener(tx, executionId);
  }
}
