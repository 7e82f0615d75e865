import { createHash } from 'node:crypto';

/** The name of something that units of work touch: of two units that name the same, the second begins when the first has committed. */
export type WriteKey =
  `${'account' | 'address' | 'api-key' | 'async-runs' | 'bucket' | 'chat' | 'idempotency' | 'outbox' | 'run' | 'session'} ${string}`;

export const accountKey = (account: string): WriteKey => `account ${account}`;

/** The misses of an address. */
export const addressKey = (address: string): WriteKey => `address ${address}`;

/** When an API key was used last. */
export const apiKeyUseKey = (apiKeyId: string): WriteKey => `api-key ${apiKeyId}`;

/** Calls that are counted together. */
export const bucketKey = (bucket: string): WriteKey => `bucket ${bucket}`;

export const chatKey = (flowId: string, chatId: string): WriteKey => `chat ${flowId}/${chatId}`;

/** An `Idempotency-Key` within its scope. */
export const idempotencyKey = (scope: string, key: string): WriteKey => `idempotency ${scope}\n${key}`;

/** The number of runs that nobody waits for. */
export const asyncRunsKey: WriteKey = 'async-runs of all';

/** The rows of an outbox's table that wait: which process takes which. */
export const outboxKey = (table: string): WriteKey => `outbox ${table}`;

/** A run by its first execution. */
export const runKey = (runId: string): WriteKey => `run ${runId}`;

/** An inspection, whatever flows its photographs came through: a claim takes those of several. */
export const sessionKey = (sessionId: string): WriteKey => `session ${sessionId}`;

/**
 * The numbers of PostgreSQL's advisory locks (signed, 64 bits) that stand for these keys, each once, ascending: everybody
 * takes them in this order, so that no two wait for each other. Two keys with one number would only wait without need.
 */
export function lockNumbers(keys: readonly string[]): bigint[] {
  const numbers = new Set(keys.map((key) => createHash('sha256').update(key).digest().readBigInt64BE()));
  return [...numbers].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
