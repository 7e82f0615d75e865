import type { Response } from 'express';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ByteRange, byteRangeOf } from './byte-range.js';

/** The facts for the headers of a PDF. */
export interface PdfHead {
  filename: string;
  bytes: number;
  sha256: string;
  /** The media type; that of a PDF where absent. */
  type?: string;
  /** For a browser to show, instead of to save. */
  inline?: boolean;
}

/**
 * `attachment`, or `inline`, with the name twice (RFC 6266): in ASCII for old programs, and exactly as it is. No
 * character of the name can end the header or the quotes.
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
 * Sends a PDF, or the one part of it that is asked for, from its stream; 304 to a client that has it. Throws 416 for a
 * part that it does not have. A caller who goes away ends the reading.
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
