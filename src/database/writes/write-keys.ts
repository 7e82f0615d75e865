import { createHash } from 'node:crypto';

/** The lock of a unit of work: of two units with the same key, the second begins after the first has committed. */
export type WriteKey =
  `${'account' | 'address' | 'api-key' | 'async-runs' | 'bucket' | 'chat' | 'idempotency' | 'outbox' | 'run' | 'session'} ${string}`;

export const accountKey = (account: string): WriteKey => `account ${account}`;

/** The misses of an address. */
export const addressKey = (address: string): WriteKey => `address ${address}`;

/** The last use of an API key. */
export const apiKeyUseKey = (apiKeyId: string): WriteKey => `api-key ${apiKeyId}`;

/** A bucket of a rate limit. */
export const bucketKey = (bucket: string): WriteKey => `bucket ${bucket}`;

export const chatKey = (flowId: string, chatId: string): WriteKey => `chat ${flowId}/${chatId}`;

/** An `Idempotency-Key` within its scope. */
export const idempotencyKey = (scope: string, key: string): WriteKey => `idempotency ${scope}\n${key}`;

/** The number of async runs. */
export const asyncRunsKey: WriteKey = 'async-runs of all';

/** The leases of the waiting rows of an outbox. */
export const outboxKey = (table: string): WriteKey => `outbox ${table}`;

/** A run by its first execution. */
export const runKey = (runId: string): WriteKey => `run ${runId}`;

/** An inspection over all flows of its photographs, because a claim takes photographs of several. */
export const sessionKey = (sessionId: string): WriteKey => `session ${sessionId}`;

/**
 * Returns the numbers of PostgreSQL's advisory locks (signed, 64 bits) for these keys, each once and ascending: all
 * transactions take them in this order, which avoids deadlocks. Two keys with one number would only wait without need.
 */
export function lockNumbers(keys: readonly string[]): bigint[] {
  const numbers = new Set(keys.map((key) => createHash('sha256').update(key).digest().readBigInt64BE()));
  return [...numbers].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
