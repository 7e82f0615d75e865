import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { Clock } from '../../common/clock.js';
import { OutboundHttp } from '../../common/outbound/outbound-http.js';
import { FetchFailed } from '../../common/outbound/outbound-response.js';
import { ServiceError } from '../../common/service-error.js';
import { removeUnlessCommitted } from '../../database/away.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { openEmbeddingModel } from '../../flows/models/embeddings/http-embedding-model.js';
import { LanguageModels } from '../../flows/models/language-models.js';
import { BlobStore } from '../../storage/blob-store.js';
import { chunkAt, type ChunkSettings } from '../chunks/chunk-text.js';
import { MOST_DOCUMENT_BYTES, type SourceFile, unextractable } from '../extract/extraction-terms.js';
import { FairExtraction } from '../extract/fair-extraction.js';
import { DocumentStoreEntity } from '../stores/document-store.entity.js';
import type { DocumentEntity } from '../stores/document.entity.js';
import { chunksOf, embeddingOf } from '../stores/store-settings.js';
import { DocumentRows } from './document-rows.js';

/** Chunks in one request to a model, and their characters together. */
const MOST_TEXTS = 64;
const MOST_CHARACTERS = 100_000;

/** Chunks of one document. */
const MOST_CHUNKS = 200_000;

/** Time for which a document is worked on before others have their turn: far shorter than its lease. */
const STRETCH_MS = 60_000;

/** Limit for the whole fetch, redirects included. */
const FETCH_MS = 60_000;
const ACCEPT = 'text/html, application/pdf;q=0.9, text/*;q=0.9, */*;q=0.5';

/** Advances one document: its text, its chunks, their vectors. Each step is durable before the next begins. */
@Injectable()
export class DocumentJob {
  constructor(
    private readonly rows: DocumentRows,
    private readonly reader: DatabaseReader,
    private readonly blobs: BlobStore,
    private readonly http: OutboundHttp,
    private readonly extraction: FairExtraction,
    private readonly models: LanguageModels,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns `more` if the document is to be resumed after others. Throws `FetchRefused`, `FetchFailed`, `SlowLaneTaken`,
   * `Unextractable`, `WrongDimension`, `ModelError`, `LeaseLost`, or the signal's reason.
   */
  async advance(document: DocumentEntity, signal: AbortSignal): Promise<'ready' | 'more' | 'deleted'> {
    const store = await this.reader.repository(DocumentStoreEntity).findOneBy({ id: document.storeId });
    if (document.removed === 1 || !store) return this.purge(document);
    if (document.generation !== store.generation) await this.rows.restart(document, store.generation);
    if (document.textKey === null) await this.extract(document, signal);
    const text = (await this.blobs.read(document.textKey!)).toString('utf8');
    const model = await openEmbeddingModel(this.models, embeddingOf(store));
    const settings = chunksOf(store);
    const began = this.clock.elapsed();
    while (document.nextOffset < text.length) {
      signal.throwIfAborted();
      if (this.clock.elapsed() - began > STRETCH_MS) return 'more';
      const batch = nextBatch(text, document.nextOffset, settings);
      if (document.chunks + batch.texts.length > MOST_CHUNKS)
        throw unextractable(
          'document_too_large',
          `The document has more than ${MOST_CHUNKS} chunks. Use larger chunks, or send it in parts.`,
        );
      const vectors = batch.texts.length > 0 ? await model.embed(batch.texts, signal) : [];
      await this.rows.append(document, { ...batch, vectors });
    }
    if (document.chunks === 0) throw unextractable('document_without_text', 'The document has no text.');
    return 'ready';
  }

  /** Deletes the blobs before the row, so that a retry finds the row. */
  private async purge(document: DocumentEntity): Promise<'deleted'> {
    for (const key of [document.sourceKey, document.textKey]) if (key !== null) await this.blobs.remove(key);
    await this.rows.purge(document);
    return 'deleted';
  }

  private async extract(document: DocumentEntity, signal: AbortSignal): Promise<void> {
    this.extraction.requireLane(document.id);
    const source = await this.readSource(document, signal);
    const { sourceKey } = document;
    const { text, warnings } = await this.extraction.extractText(document.id, source, signal);
    const { key } = await this.blobs.put('documents', Buffer.from(text));
    await this.named(key, this.rows.storeText(document, key, text.length, warnings));
    if (sourceKey !== null) await this.blobs.remove(sourceKey);
  }

  /** Waits for the row to name the blob; removes the blob if it does not. */
  private async named(key: string, row: Promise<void>): Promise<void> {
    try {
      await row;
    } catch (error) {
      await removeUnlessCommitted(error, () => this.blobs.remove(key));
      throw error;
    }
  }

  /** Returns the uploaded file, or the file of the URL, which is stored before it is read. */
  private async readSource(document: DocumentEntity, signal: AbortSignal): Promise<SourceFile> {
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
      await this.named(key, this.rows.storeSource(document, key, mime));
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

/** Returns the next chunks; none for a blank text. */
function nextBatch(
  text: string,
  from: number,
  settings: ChunkSettings,
): { texts: string[]; nextOffset: number } {
  const texts: string[] = [];
  const most = Math.min(text.length, from + MOST_CHARACTERS);
  let nextOffset = from;
  while (nextOffset < most && texts.length < MOST_TEXTS) {
    const chunk = chunkAt(text, nextOffset, settings);
    nextOffset = chunk.next;
    if (chunk.text !== '') texts.push(chunk.text);
  }
  return { texts, nextOffset };
}
