import { Overloaded } from '../common/service-error.js';
import type { Tx } from '../database/tx.js';

/** The record of a run and the attempt at it, which is the fencing token. */
export interface RunAttempt {
  executionId: string;
  attempt: number;
}

/** Returns a row while this attempt may still write; none once the fence is lost. */
export const OURS = `SELECT 1 FROM executions WHERE id = ? AND status = 'running' AND attempt = ?`;

/**
 * The fence is lost: another process took this one for dead and ended the call, or continues its run. Further writes of
 * this attempt are refused.
 */
export class RunInterrupted extends Overloaded {
  constructor() {
    super(
      'The service lost its database for so long that this call was interrupted, and nothing more of it is stored. Send it again: with an Idempotency-Key it resumes where it stopped.',
      1,
    );
  }
}

/** Throws `RunInterrupted` unless this attempt still owns the run. Part of every transaction in which a run writes. */
export async function fence(tx: Tx, { executionId, attempt }: RunAttempt): Promise<void> {
  if (!(await tx.one(OURS, [executionId, attempt]))) throw new RunInterrupted();
}
