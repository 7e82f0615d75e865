import type { Request } from 'express';
import { ServiceError } from '../../common/service-error.js';

/** First and last byte, both counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The part of a file that a GET asks for (RFC 9110 section 14): one range of bytes, unless `If-Range` names another
 * version than `etag`. Undefined where the whole is to be sent: also for several ranges and for what is no range, which a
 * server may ignore. Throws 416 `range_not_satisfiable` for a part that the file does not have.
 */
export function byteRangeOf(request: Request, bytes: number, etag: string): ByteRange | undefined {
  const ifRange = request.headers['if-range'];
  if (request.method !== 'GET' || (ifRange !== undefined && ifRange !== etag)) return undefined;
  const [, first, last] = SINGLE.exec(request.headers.range ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  // Without a first byte it is the last so many, of a shorter file all.
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (start > end) throw notSatisfiable(bytes);
  return { start, end };
}

const SINGLE = /^bytes=[ \t]*([0-9]*)-([0-9]*)[ \t]*$/i;

const notSatisfiable = (bytes: number): ServiceError =>
  new ServiceError(
    'range_not_satisfiable',
    `The file has ${bytes} bytes. Ask for a range that begins within them, or for the whole file.`,
    { headers: { 'Content-Range': `bytes */${bytes}` } },
  );
