import { Busboy } from '@fastify/busboy';
import type { Request } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import { JsonBuffer } from '../json/json-buffer.js';
import { jsonValuesOf, ValueBudget } from '../json/json-limits.js';
import { storableText } from '../json/json-text.js';
import { declaredCharset } from '../texts/charset.js';
import { mediaType } from './body-checks.js';

/** Limits for a body that is read after its call was refused. */
interface LateBodyLimits {
  bytes: number;
  patienceMs: number;
}

/**
 * Returns a reader for the body of a call that is already being answered, or undefined when the body was read before, is
 * absent, too large, or neither JSON nor a form. Start the reader before the answer is sent, because Node then discards an
 * unread body; the answer does not wait for it. The reader resolves to the parsed body or the text fields of the form, or
 * to undefined when the body is broken, turns out too large, or does not arrive in time.
 */
export function lateBody(request: Request, limits: LateBodyLimits): (() => Promise<unknown>) | undefined {
  const { headers } = request;
  const length = Number(headers['content-length'] ?? 0);
  const hasBody = length > 0 || headers['transfer-encoding'] !== undefined;
  const parse = parserOf(request);
  if (!parse || !hasBody || request.readableDidRead || length > limits.bytes) return undefined;
  return async () => {
    const bytes = await readLate(request, limits);
    try {
      return bytes && (await parse(bytes));
    } catch {
      return undefined;
    }
  };
}

function readLate(request: Request, { bytes, patienceMs }: LateBodyLimits): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (body?: Buffer) => {
      clearTimeout(timer);
      request.off('data', take).off('end', whole).off('close', nothing);
      chunks.length = 0;
      resolve(body);
    };
    const nothing = () => end();
    const whole = () => end(Buffer.concat(chunks, size));
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > bytes) nothing();
      else chunks.push(chunk);
    };
    const timer = setTimeout(nothing, patienceMs).unref();
    request.on('data', take).once('end', whole).once('close', nothing);
    // Starts reading in this turn of the event loop: in the next, Node would discard the unread body.
    request.read();
  });
}

type Parser = (bytes: Buffer) => unknown;

function parserOf(request: Request): Parser | undefined {
  const { headers } = request;
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity') return undefined;
  const type = mediaType(request);
  if (type === 'multipart/form-data') return (bytes) => formFields(headers, bytes);
  if (type === '' || type === 'application/json' || type.endsWith('+json'))
    return (bytes) => jsonIn(request, bytes);
  return undefined;
}

/** Parses with the limits of every JSON body. */
function jsonIn(request: Request, bytes: Buffer): Promise<unknown> {
  const charset = declaredCharset(request.headers['content-type']);
  const json = new JsonBuffer(new ValueBudget(jsonValuesOf(request)), { charset, expected: bytes.length });
  json.push(bytes);
  return json.parse();
}

/** Reads the text fields and ignores files. */
function formFields(headers: IncomingHttpHeaders, bytes: Buffer): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>();
    const parser = new Busboy({
      headers: { ...headers, 'content-type': headers['content-type']! },
      limits: { fields: 200, parts: 200 },
    });
    parser.on('field', (name, value) => fields.set(storableText(name), storableText(value)));
    // A file that breaks off emits an error; files are ignored, and so is the error.
    parser.on('file', (_name, stream) => stream.on('error', () => undefined).resume());
    parser.on('error', reject);
    parser.once('finish', () => resolve(Object.fromEntries(fields)));
    parser.end(bytes);
  });
}
