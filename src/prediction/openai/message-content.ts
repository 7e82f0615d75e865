import type { Fault } from '../../common/service-error.js';
import { isDataUri } from '../../common/texts/base64.js';
import { isJsonObject } from '../../flows/engine/json.js';

/** A file of a message as an item of `uploads`; `path` is its place in the caller's body. */
export interface SentFile {
  item: { type: string; name: string; mime?: string; data: string };
  path: string;
}

/** The texts of a message, joined by line breaks, and its files. */
export interface MessageContent {
  text: string;
  files: SentFile[];
}

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members => (isJsonObject(value) ? value : {});

/** Reads a part of a message that is a file, by its `type`. */
type FileReader = (part: Members, index: number) => { item: SentFile['item']; at: string } | string;

/** Readers of files by type: chat completions and responses name the same parts differently. */
const files: Readonly<Record<string, FileReader>> = {
  image_url: ({ image_url: image }, index) =>
    picture(isJsonObject(image) ? image['url'] : image, 'image_url.url', index),
  input_image: ({ image_url: image }, index) => picture(image, 'image_url', index),
  input_audio: ({ input_audio: audio }, index) => recording(membersOf(audio), index),
  file: ({ file }, index) => document(membersOf(file), 'file.file_data', index),
  input_file: (part, index) => document(part, 'file_data', index),
};

/** Members that hold the text of a part, by type. */
const texts: Readonly<Record<string, string>> = {
  text: 'text',
  input_text: 'text',
  output_text: 'text',
  refusal: 'refusal',
};

/** Reads `content`: a text, a list of texts and files, or nothing. Adds anything else to `faults`. */
export function readContent(content: unknown, path: string, faults: Fault[]): MessageContent {
  if (typeof content === 'string') return { text: content, files: [] };
  if (content === undefined || content === null) return { text: '', files: [] };
  if (Array.isArray(content)) return readParts(content, path, faults);
  faults.push({ path, message: 'must be a text or a list of parts' });
  return { text: '', files: [] };
}

function readParts(parts: readonly unknown[], path: string, faults: Fault[]): MessageContent {
  const words: string[] = [];
  const sent: SentFile[] = [];
  for (const [index, given] of parts.entries()) {
    const part = membersOf(given);
    const at = `${path}.${index}`;
    const type = typeof part['type'] === 'string' ? part['type'] : '';
    const member = Object.hasOwn(texts, type) ? texts[type]! : undefined;
    if (member !== undefined) {
      const text = part[member];
      if (typeof text === 'string') words.push(text);
      else faults.push({ path: `${at}.${member}`, message: 'must be a text' });
    } else if (Object.hasOwn(files, type)) {
      const file = files[type]!(part, sent.length);
      if (typeof file === 'string') faults.push({ path: at, message: file });
      else sent.push({ item: file.item, path: `${at}.${file.at}` });
    } else {
      const known = [...Object.keys(texts), ...Object.keys(files)].join(', ');
      faults.push({ path: `${at}.type`, message: `must be one of ${known}` });
    }
  }
  return { text: words.join('\n'), files: sent };
}

function picture(data: unknown, at: string, index: number): ReturnType<FileReader> {
  if (typeof data !== 'string')
    return 'must have the address or the data URI of a picture; files are not stored';
  const name = `image-${index + 1}`;
  // The kind of a picture at an address is unknown.
  return { item: { type: 'file', name, data, ...(isDataUri(data) ? {} : { mime: 'image/*' }) }, at };
}

function recording({ data, format }: Members, index: number): ReturnType<FileReader> {
  if (typeof data !== 'string' || typeof format !== 'string' || !/^[a-z0-9]{1,10}$/.test(format))
    return 'must have input_audio with data in base64 and its format, such as wav or mp3';
  const mime = `audio/${format === 'mp3' ? 'mpeg' : format}`;
  const name = `audio-${index + 1}.${format}`;
  return { item: { type: 'audio', name, mime, data: asUri(data, mime) }, at: 'input_audio.data' };
}

function document(
  { file_data: data, file_url: url, filename }: Members,
  at: string,
  index: number,
): ReturnType<FileReader> {
  const name = typeof filename === 'string' && filename !== '' ? filename : `file-${index + 1}`;
  if (typeof data === 'string')
    return { item: { type: 'file', name, data: asUri(data, 'application/octet-stream') }, at };
  if (typeof url === 'string')
    return { item: { type: 'file', name, data: url }, at: at.replace('file_data', 'file_url') };
  return 'must have the file itself, as a data URI in file_data; files are not stored';
}

const asUri = (data: string, mime: string): string =>
  isDataUri(data) ? data : `data:${mime};base64,${data}`;
