import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text with AES-256-GCM: `v1.` and base64url of IV, tag and ciphertext. `place` is authenticated with it, so
 * that a sealed text cannot be moved to another place.
 */
export function seal(key: Buffer, text: string, place: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `v1.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

/** Decrypts a sealed text. Throws when the key or the place differs, or a single bit was changed. */
export function unseal(key: Buffer, sealed: string, place: string): string {
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  if (!sealed.startsWith('v1.') || tag.length !== TAG_BYTES) throw new Error('this is no sealed text');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
  const opened = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
  return Buffer.concat([opened, decipher.final()]).toString('utf8');
}
