import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Returns SHA-256 in lower-case hex. Stored keys are 256-bit random, so they need no slow hash. */
export const sha256Hex = (value: string | Uint8Array): string =>
  createHash('sha256').update(value).digest('hex');

/** Characters of the shortest key that may sign; a shorter one could be guessed. */
const SHORTEST_KEY = 16;

/** Returns HMAC-SHA-256 of a text in base64url. Throws for a secret that is empty or short. */
export function hmacOf(secret: string, text: string): string {
  if (secret.length < SHORTEST_KEY) throw new Error('nothing is signed with a secret that is empty or short');
  return createHmac('sha256', secret).update(text).digest('base64url');
}

/**
 * Compares two texts in constant time. An empty text equals nothing, so that a missing secret grants nothing.
 */
export const sameSecret = (left: string, right: string): boolean =>
  left !== '' &&
  right !== '' &&
  timingSafeEqual(createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest());

/** Returns the token of an `Authorization: Bearer …` header, if any. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  const token = header.slice(7).trim();
  return token === '' ? undefined : token;
}
