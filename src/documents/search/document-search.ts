import { Injectable } from '@nestjs/common';
import type { FoundChunkView } from '../../api/documents.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Vector } from '../../flows/models/embeddings/embedding-model.js';
import { openEmbeddingModel } from '../../flows/models/embeddings/http-embedding-model.js';
import { LanguageModels } from '../../flows/models/language-models.js';
import { ModelError } from '../../flows/models/model-error.js';
import type { DocumentStoreEntity } from '../stores/document-store.entity.js';
import { DocumentStores } from '../stores/document-stores.js';
import { embeddingOf } from '../stores/store-settings.js';
import { ExactSearch } from './exact-search.js';
import { IndexUpkeep } from './index-upkeep.js';
import { NearestList } from './nearest-list.js';
import { VectorIndexes } from './sqlite-vec-index.js';
import type { NearChunk, VectorIndex } from './vector-index.js';

/** A found chunk; `score` is the cosine between its vector and the query's. */
export type FoundChunk = FoundChunkView & { storeId: string };

/** Characters of a query; more adds nothing for an embedding model. */
export const MOST_QUERY = 8_000;

/** Chunks that one query may request. */
export const MOST_FOUND = 100;

/** A store of the query does not exist. The message is for the flow's owner. */
class StoreMissing extends Error {
  constructor(id: string) {
    super(`There is no document store "${id}". Create it, or remove it from the node.`);
  }
}

/** The condition for documents that are found: ready, and of the store's generation. */
const READY = `removed = 0 AND state = 'sent' AND generation = ?`;

/** Finds chunks by meaning: in the database or, if that cannot compare vectors, exactly in a worker. */
@Injectable()
export class DocumentSearch {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly stores: DocumentStores,
    private readonly models: LanguageModels,
    private readonly indexes: VectorIndexes,
    private readonly upkeep: IndexUpkeep,
    private readonly exact: ExactSearch,
  ) {}

  /**
   * Returns the nearest `count` chunks of all these stores together, nearest first. Throws `StoreMissing`, `ModelError`, the
   * signal's reason.
   */
  async search(
    storeIds: readonly string[],
    query: string,
    count: number,
    signal: AbortSignal,
  ): Promise<FoundChunk[]> {
    const stores = await this.existing(storeIds);
    // A store without vectors has nothing to find, so its model is not called.
    const filled = stores.filter(({ dimensions }) => dimensions !== null);
    const vectors = new Map<string, Promise<Vector>>();
    const nearest = new NearestList(count);
    for (const store of filled) {
      if (!vectors.has(store.embedding)) vectors.set(store.embedding, this.embedded(store, query, signal));
      const vector = await vectors.get(store.embedding)!;
      for (const chunk of await this.nearestIn(store, vector, count, signal)) nearest.add(chunk);
    }
    return this.withTexts(nearest.list());
  }

  private async existing(storeIds: readonly string[]): Promise<DocumentStoreEntity[]> {
    const ids = [...new Set(storeIds)];
    const found = await Promise.all(ids.map((id) => this.stores.find(id)));
    const missing = found.findIndex((store) => store === undefined);
    if (missing >= 0) throw new StoreMissing(ids[missing]!);
    return found as DocumentStoreEntity[];
  }

  private async embedded(store: DocumentStoreEntity, query: string, signal: AbortSignal): Promise<Vector> {
    const model = await openEmbeddingModel(this.models, embeddingOf(store));
    const [vector] = await model.embed([query], signal);
    if (vector!.length === store.dimensions) return vector!;
    throw new ModelError(
      'unreadable',
      `The model returned a vector of ${vector!.length} numbers; those of the store have ${store.dimensions}. Save the store (PUT) to embed it again with its present model.`,
    );
  }

  private async nearestIn(
    store: DocumentStoreEntity,
    vector: Vector,
    count: number,
    signal: AbortSignal,
  ): Promise<NearChunk[]> {
    const index = await this.indexes.current();
    const found = index && (await this.byIndex(index, store, vector, count));
    if (found) return found;
    const documents = await this.reader.all<{ id: string; generation: number; chunks: number }>(
      `SELECT id, generation, chunks FROM store_documents WHERE store_id = ? AND ${READY} ORDER BY id`,
      [store.id, store.generation],
    );
    const sized = documents.map(({ id, generation, chunks }) => ({
      ...{ id, generation },
      bytes: chunks * vector.byteLength,
    }));
    return this.exact.nearest(sized, vector, count, signal);
  }

  /** Returns undefined if the index cannot answer: it lacks vectors, or too many of those found are of unready documents. */
  private async byIndex(
    index: VectorIndex,
    store: DocumentStoreEntity,
    vector: Vector,
    count: number,
  ): Promise<NearChunk[] | undefined> {
    if (await this.lacksSome(store)) {
      this.upkeep.begin();
      return undefined;
    }
    for (let wanted = count; ; wanted = Math.min(wanted * 8, index.most)) {
      const near = await index.nearest(store.id, vector, wanted);
      const ready = await this.readyAmong(store, near);
      if (ready.length >= count || near.length < wanted) return ready.slice(0, count);
      if (wanted === index.most) return undefined;
    }
  }

  private async lacksSome({ id, generation }: DocumentStoreEntity): Promise<boolean> {
    const lacking = await this.reader.one(
      `SELECT 1 AS lacking FROM document_vectors JOIN store_documents ON store_documents.id = document_id
         WHERE indexed = 0 AND store_id = ? AND ${READY} LIMIT 1`,
      [id, generation],
    );
    return lacking !== undefined;
  }

  private async readyAmong(store: DocumentStoreEntity, near: readonly NearChunk[]): Promise<NearChunk[]> {
    const ids = [...new Set(near.map(({ documentId }) => documentId))];
    if (ids.length === 0) return [];
    const rows = await this.reader.all<{ id: string }>(
      `SELECT id FROM store_documents WHERE id IN (${ids.map(() => '?').join(', ')}) AND store_id = ? AND ${READY}`,
      [...ids, store.id, store.generation],
    );
    const ready = new Set(rows.map(({ id }) => id));
    return near.filter(({ documentId }) => ready.has(documentId));
  }

  /** Adds the texts; leaves out chunks that were deleted meanwhile. */
  private async withTexts(near: readonly NearChunk[]): Promise<FoundChunk[]> {
    if (near.length === 0) return [];
    const rows = await this.reader.all<Omit<FoundChunk, 'score'> & { position: number }>(
      `SELECT document_id AS "documentId", position, text, name, store_id AS "storeId" FROM document_chunks
         JOIN store_documents ON store_documents.id = document_id
         WHERE removed = 0 AND (${near.map(() => '(document_id = ? AND position = ?)').join(' OR ')})`,
      near.flatMap(({ documentId, position }) => [documentId, position]),
    );
    const texts = new Map(rows.map((row) => [`${row.documentId}/${row.position}`, row]));
    return near.flatMap(({ documentId, position, score }) => {
      const row = texts.get(`${documentId}/${position}`);
      return row ? [{ text: row.text, score, documentId, name: row.name, storeId: row.storeId }] : [];
    });
  }
}
