import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { workerFile } from '../../common/worker-file.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Vector } from '../../flows/models/embeddings/embedding-model.js';
import type { WorkerOrder, WorkerPack } from './exact-worker.js';
import { type CachedDocument, VectorCache } from './vector-cache.js';
import type { NearChunk } from './vector-index.js';

/** Of vectors; with what the thread itself takes, the worker stays below 256 MB. 100,000 vectors of 384 numbers fit. */
const MOST_BYTES = 160 * 1024 * 1024;

/** The worker and what it keeps go when nobody has asked for so long. */
const IDLE_MS = 10 * 60_000;

/** For all that is no vector. */
const HEAP_MB = 48;

const DOCUMENTS_AT_ONCE = 64;
const PACKS_AT_ONCE = 4;

interface Page {
  documentId: string;
  first: number;
  vectors: Buffer;
}

/**
 * Compares a vector with every vector of some documents, in a worker that keeps those that were asked for last, as far as
 * 160 MiB reach; the others are read anew each time. One search at a time.
 */
@Injectable()
export class ExactSearch implements OnApplicationShutdown {
  private readonly kept = new VectorCache(MOST_BYTES);
  private pool: Piscina<WorkerOrder, NearChunk[] | boolean> | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly reader: DatabaseReader) {}

  /** The nearest chunks of these documents, nearest first. Rejects with the signal's reason. */
  nearest(
    documents: readonly CachedDocument[],
    vector: Vector,
    count: number,
    signal: AbortSignal,
  ): Promise<NearChunk[]> {
    const search = this.turn.then(() => this.search(documents, vector, count, signal));
    this.turn = search.catch(() => undefined);
    return search;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.turn;
    await this.pool?.destroy();
  }

  private async search(
    documents: readonly CachedDocument[],
    vector: Vector,
    count: number,
    signal: AbortSignal,
  ): Promise<NearChunk[]> {
    signal.throwIfAborted();
    const { there, fits, others, forgotten } = this.kept.use(documents);
    try {
      await this.order({ order: 'forget', documentIds: forgotten });
      await this.order({ order: 'begin', vector, count });
      if (!(await this.order({ order: 'scan', documentIds: there }))) throw new NotKept();
      await this.compare(fits, true, signal);
      await this.compare(others, false, signal);
      return (await this.order({ order: 'end' })) as NearChunk[];
    } catch (error) {
      // Half of it may be there: the worker begins anew with all of it.
      const kept = this.kept.clear();
      await this.order({ order: 'forget', documentIds: kept });
      if (error instanceof NotKept) return this.search(documents, vector, count, signal);
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

/** The worker was ended meanwhile, and what it kept with it. */
class NotKept extends Error {}

/** With bytes of its own, which can be handed over: those that were read, unless they are a part of others. */
function packOf({ documentId, first, vectors }: Page): WorkerPack {
  const { buffer, byteLength } = vectors;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength)
    return { documentId, first, vectors: buffer };
  const bytes = new ArrayBuffer(byteLength);
  vectors.copy(new Uint8Array(bytes));
  return { documentId, first, vectors: bytes };
}
