import type { Response } from 'express';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';

/** What is said of a PDF before its bytes. */
export interface PdfHead {
  filename: string;
  bytes: number;
  sha256: string;
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

/** Sends a PDF from its stream; a caller who goes away ends the reading. */
export async function sendPdf(response: Response, head: PdfHead, open: () => Readable): Promise<void> {
  response.status(200);
  response.setHeader('Content-Type', 'application/pdf');
  response.setHeader('Content-Length', String(head.bytes));
  response.setHeader(
    'Content-Disposition',
    contentDisposition(head.filename, head.inline ? 'inline' : 'attachment'),
  );
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', 'private, no-store');
  response.setHeader('ETag', `"${head.sha256}"`);
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    await pipeline(open(), response);
  } catch (error) {
    if (!response.destroyed && !response.headersSent) throw error;
    response.destroy();
  }
}
