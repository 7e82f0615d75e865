import type { Request } from 'express';
import type { Caller } from '../execution.js';
import type { ApiCall } from './api-call.js';
import { idempotencyKeyOf, wantsReplayAlone } from './idempotency-key.js';

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
