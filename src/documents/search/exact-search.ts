import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { workerFile } from '../../common/worker-file.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Vector } from '../../flows/models/embeddings/embedding-model.js';
import type { WorkerOrder, WorkerPack } from './exact-worker.js';
import { type CachedDocument, VectorCache } from './vector-cache.js';
import type { NearChunk } from './vector-index.js';

/** Bytes of cached vectors, such as 100,000 vectors of 384 numbers. The whole worker stays below 256 MB. */
const MOST_BYTES = 160 * 1024 * 1024;

/** Idle time after which the worker ends, and its cache with it. */
const IDLE_MS = 10 * 60_000;

/** Heap of the worker, beside its vectors. */
const HEAP_MB = 48;

const DOCUMENTS_AT_ONCE = 64;
const PACKS_AT_ONCE = 4;

interface Page {
  documentId: string;
  first: number;
  vectors: Buffer;
}

/**
 * Compares a vector with every vector of some documents, in a worker that caches the most recently used ones, up to 160 MiB.
 * The others are read from the database for each search. Searches run one at a time.
 */
@Injectable()
export class ExactSearch implements OnApplicationShutdown {
  private readonly cache = new VectorCache(MOST_BYTES);
  private pool: Piscina<WorkerOrder, NearChunk[] | boolean> | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly reader: DatabaseReader) {}

  /** Returns the nearest chunks of these documents, nearest first. Rejects with the signal's reason. */
  nearest(
    documents: readonly CachedDocument[],
    vector: Vector,
    count: number,
    signal: AbortSignal,
  ): Promise<NearChunk[]> {
    const search = this.last.then(() => this.search(documents, vector, count, signal));
    this.last = search.catch(() => undefined);
    return search;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.last;
    await this.pool?.destroy();
  }

  private async search(
    documents: readonly CachedDocument[],
    vector: Vector,
    count: number,
    signal: AbortSignal,
  ): Promise<NearChunk[]> {
    signal.throwIfAborted();
    const { there, fits, others, forgotten } = this.cache.use(documents);
    try {
      await this.order({ order: 'forget', documentIds: forgotten });
      await this.order({ order: 'begin', vector, count });
      if (!(await this.order({ order: 'scan', documentIds: there }))) throw new CacheLost();
      await this.compare(fits, true, signal);
      await this.compare(others, false, signal);
      return (await this.order({ order: 'end' })) as NearChunk[];
    } catch (error) {
      // The worker may have cached only some of it, so the cache starts again.
      const cleared = this.cache.clear();
      await this.order({ order: 'forget', documentIds: cleared });
      if (error instanceof CacheLost) return this.search(documents, vector, count, signal);
      throw error;
    }
  }

  private async compare(documentIds: readonly string[], keep: boolean, signal: AbortSignal): Promise<void> {
    for (let from = 0; from < documentIds.length; from += DOCUMENTS_AT_ONCE) {
      const group = documentIds.slice(from, from + DOCUMENTS_AT_ONCE);
      for await (const page of this.pages(group)) {
        signal.throwIfAborted();
        const packs = page.map(packOf);
        await this.order(
          { order: 'compare', packs, keep },
          packs.map(({ vectors }) => vectors),
        );
      }
    }
  }

  private async *pages(documentIds: readonly string[]): AsyncGenerator<Page[]> {
    const marks = documentIds.map(() => '?').join(', ');
    let [after, first] = ['', -1];
    for (;;) {
      const page = await this.reader.all<Page>(
        `SELECT document_id AS "documentId", first_position AS first, vectors FROM document_vectors
           WHERE document_id IN (${marks}) AND (document_id, first_position) > (?, ?)
           ORDER BY document_id, first_position LIMIT ${PACKS_AT_ONCE}`,
        [...documentIds, after, first],
      );
      if (page.length > 0) yield page;
      if (page.length < PACKS_AT_ONCE) return;
      ({ documentId: after, first } = page.at(-1)!);
    }
  }

  private order(order: WorkerOrder, transferList: ArrayBuffer[] = []): Promise<NearChunk[] | boolean> {
    this.pool ??= new Piscina({
      ...workerFile(import.meta.url, 'exact-worker'),
      ...{ minThreads: 0, maxThreads: 1, idleTimeout: IDLE_MS },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    return this.pool.run(order, { transferList });
  }
}

/** The worker has ended meanwhile, and its cache with it. */
class CacheLost extends Error {}

/** Returns a pack whose bytes can be transferred; copies them if they are a part of a larger buffer. */
function packOf({ documentId, first, vectors }: Page): WorkerPack {
  const { buffer, byteLength } = vectors;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength)
    return { documentId, first, vectors: buffer };
  const bytes = new ArrayBuffer(byteLength);
  vectors.copy(new Uint8Array(bytes));
  return { documentId, first, vectors: bytes };
}
