import busboy from 'busboy';
import type { Request } from 'express';
import type { Readable } from 'node:stream';
import { PATIENCE_MS, whenStalled } from './body-patience.js';
import { holdBody } from './body-room.js';
import { FormText } from './form-text.js';
import { parseJson, storableText } from './json-text.js';
import { ServiceError } from './service-error.js';

const tooLarge = (limit: number) =>
  new ServiceError(413, 'body_too_large', `The body is larger than ${limit} bytes. Send less at a time.`);

const unsupported = (detail: string) => new ServiceError(415, 'unsupported_media_type', detail);

const mediaType = (request: Request): string =>
  (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();

export const isMultipart = (request: Request): boolean => mediaType(request) === 'multipart/form-data';

/** The caller may hold the body back until it is asked for (`Expect: 100-continue`): refused calls never upload it. */
function ask(request: Request): void {
  if (request.headers.expect?.toLowerCase() === '100-continue') request.res?.writeContinue();
}

function checkLength(request: Request, limit: number): void {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > limit) throw tooLarge(limit);
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw unsupported('Compressed bodies are not taken. Send the body without Content-Encoding.');
  }
}

/** Reads and parses a JSON body of at most `limit` bytes. An absent body is `undefined`; one that stalls is 408. */
export async function readJsonBody(
  request: Request,
  limit: number,
  patienceMs = PATIENCE_MS,
): Promise<unknown> {
  const type = mediaType(request);
  if (type !== '' && type !== 'application/json' && !type.endsWith('+json')) {
    throw unsupported('Send the body as application/json.');
  }
  checkLength(request, limit);
  ask(request);
  const text = (await readBytes(request, limit, patienceMs)).toString('utf8');
  return text.trim() === '' ? undefined : parseJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
}

function readBytes(request: Request, limit: number, patienceMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = (error: Error) => {
      stopLooking();
      request.removeAllListeners('data');
      request.resume();
      chunks.length = 0;
      reject(error);
    };
    const stopLooking = whenStalled(request, refuse, patienceMs);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) return refuse(tooLarge(limit));
      try {
        holdBody(request, chunk.length);
        chunks.push(chunk);
      } catch (error) {
        refuse(error as Error);
      }
    });
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)));
    request.once('error', () => reject(brokenOff()));
    request.once('close', () => {
      if (!request.readableEnded) reject(brokenOff());
    });
  });
}

const brokenOff = () =>
  new ServiceError(400, 'invalid_request', 'The body broke off before its end. Send it again.');

/** One file of a multipart body as it streams in. `truncated()` tells, once it was read, whether it passed the file limit. */
export interface IncomingFile {
  field: string;
  name: string;
  mime: string;
  stream: Readable;
  truncated(): boolean;
}

export interface MultipartLimits {
  /** Bytes of the whole body. */
  bytes: number;
  /** Bytes of one file: a longer one is cut and says so. */
  fileBytes: number;
  /** Bytes of all text fields. */
  fieldBytes: number;
}

/** Text fields (the last of equal names wins) and whatever `onFile` made of each file, in the files' order. */
export interface MultipartBody<File> {
  fields: Map<string, string>;
  files: File[];
}

/**
 * Streams a multipart body: each file goes to `onFile`, which must read its stream to the end. Nothing is kept here but
 * the text fields, for which there must be room (`holdBody`). A body that stalls is 408.
 */
export async function readMultipartBody<File>(
  request: Request,
  limits: MultipartLimits,
  onFile: (file: IncomingFile, index: number) => Promise<File>,
  patienceMs = PATIENCE_MS,
): Promise<MultipartBody<File>> {
  checkLength(request, limits.bytes);
  const parser = openParser(request, limits);
  const fields = new Map<string, string>();
  const files: Promise<File>[] = [];
  const text = new FormText(request);
  return new Promise((resolve, reject) => {
    let size = 0;
    const fail = (error: Error) => {
      stopLooking();
      request.unpipe(parser);
      request.resume();
      parser.destroy();
      reject(error);
    };
    const stopLooking = whenStalled(request, fail, patienceMs);
    const attempt = (step: () => void) => {
      try {
        step();
      } catch (error) {
        fail(error as Error);
      }
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.bytes) return fail(tooLarge(limits.bytes));
      attempt(() => text.pass(chunk.length));
    });
    parser.on('field', (name, value, info) =>
      attempt(() => {
        text.field(value);
        if (info.valueTruncated || text.total > limits.fieldBytes) throw tooLarge(limits.fieldBytes);
        fields.set(storableText(name), storableText(value));
      }),
    );
    parser.on('file', (field, stream, info) => {
      text.file(stream);
      const file = Object.assign(stream, { truncated: false });
      const incoming: IncomingFile = {
        field,
        name: storableText(info.filename ?? ''),
        mime: info.mimeType,
        stream,
        truncated: () => file.truncated,
      };
      // A form that breaks off ends its file with an error, perhaps before anybody reads the file.
      stream.on('error', () => undefined);
      const made = onFile(incoming, files.length);
      made.catch(fail);
      files.push(made);
    });
    for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) {
      parser.on(limit, () => fail(tooLarge(limits.bytes)));
    }
    // More than one may come: destroying the parser reports the unfinished form as well.
    parser.on('error', () =>
      fail(new ServiceError(400, 'invalid_request', 'The multipart body is malformed. Send it again.')),
    );
    parser.once(
      'close',
      () => void Promise.all(files).then((done) => resolve({ fields, files: done }), reject),
    );
    // Complete may be what has arrived and was not read yet: it is read no more.
    request.once('close', () => {
      if (!request.readableEnded) fail(brokenOff());
    });
    ask(request);
    request.pipe(parser);
  });
}

function openParser(request: Request, limits: MultipartLimits): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: {
        fieldSize: limits.fieldBytes,
        fileSize: limits.fileBytes,
        fields: 200,
        files: 2000,
        parts: 2200,
        headerPairs: 50,
      },
    });
  } catch {
    throw unsupported(
      'The multipart body names no usable boundary. Send multipart/form-data with a boundary.',
    );
  }
}
