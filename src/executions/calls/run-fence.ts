import { ServiceError } from '../../common/service-error.js';
import type { Tx } from '../../database/tx.js';

/** The record that a run goes on under, and which attempt of it is ours. */
export interface RunAttempt {
  executionId: string;
  attempt: number;
}

/** The row exists while this attempt of the run may still write. */
export const OURS = `SELECT 1 FROM executions WHERE id = ? AND status = 'running' AND attempt = ?`;

/**
 * Another process took this one for dead and ended the call, or goes on with its run: nothing that this attempt does
 * counts any more.
 */
export class RunInterrupted extends ServiceError {
  constructor() {
    super(
      503,
      'overloaded',
      'The service lost its database for so long that this call was interrupted; nothing more of it is kept. Send it again; with an Idempotency-Key it goes on where it was.',
      { headers: { 'Retry-After': '1' } },
    );
  }
}

/** In the transaction of whatever a run writes: throws `RunInterrupted` unless the run is ours to go on with. */
export async function fence(tx: Tx, { executionId, attempt }: RunAttempt): Promise<void> {
  if (!(await tx.one(OURS, [executionId, attempt]))) throw new RunInterrupted();
}
