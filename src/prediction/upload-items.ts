import type { Upload } from '../flows/engine/node-kind.js';

const types: ReadonlySet<string> = new Set(['file', 'url', 'audio', 'file:full', 'file:rag', 'stored-file']);

const LONGEST_URL = 8_192;

/** What is wrong with an item of `uploads`, as a sentence. */
export class BrokenUpload extends Error {}

/**
 * Reads one item of `uploads` (contract section 3): a data URI is decoded strictly, an address is passed on as it is
 * (who fetches it obeys the outbound rules), `file:full` may also carry its text as it is, `stored-file` has nothing but the
 * name under which it was attached. Throws `BrokenUpload`.
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
  if (startsWithIgnoringCase(data, 'data:')) return decoded(data, type, name, mime);
  if (isWebAddress(data))
    return { type: 'url', name, mime: mime ?? 'application/octet-stream', url: checkedUrl(data) };
  if (type === 'file:full') return { type, name, mime: mime || 'text/plain', bytes: Buffer.from(data) };
  throw new BrokenUpload('data must be a data URI (data:<mime>;base64,…) or an https address');
}

/** Its bytes are found by whoever knows the chat. */
function storedUpload(given: Record<string, unknown>, mime = ''): Upload {
  const name = textMember(given, 'name') ?? '';
  if (name === '' || name.length > 1_000)
    throw new BrokenUpload('name must be the name under which the file was attached');
  return { type: 'file', name, mime, stored: name };
}

function decoded(uri: string, type: string | undefined, name: string, mime: string | undefined): Upload {
  const comma = uri.indexOf(',');
  const head = comma < 0 || comma > 300 ? '' : uri.slice(5, comma);
  if (!head.toLowerCase().endsWith(';base64'))
    throw new BrokenUpload('the data URI must have the form data:<mime>;base64,…');
  const bytes = decodeBase64(uri.slice(comma + 1));
  if (bytes === undefined || bytes.length === 0)
    throw new BrokenUpload('the base64 of the data URI is broken');
  const own = head.slice(0, -';base64'.length).split(';')[0]!.trim();
  return {
    type: type === undefined || type === 'url' ? 'file' : (type as Upload['type']),
    name,
    mime: mime || own || 'application/octet-stream',
    bytes,
  };
}

/** Base64 as RFC 4648 writes it; `undefined` when a single character is not. Node's decoder skips what it does not know. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === (text.length / 4) * 3 - padding ? bytes : undefined;
}

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
