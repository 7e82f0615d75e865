import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { OutboundHttp } from '../../common/outbound/outbound-http.js';
import { FetchFailed } from '../../common/outbound/outbound-response.js';
import { ServiceError } from '../../common/service-error.js';
import { BlobStore } from '../../storage/blob-store.js';
import { MOST_DOCUMENT_BYTES, type SourceFile, unextractable } from '../extract/extraction-terms.js';
import type { DocumentEntity } from '../stores/document.entity.js';
import { DocumentRows } from './document-rows.js';

/** Limit for the whole fetch, redirects included. */
const FETCH_MS = 60_000;
const ACCEPT = 'text/html, application/pdf;q=0.9, text/*;q=0.9, */*;q=0.5';

/** Reads the sources of documents: an uploaded file, or a URL, whose file is stored before it is read. */
@Injectable()
export class DocumentSources {
  constructor(
    private readonly rows: DocumentRows,
    private readonly blobs: BlobStore,
    private readonly http: OutboundHttp,
  ) {}

  /** Throws `FetchRefused`, `FetchFailed`, `LeaseLost`, or the signal's reason. */
  async read(document: DocumentEntity, signal: AbortSignal): Promise<SourceFile> {
    if (document.sourceKey === null && document.url !== null)
      await this.fetch(document, document.url, signal);
    if (document.sourceKey === null)
      throw unextractable('document_unreadable', 'The document has no source. Add it again.');
    const { mime, name } = document;
    return { bytes: await this.blobs.read(document.sourceKey), mime, name };
  }

  private async fetch(document: DocumentEntity, url: string, signal: AbortSignal): Promise<void> {
    // Ends the download if it is not read to its end.
    const over = new AbortController();
    try {
      const answer = await this.http.open({
        ...{ url, headers: { accept: ACCEPT }, maxBytes: MOST_DOCUMENT_BYTES, timeoutMs: FETCH_MS },
        signal: AbortSignal.any([signal, over.signal]),
      });
      if (answer.status >= 300)
        throw new FetchFailed(`The URL answered ${answer.status}. Check it, then add it again.`);
      const mime = (answer.headers['content-type'] ?? '').slice(0, 200);
      const { key } = await this.blobs.put(
        'documents',
        Readable.from(whole(answer.body), { objectMode: false }),
      );
      await this.rows.storeSource(document, key, mime).catch(async (error: unknown) => {
        await this.blobs.remove(key);
        throw error;
      });
    } finally {
      over.abort();
    }
  }
}

async function* whole(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new FetchFailed(`The download broke off, or took longer than ${FETCH_MS / 1000} s.`, error);
  }
}
