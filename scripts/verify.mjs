/**
 * Checks a sealed report offline: `npm run verify -- report.pdf [public key]`. Needs nothing but Node. Says what the
 * seal proves, or names what was altered; ends with 0 only when everything holds. With a public key (as the service
 * gives it at `/api/v1/pdf/seal`) the seal must be of that key.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';

const SEAL = /%InspectionSeal1 ([A-Za-z0-9_-]{43}) ([A-Za-z0-9_-]{86})\n/g;

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** The seal of the file: its key, and whether its signature is of exactly these bytes. */
function readSeal(file, text) {
  const found = [...text.matchAll(SEAL)];
  if (found.length !== 1) return undefined;
  const [line, key, signature] = found[0];
  const unsigned = Buffer.from(file);
  unsigned.fill('0', found[0].index + line.length - 1 - signature.length, found[0].index + line.length - 1);
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' });
  const signed = Buffer.from(`inspection report ${sha256(unsigned)}`);
  return { key, holds: verify(null, signed, publicKey, Buffer.from(signature, 'base64url')) };
}

/** The streams of the file whose dictionary holds `mark`, as they lie there. */
function* streams(file, text, mark) {
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    const begin = text.indexOf('stream\n', at);
    const dictionary = text.slice(text.lastIndexOf(' obj', at), begin);
    const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1]);
    if (begin < 0 || !Number.isSafeInteger(length) || dictionary.includes('endobj')) continue;
    yield { dictionary, bytes: file.subarray(begin + 7, begin + 7 + length) };
  }
}

function readManifest(file, text) {
  for (const { dictionary, bytes } of streams(file, text, '/Type /EmbeddedFile')) {
    try {
      const content = dictionary.includes('/FlateDecode')
        ? inflateSync(bytes, { maxOutputLength: 1 << 28 })
        : bytes;
      const manifest = JSON.parse(content.toString('utf8'));
      if (manifest.format === 'inspection-evidence/1') return manifest;
    } catch {
      // Not ours, or damaged: then there is no manifest.
    }
  }
  return undefined;
}

/** Every fault of the file, in words. */
export function faultsOf(file, trustedKey) {
  const text = file.toString('latin1');
  const faults = [];
  const seal = readSeal(file, text);
  if (!seal) faults.push('The file has no seal, or more than one: it is not as the service made it.');
  else if (!seal.holds) faults.push('The seal does not fit the file: it was altered after it was sealed.');
  if (seal && trustedKey !== undefined && seal.key !== trustedKey) faults.push('The seal is of another key.');
  const manifest = readManifest(file, text);
  if (!manifest) return { faults: [...faults, 'The list of evidence is missing or damaged.'], seal };
  const pictures = new Set();
  for (const { bytes } of streams(file, text, '/Subtype /Image')) pictures.add(sha256(bytes));
  for (const { number, source, area, stamp, page, embedded } of manifest.photographs) {
    if (embedded && !pictures.has(embedded.sha256)) {
      faults.push(
        `Photograph ${number}${source ? `, ${source.side.toLowerCase()}` : ''}, ${area}, ${stamp} (page ${page}) is not the picture that was recorded.`,
      );
    }
  }
  return { faults, seal, manifest };
}

const [path, trustedKey] = process.argv.slice(2);
if (path === undefined) {
  console.error('Usage: npm run verify -- report.pdf [public key]');
  process.exit(2);
}
const { faults, seal, manifest } = faultsOf(readFileSync(path), trustedKey);
if (manifest)
  console.log(
    `Report ${manifest.report.id}, made ${manifest.report.createdAt}, ${manifest.photographs.length} photographs`,
  );
if (seal) console.log(`Sealed with the key ${seal.key}`);
for (const fault of faults) console.log(`ALTERED: ${fault}`);
if (faults.length === 0) {
  console.log('Unaltered: every byte is as it was sealed, and every picture is the one that was recorded.');
  if (trustedKey === undefined) console.log('Compare the key with the one that the service publishes.');
}
process.exit(faults.length === 0 ? 0 : 1);
