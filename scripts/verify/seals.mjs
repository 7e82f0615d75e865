import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { latin } from './pdf/parser.mjs';

const MARK = '%InspectionSeal1 ';
const LINE = /^%InspectionSeal1 ([A-Za-z0-9_-]{43}) ([A-Za-z0-9_-]{86})\n$/;
const LINE_BYTES = MARK.length + 43 + 1 + 86 + 1;
const SIGNATURE_BYTES = 86;
const LAST_LINE = '%%EOF\n';

/** Seals of one file that are tried: each takes a hash of the whole file. */
const MOST_SEALS = 8;
/** Places at which a sealed file may end. */
const MOST_ENDS = 1000;

/** The bytes that precede the 32 bytes of a raw Ed25519 key in SPKI. */
const SPKI_HEAD = hexToBytes('302a300506032b6570032100');

/**
 * Returns the SHA-256 of the SPKI of a raw Ed25519 key (43 characters of base64url): 64 lower-case hex digits;
 * undefined for anything else.
 */
export function fingerprintOf(raw) {
  if (!/^[A-Za-z0-9_-]{43}$/.test(raw)) return undefined;
  return bytesToHex(sha256(concatBytes(SPKI_HEAD, fromBase64url(raw))));
}

/**
 * Returns the seals in a file: the fingerprint of the key that each names, and the end of the bytes that it covers
 * (`end`; undefined if it fits none). Those of trusted keys come first, so that no number of others hides one.
 */
export function sealsOf(file, isTrusted) {
  const ends = placesOf(file, LAST_LINE, MOST_ENDS).map((at) => at + LAST_LINE.length);
  const found = sealLines(file).map((line) => ({ ...line, trusted: isTrusted(line.fingerprint) }));
  const tried = [...found.filter(({ trusted }) => trusted), ...found.filter(({ trusted }) => !trusted)];
  return tried.slice(0, MOST_SEALS).map((line) => {
    const { fingerprint, trusted } = line;
    return { fingerprint, trusted, end: sealedEnd(file, line, ends) };
  });
}

/** Returns the end of the sealed bytes: the hash covers all of them, with zeros in place of the signature. */
function sealedEnd(file, { key, signature, signatureAt }, ends) {
  const after = signatureAt + SIGNATURE_BYTES;
  const hash = sha256
    .create()
    .update(file.subarray(0, signatureAt))
    .update(utf8ToBytes('0'.repeat(SIGNATURE_BYTES)));
  let at = after;
  for (const end of ends) {
    if (end <= after) continue;
    hash.update(file.subarray(at, end));
    at = end;
    const signed = utf8ToBytes(`inspection report ${bytesToHex(hash.clone().digest())}`);
    if (isSignature(signature, signed, key)) return end;
  }
  return undefined;
}

function isSignature(signature, signed, key) {
  try {
    return ed25519.verify(fromBase64url(signature), signed, fromBase64url(key), { zip215: false });
  } catch {
    return false;
  }
}

function sealLines(file) {
  const lines = [];
  for (const at of placesOf(file, MARK, 100_000)) {
    const [, key, signature] = LINE.exec(latin(file, at, Math.min(at + LINE_BYTES, file.length))) ?? [];
    if (key === undefined) continue;
    const signatureAt = at + MARK.length + 43 + 1;
    lines.push({ fingerprint: fingerprintOf(key), key, signature, signatureAt });
  }
  return lines;
}

/**
 * Finds a text in bytes, each place once, up to a limit. It compares the last character first, and after a mismatch
 * skips by that character's distance from the end of the text (Horspool): no bytes make this slow.
 */
function placesOf(bytes, text, most) {
  const wanted = utf8ToBytes(text);
  const last = wanted.length - 1;
  const passed = new Uint8Array(256).fill(wanted.length);
  for (let place = 0; place < last; place++) passed[wanted[place]] = last - place;
  const places = [];
  for (let at = 0; at + last < bytes.length; at += passed[bytes[at + last]]) {
    let place = last;
    while (place >= 0 && bytes[at + place] === wanted[place]) place--;
    if (place < 0 && places.push(at) >= most) break;
  }
  return places;
}

const fromBase64url = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));
