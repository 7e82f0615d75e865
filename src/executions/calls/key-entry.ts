import type { ExecutionStatus } from '../../api/execution-terms.js';
import { ServiceError } from '../../common/service-error.js';
import { EntityColumns } from '../../database/entity-columns.js';
import type { SqlReader } from '../../database/tx.js';
import type { Outcome } from '../execution.js';
import { IdempotentAnswerEntity } from './idempotent-answer.entity.js';

/** The entry of an `Idempotency-Key`: the stored answer or the claim, with the status of its execution. */
export type KeyEntry = IdempotentAnswerEntity & { readonly status: ExecutionStatus | null };

/** The first answer to a key. `body` is JSON; `null` for an answer without one. */
export interface StoredAnswer {
  /** The execution that gave the answer. */
  executionId: string;
  /** Status for the record of the replay, also if the record was deleted or still runs. */
  status: Outcome['status'];
  httpStatus: number;
  body: unknown;
}

/** Time for which an answer is replayed. */
export const REPLAY_MS = 24 * 3_600_000;

const ANSWERS = new EntityColumns(IdempotentAnswerEntity);

const FIND = `SELECT ${ANSWERS.selected(ANSWERS.without([]))}, status FROM idempotent_answers
  LEFT JOIN executions ON executions.id = execution_id WHERE scope = ? AND idempotency_key = ?`;

/** Reads the entry of a key, expired or not. */
export const entryOf = (
  reader: SqlReader,
  { scope, key }: { scope: string; key: string },
): Promise<KeyEntry | undefined> => reader.one<KeyEntry>(FIND, [scope, key]);

/** Returns true after the time in which an answer is replayed or a call resumed. */
export const hasExpired = ({ createdAt }: KeyEntry, now: number): boolean => createdAt <= now - REPLAY_MS;

/**
 * Returns true if the answer has expired, or nobody runs the call any more. After a process died, the recovery first
 * ends its calls as interrupted, then gives up their keys.
 */
export function isFree(entry: KeyEntry, now: number): boolean {
  if (entry.httpStatus === null) return entry.processId === null;
  return hasExpired(entry, now);
}

/**
 * Returns the answer of an entry that is not free. Throws 422 `idempotency_key_reused` if the fingerprint differs, 409
 * `idempotency_key_in_use` while the first call still runs.
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

/**
 * Returns the status of a replay's record. It is never `waiting`, since nothing would end it: only the first record of a
 * run is ended by its approval.
 */
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
    'The first request with this Idempotency-Key still runs. Try again once it has been answered.',
    { headers: { 'Retry-After': '1' } },
  );
