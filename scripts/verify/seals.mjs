import { createHash, createPublicKey, verify } from 'node:crypto';

const MARK = Buffer.from('%InspectionSeal1 ');
const LINE = /^%InspectionSeal1 ([A-Za-z0-9_-]{43}) ([A-Za-z0-9_-]{86})\n$/;
const LINE_BYTES = MARK.length + 43 + 1 + 86 + 1;
const SIGNATURE_BYTES = 86;

/** Seals of one file that are tried: each takes a hash of the whole file. */
const MOST_SEALS = 8;

/** The public key in its standard form (SPKI, DER) from 43 characters of base64url; undefined for what is none. */
export function publicKeyOf(raw) {
  if (!/^[A-Za-z0-9_-]{43}$/.test(raw)) return undefined;
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw }, format: 'jwk' });
}

/** SHA-256 of a public key's SPKI: 64 lower-case hex digits. */
export const fingerprintOf = (publicKey) =>
  createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('hex');

/**
 * The seals in a file: whose key each names, by its fingerprint, and whether it is of exactly these bytes. Those of
 * trusted keys come first, so that no number of others hides one.
 */
export function sealsOf(file, isTrusted) {
  const found = sealLines(file).map((line) => ({ ...line, trusted: isTrusted(line.fingerprint) }));
  const tried = [...found.filter(({ trusted }) => trusted), ...found.filter(({ trusted }) => !trusted)];
  return tried.slice(0, MOST_SEALS).map(({ fingerprint, trusted, publicKey, signature, signatureAt }) => {
    const signed = `inspection report ${sha256WithoutSignature(file, signatureAt)}`;
    const holds = verify(null, Buffer.from(signed), publicKey, Buffer.from(signature, 'base64url'));
    return { fingerprint, trusted, holds };
  });
}

function sealLines(file) {
  const lines = [];
  for (let at = file.indexOf(MARK); at >= 0; at = file.indexOf(MARK, at + 1)) {
    const [, key, signature] = LINE.exec(file.toString('latin1', at, at + LINE_BYTES)) ?? [];
    if (key === undefined) continue;
    const publicKey = publicKeyOf(key);
    const signatureAt = at + MARK.length + 43 + 1;
    lines.push({ fingerprint: fingerprintOf(publicKey), publicKey, signature, signatureAt });
  }
  return lines;
}

/** Of the whole file, with zeros where the signature stands. */
const sha256WithoutSignature = (file, signatureAt) =>
  createHash('sha256')
    .update(file.subarray(0, signatureAt))
    .update('0'.repeat(SIGNATURE_BYTES))
    .update(file.subarray(signatureAt + SIGNATURE_BYTES))
    .digest('hex');
