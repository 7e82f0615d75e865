import { ServiceError } from '../common/service-error.js';
import type { Outcome } from './execution.js';
import { RunInterrupted } from './run-fence.js';

/** Why a call was cancelled. The values are codes of records. */
export type CancelReason = 'caller_left' | 'stopped' | 'cancelled' | 'interrupted' | 'flow_deleted';

/** A call cancelled by its user, by an admin, or because nobody listened. No 500: it is not refunded. */
export class CallCancelled extends ServiceError {
  constructor(
    readonly reason: Exclude<CancelReason, 'interrupted'>,
    detail: string,
  ) {
    super('aborted', detail);
  }
}

/**
 * Maps the error that ended a call to the outcome in its record. 4xx are refusals; a call aborted by a shutdown is
 * `interrupted`; a cancelled call has the reason as its code; anything unknown is `internal_error`.
 */
export function outcomeOf(error: unknown, finishedAt: number, more: Partial<Outcome> = {}): Outcome {
  if (!(error instanceof ServiceError)) {
    return { status: 'failed', httpStatus: 500, code: 'internal_error', finishedAt, ...more };
  }
  const { status: httpStatus, message } = error;
  return { ...statusAndCode(error), httpStatus, error: message, finishedAt, ...more };
}

function statusAndCode(error: ServiceError): Pick<Outcome, 'status' | 'code'> {
  if (error instanceof CallCancelled) return { status: 'aborted', code: error.reason };
  if (isInterruption(error)) return { status: 'failed', code: 'interrupted' };
  return { status: error.status < 500 ? 'rejected' : 'failed', code: error.code };
}

/** Returns true if a call was aborted by the end of its process or by losing its fence. */
const isInterruption = (error: unknown): boolean =>
  error instanceof RunInterrupted || (error instanceof ServiceError && error.code === 'shutting_down');

/** Returns true if a call under the same key resumes the run: nobody wanted it to end. */
export const isResumable = ({ status, code }: Outcome): boolean =>
  code === 'interrupted' || (status === 'aborted' && code === 'caller_left');

/** Returns true if the user or an admin ended the call: it is not resumed. */
export const isCancelledOnDemand = ({ status, code }: Outcome): boolean =>
  status === 'aborted' && code !== 'caller_left';
