import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { Request } from 'express';
import { type EventEmitter, once } from 'node:events';
import type { Readable } from 'node:stream';
import { storableText } from '../json/json-text.js';
import { ServiceError } from '../service-error.js';
import { type Charset, declaredCharset } from '../texts/charset.js';
import { utf8OfHeader } from '../texts/text-encoding.js';
import { brokenOff, checkLength, tooLarge, tooManyParts, unsupported } from './body-checks.js';
import { PATIENCE_MS, whenStalled } from './body-patience.js';
import { askForBody } from './expect-continue.js';
import { type FieldPart, type FormLimits, FormFields } from './form-fields.js';

/** One file of a multipart body as it streams in. After it was read, `truncated()` tells whether it exceeded the limit. */
export interface IncomingFile {
  field: string;
  name: string;
  mime: string;
  /** The charset that the part declares, read on demand. Throws 415 for an unsupported one. */
  charset(): Charset | undefined;
  stream: Readable;
  truncated(): boolean;
}

export interface MultipartLimits extends FormLimits {
  /** Bytes of the whole body. */
  bytes: number;
  /** Bytes of one file; a longer one is truncated. */
  fileBytes: number;
}

/** The fields, JSON ones parsed (the last of equal names wins), and the results of `onFile` in the order of the parts. */
interface MultipartBody<File> {
  fields: Map<string, unknown>;
  files: File[];
}

/** Types of parts that are no text, whatever the parts are called. */
const BYTES_TYPE = /^(application\/octet-stream$|image\/)/i;

const MOST_FILES = 2000;
const MOST_PARTS = 2200;

/**
 * Streams a multipart body. Each part with a file name goes to `onFile`, which must read its stream to the end. A part
 * with an empty file name and no bytes is a file input without a choice, and is ignored. Only fields are held in memory
 * (`FormFields`). Throws 408 for a body that stalls, and 400 for one that is not a form or has broken JSON.
 */
export async function readMultipartBody<File>(
  request: Request,
  limits: MultipartLimits,
  onFile: (file: IncomingFile) => Promise<File>,
  patienceMs = PATIENCE_MS,
): Promise<MultipartBody<File>> {
  checkLength(request, limits.bytes);
  const fields = new FormFields(request, limits);
  const { parser, contentType } = openParser(request, limits);
  const parts = new FormParts(fields, onFile);
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error) => {
      stopLooking();
      request.unpipe(parser);
      request.resume();
      reject(error);
      parts.breakOff(error);
      parser.destroy();
    };
    const stopLooking = whenStalled(request, fail, patienceMs);
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.bytes) fail(tooLarge(limits.bytes));
    });
    parser.on('file', (field, stream, filename: string | undefined, _, mime) =>
      parts.take({ field, stream, filename, mime, contentType: contentType() }, fail),
    );
    parser.on('partsLimit', () => fail(tooManyParts(MOST_PARTS, 'parts')));
    // May fail twice: destroying the parser reports the unfinished form as well.
    parser.on('error', () => fail(malformed()));
    parser.once('finish', resolve);
    // Fails even if all bytes have arrived, because unread ones are lost.
    request.once('close', () => {
      if (!request.readableEnded) fail(brokenOff());
    });
    askForBody(request);
    request.pipe(parser);
  });
  return { files: await parts.files(), fields: await fields.parse() };
}

interface Part extends FieldPart {
  stream: BusboyFileStream;
  filename: string | undefined;
  mime: string;
}

/** The parts of one form as they arrive: fields are stored, files go to `onFile`. */
class FormParts<File> {
  private readonly made: Promise<File | undefined>[] = [];
  private readonly open = new Set<Readable>();

  constructor(
    private readonly fields: FormFields,
    private readonly onFile: (file: IncomingFile) => Promise<File>,
  ) {}

  take(part: Part, fail: (error: Error) => void): void {
    const { stream, filename, mime } = part;
    this.open.add(stream);
    stream.once('close', () => this.open.delete(stream));
    // A form that breaks off ends its file with an error, perhaps before anybody reads the file.
    stream.on('error', () => undefined);
    // A part without a file name is a field, unless its type is that of bytes: some HTTP libraries name no files.
    const isField = filename === undefined && !BYTES_TYPE.test(mime);
    if (isField) return this.fields.take(part, fail);
    if (this.made.length >= MOST_FILES) return fail(tooManyParts(MOST_FILES, 'files'));
    const file = this.fileOf(part);
    file.catch(fail);
    this.made.push(file);
  }

  /** Fails every reader of an unfinished file. */
  breakOff(error: Error): void {
    for (const stream of this.open) stream.destroy(error);
  }

  async files(): Promise<File[]> {
    return (await Promise.all(this.made)).filter((file) => file !== undefined);
  }

  private async fileOf(part: Part): Promise<File | undefined> {
    if (!part.filename && !(await hasBytes(part.stream))) return undefined;
    return this.onFile(incomingFile(part));
  }
}

/** Returns whether a stream has a byte. An empty stream is read to its end; another one stays unread. */
async function hasBytes(stream: Readable): Promise<boolean> {
  await once(stream, 'readable');
  if (stream.readableLength > 0) return true;
  stream.resume();
  return false;
}

const incomingFile = ({ field, stream, filename, mime, contentType }: Part): IncomingFile => ({
  field: field ?? '',
  name: storableText(filename ?? ''),
  mime,
  charset: () => declaredCharset(contentType),
  stream,
  truncated: () => stream.truncated,
});

const malformed = () =>
  new ServiceError('invalid_request', 'The multipart body is malformed. Send it again.');

interface FormParser {
  parser: BusboyInstance;
  /** The `Content-Type` of the part that has just begun, with its parameters. */
  contentType: () => string | undefined;
}

/** Makes every part a stream, fields too, so that JSON is scanned while it arrives. */
function openParser(request: Request, limits: MultipartLimits): FormParser {
  try {
    const parser = new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type']! },
      isPartAFile: () => true,
      limits: { fileSize: limits.fileBytes, files: MOST_PARTS, parts: MOST_PARTS, headerPairs: 50 },
    });
    return { parser, contentType: followHeaders(parser) };
  } catch {
    throw unsupported(
      'The multipart body names no usable boundary. Send multipart/form-data with a boundary.',
    );
  }
}

type PartHeader = Record<string, string[] | undefined>;

/**
 * Adjusts each part's header before busboy reads it: busboy reports types without their parameters, reads names as UTF-8
 * alone, and drops a part whose disposition is `attachment` or `file`. Returns a reader of the latest `Content-Type`.
 */
function followHeaders(parser: BusboyInstance): () => string | undefined {
  let contentType: string | undefined;
  const { parser: parts } = (parser as unknown as { _parser: { parser: EventEmitter } })._parser;
  parts.prependListener('part', (part: EventEmitter) =>
    part.prependListener('header', (header: PartHeader) => {
      contentType = header['content-type']?.[0];
      const [disposition] = header['content-disposition'] ?? [];
      if (disposition !== undefined)
        header['content-disposition'] = [utf8OfHeader(disposition).replace(/^[^;]*/, 'form-data')];
    }),
  );
  return () => contentType;
}
