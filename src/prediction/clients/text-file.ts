import type { Request } from 'express';
import { holdBody } from '../../common/bodies/body-budget.js';
import type { IncomingFile } from '../../common/bodies/multipart-body.js';
import { ServiceError } from '../../common/service-error.js';
import type { Charset } from '../../common/texts/charset.js';
import { shownName } from '../../common/texts/file-name.js';
import { charsetOfFile } from '../../common/texts/text-encoding.js';
import { isTextFile, isTextType, UNKNOWN_TYPE } from '../../common/texts/text-type.js';

/** Longer than any model reads, and the answer repeats the text. */
const MOST_TEXT_BYTES = 5 * 1024 * 1024;

/** An uploaded text file. */
export interface AttachedText {
  name: string;
  mime: string;
  bytes: Buffer;
  charset: Charset;
  /** Size of its text in JSON. */
  jsonBytes: number;
}

/** Reads an attached text file within the memory budget. Throws 413 once it is too long, 415 if not text, 503. */
export async function readText(request: Request, file: IncomingFile): Promise<AttachedText> {
  const { mime, stream } = file;
  const name = shownName(file.name, 'file');
  if (!isTextType(mime) && mime !== UNKNOWN_TYPE) throw notText(name);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_TEXT_BYTES) throw tooLong(name);
    holdBody(request, chunk.length);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (!isTextFile(mime, bytes)) throw notText(name);
  const charset = charsetOfFile(bytes, file.charset());
  return { name, mime, bytes, charset, jsonBytes: jsonBytesOf(bytes, charset) };
}

/** Bytes of a character in JSON: two for `\n` and its like, six for other control characters (`\u0001`). */
const jsonLengths = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x80 ? JSON.stringify(String.fromCharCode(byte)).length - 2 : 1,
);

/**
 * Returns the length of the text in JSON. It is an upper bound for other charsets than UTF-8: a byte of Windows-1252
 * becomes up to three, and two bytes of UTF-16 up to six.
 */
export function jsonBytesOf(bytes: Buffer, charset: Charset): number {
  if (charset.startsWith('utf-16')) return 3 * bytes.length;
  const high = charset === 'utf-8' ? 1 : 3;
  let length = 0;
  // An iterator takes five times as long.
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    length += byte < 0x80 ? jsonLengths[byte]! : high;
  }
  return length;
}

const tooLong = (name: string): ServiceError =>
  new ServiceError(
    'body_too_large',
    `The text file "${name}" is larger than ${MOST_TEXT_BYTES / 1024 / 1024} MB. Attach it in parts.`,
  );

const notText = (name: string): ServiceError =>
  new ServiceError(
    'unsupported_media_type',
    `The file "${name}" is not text. Attach text files; send pictures as uploads of a message.`,
  );
