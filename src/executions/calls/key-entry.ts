import type { ExecutionStatus } from '../../api/execution-terms.js';
import { ServiceError } from '../../common/service-error.js';
import { EntityColumns } from '../../database/entity-columns.js';
import type { SqlReader } from '../../database/tx.js';
import type { Outcome } from '../execution.js';
import { IdempotentAnswerEntity } from './idempotent-answer.entity.js';

/**
 * The entry of an `Idempotency-Key`: the answer that is kept under it, or the call that has claimed it; with the status of
 * that call's execution, where there is a record.
 */
export type KeyEntry = IdempotentAnswerEntity & { readonly status: ExecutionStatus | null };

/** The first answer to a key, as it was sent. `body` is JSON; `null` for an answer without one. */
export interface StoredAnswer {
  /** The execution that gave the answer. */
  executionId: string;
  /** Its current status, for the caller of an answer whose record was deleted or still runs. */
  status: Outcome['status'];
  httpStatus: number;
  body: unknown;
}

/** Time for which an answer is replayed. */
export const KEPT_MS = 24 * 3_600_000;

const ANSWERS = new EntityColumns(IdempotentAnswerEntity);

const FIND = `SELECT ${ANSWERS.selected(ANSWERS.without([]))}, status FROM idempotent_answers
  LEFT JOIN executions ON executions.id = execution_id WHERE scope = ? AND idempotency_key = ?`;

/** The entry of a key, whether it still counts or not. */
export const entryOf = (
  reader: SqlReader,
  { scope, key }: { scope: string; key: string },
): Promise<KeyEntry | undefined> => reader.one<KeyEntry>(FIND, [scope, key]);

/** Whether the day is over in which an answer is replayed, or a call continued. */
export const hasExpired = ({ createdAt }: KeyEntry, now: number): boolean => createdAt <= now - KEPT_MS;

/**
 * Whether the answer has expired, or nobody runs the call any more: its run ended though nobody wanted it to. After a
 * process has died, the recovery gives up its keys, once the calls have been ended as interrupted.
 */
export function isFree(entry: KeyEntry, now: number): boolean {
  if (entry.httpStatus === null) return entry.processId === null;
  return hasExpired(entry, now);
}

/**
 * The answer of an entry that is not free, for another call of this fingerprint. Throws 422 `idempotency_key_reused` where
 * that is another request, 409 `idempotency_key_in_use` while the first still runs.
 */
export function answerIn(entry: KeyEntry, { fingerprint }: { fingerprint: string }): StoredAnswer {
  if (entry.fingerprint !== fingerprint) throw keyReused();
  if (entry.httpStatus === null) throw keyInUse();
  return {
    executionId: entry.executionId,
    status: statusOf(entry.status, entry.httpStatus),
    httpStatus: entry.httpStatus,
    body: JSON.parse(entry.answer ?? 'null') as unknown,
  };
}

/** Of a run that waits for a human only the first record waits: nothing would ever end that of a replay. */
function statusOf(status: ExecutionStatus | null, httpStatus: number): Outcome['status'] {
  if (status !== null && status !== 'running' && status !== 'waiting') return status;
  return httpStatus < 400 ? 'succeeded' : 'failed';
}

/** 422: the key was used for another request. */
export const keyReused = (): ServiceError =>
  new ServiceError(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Send each request with a key of its own.',
  );

/** 409: the call that has claimed the key still runs. */
export const keyInUse = (): ServiceError =>
  new ServiceError(
    'idempotency_key_in_use',
    'The first request with this Idempotency-Key still runs. Try again when it has been answered.',
    { headers: { 'Retry-After': '1' } },
  );
