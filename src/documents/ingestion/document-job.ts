import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { openEmbeddingModel } from '../../flows/models/embeddings/http-embedding-model.js';
import { LanguageModels } from '../../flows/models/language-models.js';
import { BlobStore } from '../../storage/blob-store.js';
import { chunkAt, type ChunkSettings } from '../chunks/chunk-text.js';
import { unextractable } from '../extract/extracted-text.js';
import { FairExtraction } from '../extract/fair-extraction.js';
import { DocumentStoreEntity } from '../stores/document-store.entity.js';
import type { StoreDocumentEntity } from '../stores/store-document.entity.js';
import { chunksOf, embeddingOf } from '../stores/store-settings.js';
import { DocumentRows } from './document-rows.js';
import { DocumentSources } from './document-sources.js';

/** Chunks that a model is sent at once, and the characters of them all. */
const MOST_TEXTS = 64;
const MOST_CHARACTERS = 100_000;

/** Of one document. */
const MOST_CHUNKS = 200_000;

/** So long a document is worked on at a stretch: far shorter than its lease. */
const STRETCH_MS = 60_000;

/** Brings one document further: its text, its chunks, their vectors, each durable before the next is begun. */
@Injectable()
export class DocumentJob {
  constructor(
    private readonly rows: DocumentRows,
    private readonly reader: DatabaseReader,
    private readonly blobs: BlobStore,
    private readonly sources: DocumentSources,
    private readonly extraction: FairExtraction,
    private readonly models: LanguageModels,
    private readonly clock: Clock,
  ) {}

  /**
   * `more` where it is to be gone on with, so that other documents have their turn. Throws `FetchRefused`, `FetchFailed`,
   * `SlowLaneTaken`, `Unextractable`, `WrongDimension`, `ModelError`, `LeaseLost`, or the signal's reason.
   */
  async advance(document: StoreDocumentEntity, signal: AbortSignal): Promise<'ready' | 'more' | 'deleted'> {
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
          `The document has more than ${MOST_CHUNKS} chunks. Take larger ones, or send it in parts.`,
        );
      const vectors = batch.texts.length > 0 ? await model.embed(batch.texts, signal) : [];
      await this.rows.append(document, { ...batch, vectors });
    }
    if (document.chunks === 0) throw unextractable('document_without_text', 'The document has no text.');
    return 'ready';
  }

  /** The blobs go first: the row is found again by the next try. */
  private async purge(document: StoreDocumentEntity): Promise<'deleted'> {
    for (const key of [document.sourceKey, document.textKey]) if (key !== null) await this.blobs.remove(key);
    await this.rows.purge(document);
    return 'deleted';
  }

  private async extract(document: StoreDocumentEntity, signal: AbortSignal): Promise<void> {
    this.extraction.requireTurn(document.id);
    const source = await this.sources.read(document, signal);
    const { sourceKey } = document;
    const { text, warnings } = await this.extraction.extractText(document.id, source, signal);
    const { key } = await this.blobs.put('documents', Buffer.from(text));
    try {
      await this.rows.keepText(document, key, text.length, warnings);
    } catch (error) {
      await this.blobs.remove(key);
      throw error;
    }
    if (sourceKey !== null) await this.blobs.remove(sourceKey);
  }
}

/** The next chunks; a text of blanks alone gives none. */
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
