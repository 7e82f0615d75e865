import type { Request, Response } from 'express';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../../common/service-error.js';

/** The values for the headers of a file. */
export interface PdfHead {
  filename: string;
  bytes: number;
  sha256: string;
  /** The media type; that of a PDF when absent. */
  type?: string;
  /** Lets a browser show the file instead of saving it. */
  inline?: boolean;
}

/**
 * Returns `attachment` or `inline` with the name twice (RFC 6266): in ASCII for old programs, and exactly. No character of
 * the name can end the header or the quotes.
 */
export function contentDisposition(filename: string, manner: 'attachment' | 'inline' = 'attachment'): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  const exact = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${manner}; filename="${plain}"; filename*=UTF-8''${exact}`;
}

/**
 * Sends a PDF or the requested range of it from its stream; 304 to a client that has it. Throws 416 for a range that it does
 * not have. Stops reading when the caller hangs up.
 */
export async function sendPdf(
  response: Response,
  head: PdfHead,
  open: (range?: ByteRange) => Readable,
): Promise<void> {
  const { req: request } = response;
  const etag = `"${head.sha256}"`;
  response.status(200);
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'private, no-store');
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  const range = byteRangeOf(request, head.bytes, etag);
  setHead(response, head, range);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    await pipeline(open(range), response);
  } catch (error) {
    if (!response.destroyed && !response.headersSent) throw error;
    response.destroy();
  }
}

function setHead(response: Response, head: PdfHead, range: ByteRange | undefined): void {
  const manner = head.inline ? 'inline' : 'attachment';
  response.setHeader('Content-Type', head.type ?? 'application/pdf');
  response.setHeader('Content-Disposition', contentDisposition(head.filename, manner));
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('Content-Length', String(range ? range.end - range.start + 1 : head.bytes));
  if (!range) return;
  response.status(206);
  response.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${head.bytes}`);
}

/** First and last byte, both counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Returns the requested range of a file (RFC 9110 section 14), unless `If-Range` names another version than `etag`.
 * Undefined if the whole is to be sent, also for several ranges and for malformed ones, which a server may ignore. Throws
 * 416 `range_not_satisfiable` for a range that the file does not have.
 */
function byteRangeOf(request: Request, bytes: number, etag: string): ByteRange | undefined {
  const ifRange = request.headers['if-range'];
  if (request.method !== 'GET' || (ifRange !== undefined && ifRange !== etag)) return undefined;
  const [, first, last] = SINGLE.exec(request.headers.range ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  // Without a first byte, the range is the last so many bytes, or all of a shorter file.
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (start > end) throw notSatisfiable(bytes);
  return { start, end };
}

const SINGLE = /^bytes=[ \t]*([0-9]*)-([0-9]*)[ \t]*$/i;

const notSatisfiable = (bytes: number): ServiceError =>
  new ServiceError(
    'range_not_satisfiable',
    `The file has ${bytes} bytes. Request a range that begins within them, or the whole file.`,
    { headers: { 'Content-Range': `bytes */${bytes}` } },
  );
