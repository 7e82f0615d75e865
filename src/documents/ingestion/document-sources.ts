import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { OutboundHttp } from '../../common/outbound/outbound-http.js';
import { FetchFailed } from '../../common/outbound/outbound-response.js';
import { ServiceError } from '../../common/service-error.js';
import { BlobStore } from '../../storage/blob-store.js';
import { MOST_DOCUMENT_BYTES, type SourceFile, unextractable } from '../extract/extracted-text.js';
import type { StoreDocumentEntity } from '../stores/store-document.entity.js';
import { DocumentRows } from './document-rows.js';

/** For all of a page or file, redirects included. */
const FETCH_MS = 60_000;
const ACCEPT = 'text/html, application/pdf;q=0.9, text/*;q=0.9, */*;q=0.5';

/** Where documents come from: the file that was sent, or an address, whose answer is kept before it is read. */
@Injectable()
export class DocumentSources {
  constructor(
    private readonly rows: DocumentRows,
    private readonly blobs: BlobStore,
    private readonly http: OutboundHttp,
  ) {}

  /** Throws `FetchRefused`, `FetchFailed`, `LeaseLost`, or the signal's reason. */
  async read(document: StoreDocumentEntity, signal: AbortSignal): Promise<SourceFile> {
    if (document.sourceKey === null && document.url !== null)
      await this.fetch(document, document.url, signal);
    if (document.sourceKey === null)
      throw unextractable('document_unreadable', 'The document has no source. Add it again.');
    const { mime, name } = document;
    return { bytes: await this.blobs.read(document.sourceKey), mime, name };
  }

  private async fetch(document: StoreDocumentEntity, url: string, signal: AbortSignal): Promise<void> {
    // Whatever is not read of the answer ends with it.
    const over = new AbortController();
    try {
      const answer = await this.http.open({
        ...{ url, headers: { accept: ACCEPT }, maxBytes: MOST_DOCUMENT_BYTES, timeoutMs: FETCH_MS },
        signal: AbortSignal.any([signal, over.signal]),
      });
      if (answer.status >= 300)
        throw new FetchFailed(`The address answered ${answer.status}. Check it, and add it again.`);
      const mime = (answer.headers['content-type'] ?? '').slice(0, 200);
      const { key } = await this.blobs.put(
        'documents',
        Readable.from(whole(answer.body), { objectMode: false }),
      );
      await this.rows.keepSource(document, key, mime).catch(async (error: unknown) => {
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
    throw new FetchFailed(
      `The answer of the address broke off, or took longer than ${FETCH_MS / 1000} s.`,
      error,
    );
  }
}
