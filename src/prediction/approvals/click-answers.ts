import { isoTime } from '../../common/iso-time.js';
import { InvalidRequest, ServiceError } from '../../common/service-error.js';
import { type Decision, isSameDecision } from '../../executions/approvals/approval.js';
import type { AsyncStatus } from '../../executions/async/async-run-store.js';
import type { StoredAnswer } from '../../executions/calls/key-entry.js';
import { neutralFailure } from '../call/prediction-answer.js';
import type { HumanInput } from '../call/prediction-body.js';

/** Returns the stored answer as a replay under an `Idempotency-Key` would. */
export function answerOfClick(
  { status, answer, error }: AsyncStatus,
  executionId: string,
  seesFailures: boolean,
): StoredAnswer {
  const known = { executionId, status: status === 'running' ? 'failed' : status };
  if (answer !== undefined) return { ...known, httpStatus: 200, body: answer };
  const {
    status: httpStatus,
    code,
    message,
    ...members
  } = (seesFailures ? error : neutralFailure(error)) as { status: number; code: string; message: string };
  return { ...known, httpStatus, body: { executionId, code, message, members: others(members) } };
}

/** Returns the members of a problem body that are not in every one. */
const others = (problem: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(problem).filter(([name]) => !['type', 'title', 'detail', 'executionId'].includes(name)),
  );

/** Returns 400 for a click that no question of the chat expects. */
export const neverAsked = (): ServiceError =>
  new InvalidRequest(
    [{ path: 'humanInput.startNodeId', message: 'names no question of this chat' }],
    'This answer belongs to no question of this chat. Send the data.nodeId of the action back unchanged, with its chatId.',
  );

/** Returns 409 for a click whose run has not ended in time. */
export const stillRuns = (): ServiceError =>
  new ServiceError(
    'session_busy',
    'The same answer was given before, and its run has not ended yet. Send it again for the result.',
    { headers: { 'Retry-After': '5' } },
  );

const DECIDED: Readonly<Record<Decision['type'], string>> = {
  proceed: 'It was approved',
  reject: 'It was rejected',
  expired: 'The question had expired',
  cancelled: 'The run was stopped by an admin',
  flow_deleted: 'The flow had been deleted',
};

/** Returns 409 with the decision and its time. */
export function alreadyDecided({ type, feedback, at }: Decision): ServiceError {
  const decided = { type, ...(feedback === undefined ? {} : { feedback }), at: isoTime(at) };
  const sentence = `${DECIDED[type]} before this answer came, which changed nothing.`;
  return new ServiceError('already_decided', sentence, { members: { decided } });
}

/** Returns the execution that decided, if the click has the same decision. Throws 409 `already_decided` otherwise. */
export function requireSameDecision(decision: Decision, click: HumanInput): string {
  if (decision.by === undefined || !isSameDecision(decision, click)) throw alreadyDecided(decision);
  return decision.by;
}
