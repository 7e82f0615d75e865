import { Overloaded } from '../common/service-error.js';
import type { Tx } from '../database/tx.js';

/** The record of a run, and our attempt at it: the fencing token. */
export interface RunAttempt {
  executionId: string;
  attempt: number;
}

/** A row while this attempt of the run may still write; none once the fence is lost. */
export const OURS = `SELECT 1 FROM executions WHERE id = ? AND status = 'running' AND attempt = ?`;

/**
 * The fence is lost: another process took this one for dead and ended the call, or continues its run. Writes of this
 * attempt are refused from then on.
 */
export class RunInterrupted extends Overloaded {
  constructor() {
    super(
      'The service lost its database for so long that this call was interrupted; nothing more of it is kept. Send it again; with an Idempotency-Key it goes on where it was.',
      1,
    );
  }
}

/** Part of every transaction in which a run writes: throws `RunInterrupted` unless this attempt still owns the run. */
export async function fence(tx: Tx, { executionId, attempt }: RunAttempt): Promise<void> {
  if (!(await tx.one(OURS, [executionId, attempt]))) throw new RunInterrupted();
}
