import type { Request } from 'express';
import { createHash } from 'node:crypto';
import { InvalidRequest } from '../../common/service-error.js';
import type { ApiCall } from '../api-call.js';
import type { Caller } from '../execution.js';

/** A call's `Idempotency-Key` and its scope (contract section 1). */
export interface CallKey {
  scope: string;
  key: string;
  /** Hash of the parsed fields and the SHA-256 of each file. */
  fingerprint: string;
  /** True if the caller wants the stored answer or none: this call runs nothing. */
  replayAlone: boolean;
}

/** A random UUID cannot be guessed, so it identifies its sender from any address. */
const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * Returns the key with its scope: the checked API key, else the address, and the route with its flow or session. A
 * version 4 UUID counts from any address, so that a telephone may retry on another network. Throws 400 if malformed.
 */
export function callKeyOf(
  request: Request,
  { kind, caller }: ApiCall,
  of: { place: string; fingerprint: () => string },
): CallKey | undefined {
  const key = idempotencyKeyOf(request);
  const replayAlone = wantsReplayAlone(request);
  if (key === undefined) return undefined;
  const who = caller.apiKeyId === undefined && UUID_4.test(key) ? 'anyone' : whoIs(caller);
  return { scope: `${kind} ${who} ${of.place}`, key, fingerprint: of.fingerprint(), replayAlone };
}

/** Identifies the caller: its API key, else its address. */
export const whoIs = ({ address, apiKeyId }: Pick<Caller, 'address' | 'apiKeyId'>): string =>
  apiKeyId === undefined ? `address:${address}` : `key:${apiKeyId}`;

/**
 * Returns the call's `Idempotency-Key` (contract section 1). Throws 400 unless it is 1 to 255 visible ASCII characters.
 */
export function idempotencyKeyOf(request: Request): string | undefined {
  const value = request.headers['idempotency-key'];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value)) return value;
  throw new InvalidRequest([
    { path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters without blanks' },
  ]);
}

/**
 * Returns true if the call requests only a stored answer (`Idempotent-Replay: only`): a client that lost an answer
 * checks for it without running anything twice. Throws 400 without a key, and for another value.
 */
function wantsReplayAlone(request: Request): boolean {
  const value = request.headers['idempotent-replay'];
  if (value === undefined) return false;
  if (value !== 'only') throw new InvalidRequest([{ path: 'Idempotent-Replay', message: 'must be only' }]);
  if (request.headers['idempotency-key'] !== undefined) return true;
  throw new InvalidRequest([
    { path: 'Idempotency-Key', message: 'is required with Idempotent-Replay: only' },
  ]);
}

/** Returns the SHA-256 of the fields, whatever the order of their members. */
export const fieldsFingerprint = (fields: unknown): string =>
  createHash('sha256').update(canonical(fields)).digest('hex');

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
