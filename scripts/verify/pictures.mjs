import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { decoded } from './pdf/decoded.mjs';
import { marksOf } from './pdf/page-marks.mjs';
import { PdfFile } from './pdf/pdf-file.mjs';
import { readable, Stream } from './pdf/values.mjs';

const MOST_PICTURES = 200_000;

/**
 * Returns the pictures that the pages of a file draw, and its list of evidence: `{ pages: [[sha256 …] …], manifest }`.
 * `onPicture` gets the bytes of each picture once.
 */
export const look = (bytes, onPicture) => picturesIn(new PdfFile(bytes), onPicture);

/** Does the same for a parsed file. */
export function picturesIn(file, onPicture = () => undefined) {
  const hashOf = hashesOf(onPicture);
  let count = 0;
  const pages = file.pages.map(({ dict }) => {
    const { pictures } = marksOf(file, dict);
    count += pictures.length;
    if (count > MOST_PICTURES) throw new Error('its pages draw too many pictures');
    return pictures.map(({ stream }) => hashOf(stream));
  });
  return { pages, manifest: manifestIn(file) };
}

/** SHA-256 of a picture's bytes in the file, computed once for each. */
function hashesOf(onPicture) {
  const known = new Map();
  return (stream) => {
    if (!known.has(stream)) {
      const hash = bytesToHex(sha256(stream.bytes));
      known.set(stream, hash);
      onPicture(hash, stream.bytes);
    }
    return known.get(stream);
  };
}

/** Returns the list of evidence in the file; undefined if there is no valid one. */
function manifestIn(file) {
  try {
    const stream = attachment(
      file,
      file.dict(file.dict(file.catalogue.get('Names'))?.get('EmbeddedFiles')),
      0,
    );
    const manifest = JSON.parse(new TextDecoder().decode(decoded(file, stream)));
    return isManifest(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

function attachment(file, node, depth) {
  if (!node || depth > 20) return undefined;
  const names = file.list(node.get('Names'));
  for (let at = 0; at + 1 < names.length; at += 2) {
    if (readable(file.follow(names[at])) !== 'evidence.json') continue;
    const stream = file.follow(file.dict(file.dict(names[at + 1])?.get('EF'))?.get('F'));
    if (stream instanceof Stream) return stream;
  }
  for (const kid of file.list(node.get('Kids'))) {
    const found = attachment(file, file.dict(kid), depth + 1);
    if (found) return found;
  }
  return undefined;
}

const isManifest = (value) =>
  value?.format === 'inspection-evidence/1' &&
  typeof value.report?.id === 'string' &&
  typeof value.report.createdAt === 'string' &&
  Array.isArray(value.photographs) &&
  value.photographs.every(isPhotograph);

const isPhotograph = (value) =>
  Number.isSafeInteger(value?.number) &&
  Number.isSafeInteger(value.page) &&
  typeof value.area === 'string' &&
  typeof value.stamp === 'string' &&
  (value.embedded === null || typeof value.embedded?.sha256 === 'string');
