import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { latin } from '../pdf/parser.mjs';
import { nameIn, readable, Text } from '../pdf/values.mjs';
import { attributeOf, oidOf, parseDer, readSignedData } from './cms.mjs';
import { isSignedBy } from './public-keys.mjs';

const DIGESTS = {
  '2.16.840.1.101.3.4.2.1': sha256,
  '2.16.840.1.101.3.4.2.2': sha384,
  '2.16.840.1.101.3.4.2.3': sha512,
};
const [MESSAGE_DIGEST, TIME_STAMP] = ['1.2.840.113549.1.9.4', '1.2.840.113549.1.9.16.2.14'];

/**
 * Returns the signer: `{ name, fingerprint, fits, whole, claimed, stamped }`. `fits` is true if the signature covers
 * the bytes that it names with the key of its certificate (undefined if that cannot be computed here), `whole` if those
 * are all bytes up to `end`. Does not check the trust in the certificate. Throws for anything but a signature.
 */
export function readSignature(bytes, dict, end) {
  const range = dict.get('ByteRange');
  const contents = dict.get('Contents');
  const places = rangeOf(bytes, range, contents);
  const cms = Uint8Array.from(contents.value, (sign) => sign.charCodeAt(0));
  const signed = readSignedData(cms);
  const covered = places
    ? concatBytes(bytes.subarray(0, places.from), bytes.subarray(places.to, places.end))
    : undefined;
  const stamp = attributeOf(signed.unsigned, TIME_STAMP);
  return {
    name: signed.name,
    fingerprint: bytesToHex(sha256(signed.publicKey)),
    fits: covered === undefined ? false : fits(signed, covered),
    whole: places !== undefined && places.end === end,
    claimed: readable(dict.get('M')),
    isTimeStamp: nameIn(dict.get('SubFilter')) === 'ETSI.RFC3161',
    ...(stamp === undefined ? {} : { stamped: readStamp(stamp, signed.signature) }),
  };
}

/** The gap between the two ranges is the text of the signature, to the byte: nothing else is unsigned. */
function rangeOf(bytes, range, contents) {
  const isRange =
    Array.isArray(range) && range.length === 4 && range.every((one) => Number.isSafeInteger(one) && one >= 0);
  if (!isRange || !(contents instanceof Text) || !contents.hex) return undefined;
  const [start, from, to, length] = range;
  const end = to + length;
  if (start !== 0 || from >= to || end > bytes.length) return undefined;
  const gap = latin(bytes, from, to);
  if (!/^<[0-9A-Fa-f\s]*>$/.test(gap)) return undefined;
  const digits = gap.slice(1, -1).replaceAll(/\s/g, '').toLowerCase();
  const written = bytesToHex(Uint8Array.from(contents.value, (sign) => sign.charCodeAt(0)));
  return digits === written ? { from, to, end } : undefined;
}

/** Undefined for an unknown digest or kind of key. */
function fits({ digestOid, attributes, attributeBytes, content, publicKey, algorithm, signature }, covered) {
  const digest = DIGESTS[digestOid];
  if (!digest) return undefined;
  // A time stamp for a document signs the digest of the bytes, not the bytes.
  const message = content === undefined ? covered : content;
  if (content !== undefined && !isStampOf(content, covered)) return false;
  if (attributes === undefined) return isSignedBy(publicKey, algorithm, signature, message, digest);
  const named = attributeOf(attributes, MESSAGE_DIGEST)?.valueBlock.valueHexView;
  if (!named || bytesToHex(named) !== bytesToHex(digest(message))) return false;
  return isSignedBy(publicKey, algorithm, signature, attributeBytes, digest);
}

/** A time stamp on a signature: its issuer, its time, and its validity. */
function readStamp(token, signature) {
  try {
    const signed = readSignedData(new Uint8Array(token.toBER()));
    const { name } = signed;
    return { name, time: stampTime(signed.content), fits: fits(signed, signature) };
  } catch {
    return { fits: false };
  }
}

function isStampOf(content, stamped) {
  try {
    const [, , imprint] = parseDer(content).valueBlock.value;
    const [algorithm, hash] = imprint.valueBlock.value;
    const digest = DIGESTS[oidOf(algorithm.valueBlock.value[0])];
    return digest !== undefined && bytesToHex(hash.valueBlock.valueHexView) === bytesToHex(digest(stamped));
  } catch {
    return false;
  }
}

const stampTime = (content) => parseDer(content).valueBlock.value[4].toDate().toISOString();
