import type { Request } from 'express';
import { createHash } from 'node:crypto';
import { InvalidRequest } from '../../common/service-error.js';
import type { ApiCall } from '../api-call.js';
import type { Caller } from '../execution.js';

/** A call's `Idempotency-Key`, and what it counts for (contract section 1). */
export interface CallKey {
  scope: string;
  key: string;
  /** Of the parsed fields and the SHA-256 of each file. */
  fingerprint: string;
  /** The kept answer or nothing: this call runs nothing. */
  replayAlone: boolean;
}

/** A random UUID: nobody can guess it, so it identifies its sender from any address. */
const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * The key as it counts: for the checked API key, else the address (not with a version 4 UUID, so that a telephone that
 * changes its network may retry), and for the route with its flow or session. 400 for a malformed one.
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

/** The caller that a key belongs to: its API key, else its address. */
export const whoIs = ({ address, apiKeyId }: Pick<Caller, 'address' | 'apiKeyId'>): string =>
  apiKeyId === undefined ? `address:${address}` : `key:${apiKeyId}`;

/** The call's `Idempotency-Key`: 1 to 255 visible ASCII characters (contract section 1); 400 for anything else. */
export function idempotencyKeyOf(request: Request): string | undefined {
  const value = request.headers['idempotency-key'];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value)) return value;
  throw new InvalidRequest([
    { path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters without blanks' },
  ]);
}

/**
 * Whether the call asks for the answer kept under its key and nothing else (`Idempotent-Replay: only`): a client that
 * lost an answer finds out whether there is one without running anything twice. 400 without a key, and for another value.
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

/** SHA-256 of the fields that make two calls the same one, whatever the order of their members. */
export const fieldsFingerprint = (fields: unknown): string =>
  createHash('sha256').update(canonical(fields)).digest('hex');

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
