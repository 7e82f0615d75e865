import { PDF } from '@libpdf/core';
import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { drawnNames } from './drawn-names.mjs';

const MOST_CONTENT_BYTES = 64 * 1024 * 1024;
/** Forms within forms. */
const DEEPEST = 5;

/**
 * Which pictures the pages of a file draw, and its list of evidence: `{ pages: [[sha256 …] …], manifest }`. It follows
 * the file as a reader of PDF does, from the pages: a picture that only lies in the file is none. `onPicture` is given the
 * bytes of each picture once.
 */
export async function look(bytes, onPicture = () => undefined) {
  const pdf = await PDF.load(bytes);
  const follow = (value) => (value?.type === 'ref' ? pdf.getObject(value) : value);
  const hashes = hashesOf(onPicture);
  const pages = pdf
    .getPages()
    .map(({ dict }) => [
      ...picturesOf(
        { follow, hashes },
        inherited(follow, dict, 'Resources'),
        contentOf(follow, dict.get('Contents')),
        0,
      ),
    ]);
  return { pages, manifest: manifestIn(pdf) };
}

/** SHA-256 of a picture's bytes as they lie in the file, computed once for each. */
function hashesOf(onPicture) {
  const known = new Map();
  return (stream) => {
    if (!known.has(stream)) {
      const hash = createHash('sha256').update(stream.data).digest('hex');
      known.set(stream, hash);
      onPicture(hash, stream.data);
    }
    return known.get(stream);
  };
}

/** What a page does not say itself, the nodes of the tree above it say. */
function inherited(follow, dict, name) {
  for (let node = dict, depth = 0; node && depth < 64; node = follow(node.get('Parent')), depth++) {
    const value = follow(node.get(name));
    if (value) return value;
  }
  return undefined;
}

function* picturesOf(file, resources, content, depth) {
  const { follow, hashes } = file;
  const objects = follow(resources?.get?.('XObject'));
  for (const name of content === undefined || !objects ? [] : drawnNames(content)) {
    const stream = follow(objects.get(name));
    if (stream?.type !== 'stream') continue;
    if (follow(stream.get('Subtype'))?.value === 'Image') {
      yield hashes(stream);
    } else if (depth < DEEPEST) {
      yield* picturesOf(
        file,
        follow(stream.get('Resources')) ?? resources,
        textOf(follow, stream),
        depth + 1,
      );
    }
  }
}

/** The content of a page, which may lie in several streams. */
function contentOf(follow, entry) {
  const value = follow(entry);
  const parts = value?.type === 'array' ? [...value].map(follow) : [value];
  return parts.map((part) => (part?.type === 'stream' ? textOf(follow, part) : '')).join('\n');
}

function textOf(follow, stream) {
  const filter = follow(stream.get('Filter'));
  const names = (filter?.type === 'array' ? [...filter].map(follow) : [filter]).map((one) => one?.value);
  const plain = names.length === 1 && names[0] === undefined;
  const flat = names.length === 1 && names[0] === 'FlateDecode';
  const bytes = plain
    ? stream.data
    : flat
      ? inflateSync(stream.data, { maxOutputLength: MOST_CONTENT_BYTES })
      : stream.getDecodedData();
  return Buffer.from(bytes).toString('latin1');
}

/** The list of evidence that lies in the file; undefined where there is none, or it is none. */
function manifestIn(pdf) {
  try {
    const manifest = JSON.parse(Buffer.from(pdf.getAttachment('evidence.json')).toString('utf8'));
    return isManifest(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
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
