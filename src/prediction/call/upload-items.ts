import { isDataUri, mediaTypeOf, readBase64 } from '../../common/texts/base64.js';
import type { Upload } from '../../flows/engine/node-kind.js';

const types: ReadonlySet<string> = new Set(['file', 'url', 'audio', 'file:full', 'file:rag', 'stored-file']);

const LONGEST_URL = 8_192;
const LONGEST_MESSAGE_ID = 256;

/** A fault in an item of `uploads`, as a sentence. */
export class BrokenUpload extends Error {}

/**
 * Reads one item of `uploads` (contract section 3). A data URI is decoded. An address is passed on; fetching it obeys
 * the outbound rules. `file:full` may also carry plain text. `stored-file` has the name under which it was attached and
 * optionally a `messageId`, the deduplication key of a capture. Throws `BrokenUpload`.
 */
export function readUpload(item: unknown, index: number): Upload {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw new BrokenUpload('must be an object with data, type and name');
  const given = item as Record<string, unknown>;
  const data = textMember(given, 'data');
  const type = textMember(given, 'type');
  const mime = textMember(given, 'mime');
  const name = (textMember(given, 'name') ?? '') || `upload-${index}`;
  if (type === 'stored-file') return storedUpload(given, mime);
  if (data === undefined || data === '') throw new BrokenUpload('data is missing');
  if (type !== undefined && !types.has(type))
    throw new BrokenUpload(`type must be one of ${[...types].join(', ')}`);
  if (name.length > 1_000 || (mime?.length ?? 0) > 255) throw new BrokenUpload('name or mime is too long');
  if (type === 'file:full' && isPlainText(data))
    return { type, name, mime: mime || 'text/plain', bytes: Buffer.from(data) };
  if (isDataUri(data)) return decoded(data, type, name, mime);
  if (isWebAddress(data))
    return { type: 'url', name, mime: mime ?? 'application/octet-stream', url: checkedUrl(data) };
  throw new BrokenUpload('data must be a data URI (data:<mime>;base64,…) or an https address');
}

/** Reads an upload whose bytes are loaded later, once the chat is known. */
function storedUpload(given: Record<string, unknown>, mime = ''): Upload {
  const name = textMember(given, 'name') ?? '';
  if (name === '' || name.length > 1_000)
    throw new BrokenUpload('name must be the name under which the file was attached');
  const messageId = textMember(given, 'messageId') ?? '';
  if (messageId.length > LONGEST_MESSAGE_ID)
    throw new BrokenUpload(`messageId must have at most ${LONGEST_MESSAGE_ID} characters`);
  return { type: 'file', name, mime, stored: name, ...(messageId === '' ? {} : { messageId }) };
}

function decoded(uri: string, type: string | undefined, name: string, mime: string | undefined): Upload {
  const read = readBase64(uri);
  if (!('bytes' in read)) throw new BrokenUpload(`data ${read.why}: it must be data:<mime>;base64,…`);
  return {
    type: type === undefined || type === 'url' ? 'file' : (type as Upload['type']),
    name,
    mime: mime || read.mime || 'application/octet-stream',
    bytes: read.bytes,
  };
}

/** Returns whether a text is a document of its own, which may begin with an address or with the word `data:`. */
const isPlainText = (text: string): boolean =>
  isDataUri(text)
    ? mediaTypeOf(text) === undefined && /^\s*data:\s/i.test(text)
    : !isWebAddress(text) || /\s/.test(text.trim());

const startsWithIgnoringCase = (text: string, start: string): boolean =>
  text.slice(0, start.length).toLowerCase() === start;

const isWebAddress = (text: string): boolean =>
  startsWithIgnoringCase(text, 'https://') || startsWithIgnoringCase(text, 'http://');

function checkedUrl(text: string): string {
  if (text.length > LONGEST_URL || !URL.canParse(text)) throw new BrokenUpload('the address is not a URL');
  return text;
}

function textMember(item: Record<string, unknown>, name: string): string | undefined {
  if (!Object.hasOwn(item, name) || item[name] === null) return undefined;
  if (typeof item[name] !== 'string') throw new BrokenUpload(`${name} must be a string`);
  return item[name];
}
