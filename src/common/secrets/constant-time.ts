import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a text, lower-case hex: how keys are stored (they are 256-bit random, so no slow hash is needed). */
export const sha256Hex = (value: string | Uint8Array): string =>
  createHash('sha256').update(value).digest('hex');

/** A shorter key could be guessed: nothing is signed with it. */
const SHORTEST_KEY = 16;

/** HMAC-SHA-256 of a text, base64url. The only way to sign with a secret; throws where the secret is none. */
export function hmacOf(secret: string, text: string): string {
  if (secret.length < SHORTEST_KEY) throw new Error('nothing is signed with a secret that is empty or short');
  return createHmac('sha256', secret).update(text).digest('base64url');
}

/**
 * Compares two texts without telling by the time it takes where they differ. Nothing equals an empty text: where a
 * secret is missing, nobody holds it.
 */
export const sameSecret = (left: string, right: string): boolean =>
  left !== '' &&
  right !== '' &&
  timingSafeEqual(createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest());

/** The token of an `Authorization: Bearer …` header, if there is one. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  const token = header.slice(7).trim();
  return token === '' ? undefined : token;
}
