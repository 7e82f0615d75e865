import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';

/**
 * The seal of a report: one comment line of the PDF with the public key and an Ed25519 signature (base64url) over the
 * SHA-256 of the whole file, taken while the signature's own place holds zeros. So not one byte can change unseen.
 */
export const SEAL_MARK = '%InspectionSeal1';

const SIGNATURE_CHARACTERS = 86;

/** The line before it is signed, and where in it the signature goes. */
export function unsignedLine(privateKey: string): { line: string; signatureAt: number } {
  const start = `${SEAL_MARK} ${publicKeyOf(privateKey)} `;
  return { line: start + '0'.repeat(SIGNATURE_CHARACTERS), signatureAt: start.length };
}

/** The signature of a file whose SHA-256 (hex, with zeros in the signature's place) is given. */
export function signatureOf(privateKey: string, sha256: string): string {
  return signText(privateKey, `inspection report ${sha256}`);
}

/** Ed25519 over a text, base64url. */
export function signText(privateKey: string, text: string): string {
  return sign(null, Buffer.from(text), keyOf(privateKey)).toString('base64url');
}

/** Raw public key, base64url: 43 characters. */
export function publicKeyOf(privateKey: string): string {
  const { x } = createPublicKey(keyOf(privateKey)).export({ format: 'jwk' });
  return x!;
}

/** SHA-256 of the public key's SPKI, 64 hex digits: short enough to be read out and compared. */
export function keyFingerprint(privateKey: string): string {
  const spki = createPublicKey(keyOf(privateKey)).export({ format: 'der', type: 'spki' });
  return createHash('sha256').update(spki).digest('hex');
}

/** A private key as it is kept: PKCS #8, base64url. */
const keyOf = (privateKey: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(privateKey, 'base64url'), format: 'der', type: 'pkcs8' });
