import { ed25519 } from '@noble/curves/ed25519.js';
import { p256, p384, p521 } from '@noble/curves/nist.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { oidOf, parseDer } from './cms.mjs';

const [RSA, RSA_PSS, EC, ED25519] = [
  '1.2.840.113549.1.1.1',
  '1.2.840.113549.1.1.10',
  '1.2.840.10045.2.1',
  '1.3.101.112',
];
const CURVES = { '1.2.840.10045.3.1.7': p256, '1.3.132.0.34': p384, '1.3.132.0.35': p521 };

/** The bytes before the hash in an RSA signature: the name of the hash in DER (RFC 8017, 9.2). */
const HASH_HEADS = {
  32: '3031300d060960864801650304020105000420',
  48: '3041300d060960864801650304020205000430',
  64: '3051300d060960864801650304020305000440',
};
const MOST_BITS = 8192;

/** Returns true if a signature over a message is by the key of an SPKI (DER); undefined for unknown kinds of keys. */
export function isSignedBy(spki, algorithm, signature, message, digest) {
  try {
    const [kind, key] = parseDer(spki).valueBlock.value;
    const [oid, curve] = kind.valueBlock.value;
    const point = new Uint8Array(key.valueBlock.valueHexView);
    if (oidOf(oid) === RSA)
      return algorithm === RSA_PSS ? undefined : isRsa(point, signature, digest(message));
    if (oidOf(oid) === ED25519) return ed25519.verify(signature, message, point, { zip215: false });
    const ec = oidOf(oid) === EC ? CURVES[oidOf(curve)] : undefined;
    return ec?.verify(signature, digest(message), point, { format: 'der', prehash: false, lowS: false });
  } catch {
    return false;
  }
}

/** PKCS #1, version 1.5: the only valid padding is compared whole. */
function isRsa(key, signature, hash) {
  const [modulus, exponent] = parseDer(key).valueBlock.value.map((one) =>
    BigInt(`0x${bytesToHex(one.valueBlock.valueHexView)}`),
  );
  const bytes = Math.ceil(modulus.toString(2).length / 8);
  if (bytes * 8 > MOST_BITS || exponent < 3n || exponent > 0xffffffffn || signature.length !== bytes)
    return false;
  const value = BigInt(`0x${bytesToHex(signature)}`);
  if (value >= modulus) return false;
  const encoded = HASH_HEADS[hash.length] + bytesToHex(hash);
  const expected = `0001${'ff'.repeat(bytes - encoded.length / 2 - 3)}00${encoded}`;
  const found = power(value, exponent, modulus)
    .toString(16)
    .padStart(bytes * 2, '0');
  return found === expected;
}

function power(base, exponent, modulus) {
  let result = 1n;
  for (
    let square = base % modulus, left = exponent;
    left > 0n;
    left >>= 1n, square = (square * square) % modulus
  ) {
    if (left & 1n) result = (result * square) % modulus;
  }
  return result;
}
