import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { Request } from 'express';
import type { Readable } from 'node:stream';
import { PATIENCE_MS, whenStalled } from './body-patience.js';
import { storableText } from '../json/json-text.js';
import { ServiceError } from '../service-error.js';
import { brokenOff, checkLength, tooLarge, unsupported } from './body-checks.js';
import { askForBody } from './expect-continue.js';
import { type FormLimits, FormFields } from './form-fields.js';

/** One file of a multipart body as it streams in. `truncated()` tells, once it was read, whether it passed the file limit. */
export interface IncomingFile {
  field: string;
  name: string;
  mime: string;
  stream: Readable;
  truncated(): boolean;
}

export interface MultipartLimits extends FormLimits {
  /** Bytes of the whole body. */
  bytes: number;
  /** Bytes of one file: a longer one is cut and says so. */
  fileBytes: number;
}

/** Fields (the last of equal names wins), those of JSON parsed, and whatever `onFile` made of each file, in their order. */
export interface MultipartBody<File> {
  fields: Map<string, unknown>;
  files: File[];
}

const MOST_FILES = 2000;
const MOST_PARTS = 2200;

/**
 * Streams a multipart body: each file goes to `onFile`, which must read its stream to the end. Nothing is kept here but
 * the fields (`FormFields`). A body that stalls is 408, one that is no form or whose JSON is none 400.
 */
export async function readMultipartBody<File>(
  request: Request,
  limits: MultipartLimits,
  onFile: (file: IncomingFile, index: number) => Promise<File>,
  patienceMs = PATIENCE_MS,
): Promise<MultipartBody<File>> {
  checkLength(request, limits.bytes);
  const parser = openParser(request, limits);
  const fields = new FormFields(request, limits);
  const parts = new FormParts(limits, fields, onFile);
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
      parts.take({ field, stream, filename, mime }, fail),
    );
    parser.on('partsLimit', () => fail(tooLarge(limits.bytes)));
    // May fail twice: destroying the parser reports the unfinished form as well.
    parser.on('error', () => fail(malformed()));
    parser.once('finish', resolve);
    // Fails even if all bytes have arrived: those that are still unread will not be read any more.
    request.once('close', () => {
      if (!request.readableEnded) fail(brokenOff());
    });
    askForBody(request);
    request.pipe(parser);
  });
  return { files: await parts.files(), fields: await fields.parse() };
}

interface Part {
  field: string | undefined;
  stream: BusboyFileStream;
  filename: string | undefined;
  mime: string;
}

/** The parts of one form as they come: fields are kept, files handed on. */
class FormParts<File> {
  private readonly made: Promise<File>[] = [];
  private readonly open = new Set<Readable>();

  constructor(
    private readonly limits: MultipartLimits,
    private readonly fields: FormFields,
    private readonly onFile: (file: IncomingFile, index: number) => Promise<File>,
  ) {}

  take(part: Part, fail: (error: Error) => void): void {
    const { field, stream, filename, mime } = part;
    this.open.add(stream);
    stream.once('close', () => this.open.delete(stream));
    // A form that breaks off ends its file with an error, perhaps before anybody reads the file.
    stream.on('error', () => undefined);
    // A part without a file name is a field, unless its type is that of plain bytes.
    const isField = filename === undefined && mime !== 'application/octet-stream';
    if (isField) return this.fields.take(field, stream, fail);
    if (this.made.length >= MOST_FILES) return fail(tooLarge(this.limits.bytes));
    const file = this.onFile(incomingFile(part), this.made.length);
    file.catch(fail);
    this.made.push(file);
  }

  /** Fails every reader of an unfinished file. */
  breakOff(error: Error): void {
    for (const stream of this.open) stream.destroy(error);
  }

  files(): Promise<File[]> {
    return Promise.all(this.made);
  }
}

const incomingFile = ({ field, stream, filename, mime }: Part): IncomingFile => ({
  field: field ?? '',
  name: storableText(filename ?? ''),
  mime,
  stream,
  truncated: () => stream.truncated,
});

const malformed = () =>
  new ServiceError(400, 'invalid_request', 'The multipart body is malformed. Send it again.');

/** Every part comes as a stream, fields too: one that is JSON is looked at while it arrives. */
function openParser(request: Request, limits: MultipartLimits): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type']! },
      isPartAFile: () => true,
      limits: { fileSize: limits.fileBytes, files: MOST_PARTS, parts: MOST_PARTS, headerPairs: 50 },
    });
  } catch {
    throw unsupported(
      'The multipart body names no usable boundary. Send multipart/form-data with a boundary.',
    );
  }
}
