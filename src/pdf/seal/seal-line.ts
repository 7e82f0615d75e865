import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/**
 * The seal of a report: one comment line of the PDF with the public key and an Ed25519 signature (base64url) over the
 * SHA-256 of the whole file, computed with zeros in the place of the signature. So any change of a byte is detected.
 */
export const SEAL_MARK = '%InspectionSeal1';

const SIGNATURE_CHARACTERS = 86;

/** Returns the line with zeros for the signature, and the offset of the signature in it. */
export function unsignedLine(privateKey: string): { line: string; signatureAt: number } {
  const start = `${SEAL_MARK} ${publicKeyOf(privateKey)} `;
  return { line: start + '0'.repeat(SIGNATURE_CHARACTERS), signatureAt: start.length };
}

/** Returns the signature of a file; its SHA-256 (hex) is that with zeros in the signature's place. */
export function signatureOf(privateKey: string, sha256: string): string {
  return signText(privateKey, `inspection report ${sha256}`);
}

/** Signs a text by Ed25519; base64url. */
export function signText(privateKey: string, text: string): string {
  return sign(null, Buffer.from(text), keyOf(privateKey)).toString('base64url');
}

/** Returns true if `signText` made the signature with the private key of this public one. Throws for no such key. */
export function isTextSigned(publicKey: string, text: string, signature: string): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
}

/** Returns the raw public key in base64url, 43 characters. */
export function publicKeyOf(privateKey: string): string {
  const { x } = createPublicKey(keyOf(privateKey)).export({ format: 'jwk' });
  return x!;
}

/** Returns the SHA-256 of the public key's SPKI: 64 hex digits, which can be read out and compared. */
export function keyFingerprint(privateKey: string): string {
  const spki = createPublicKey(keyOf(privateKey)).export({ format: 'der', type: 'spki' });
  return createHash('sha256').update(spki).digest('hex');
}

/** Reads a private key in its stored form: PKCS #8, base64url. */
const keyOf = (privateKey: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(privateKey, 'base64url'), format: 'der', type: 'pkcs8' });
