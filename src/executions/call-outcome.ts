import { ServiceError } from '../common/service-error.js';
import type { Outcome } from './execution.js';
import { RunInterrupted } from './run-fence.js';

/** Why a call was stopped from outside before its end. */
export type CancelReason = 'caller_left' | 'stopped' | 'cancelled' | 'interrupted' | 'flow_deleted';

/**
 * The error of a call that was stopped by its user, by an admin, or because nobody listened; no 500: it is not
 * refunded.
 */
export class CallCancelled extends ServiceError {
  constructor(
    readonly reason: Exclude<CancelReason, 'interrupted'>,
    detail: string,
  ) {
    super('aborted', detail);
  }
}

/**
 * THE map from the error that ended a call to the outcome in its record. 4xx are refusals; a call that a stop of the
 * service aborted is `interrupted`; a stopped call says who stopped it; anything unknown is `internal_error`.
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

/** Whether a call was aborted by the end of its process, or by losing its fence. */
export const isInterruption = (error: unknown): boolean =>
  error instanceof RunInterrupted || (error instanceof ServiceError && error.code === 'shutting_down');

/** Whether the call may be retried under its key, to continue its run: nobody wanted it to end. */
export const isResumable = ({ status, code }: Outcome): boolean =>
  code === 'interrupted' || (status === 'aborted' && code === 'caller_left');

/** Whether its user or an admin ended the call: it is not gone on with. */
export const isCancelledOnDemand = ({ status, code }: Outcome): boolean =>
  status === 'aborted' && code !== 'caller_left';
