import { Injectable } from '@nestjs/common';
import type { Warning } from '../../common/warnings.js';
import type { Tx } from '../../database/tx.js';
import { insertRows } from '../../database/writes/insert-rows.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import type { Vector } from '../../flows/models/embeddings/embedding-model.js';
import { leaveOver, removeLeftoversOf } from '../search/index-upkeep.js';
import { type VectorIndex, vectorBytes } from '../search/vector-index.js';
import { VectorIndexes } from '../search/vector-indexes.js';
import { DocumentStoreEntity } from '../stores/document-store.entity.js';
import { forgetRemovedStore } from '../stores/document-stores.js';
import { StoreDocumentEntity } from '../stores/store-document.entity.js';

/** Somebody else has the document by now, or nobody: it was removed, is to be made anew, or the lease ran out. */
export class LeaseLost extends Error {}

/** The model answers vectors of another dimension than the store has. The message is for the store's owner. */
export class WrongDimension extends Error {}

/** Chunks that were embedded together, and where the text goes on. */
export interface EmbeddedBatch {
  texts: readonly string[];
  vectors: readonly Vector[];
  nextOffset: number;
}

/** The result of a stretch of work on a document. */
export type DocumentEnd = Pick<
  StoreDocumentEntity,
  'state' | 'error' | 'errorCode' | 'attempts' | 'nextAttemptAt'
>;

const PURGED_AT_ONCE = 8;

/** The rows of a document that is made ready: each write holds only while its process has the lease. */
@Injectable()
export class DocumentRows {
  constructor(
    private readonly gate: WriteGate,
    private readonly indexes: VectorIndexes,
  ) {}

  /** Keeps the answer of an address. */
  keepSource(document: StoreDocumentEntity, sourceKey: string, mime: string): Promise<void> {
    return this.advance(document, { sourceKey, mime });
  }

  /** Keeps the text in the place of the source. */
  keepText(
    document: StoreDocumentEntity,
    textKey: string,
    textLength: number,
    warnings: readonly Warning[],
  ): Promise<void> {
    const told = warnings.length > 0 ? JSON.stringify(warnings) : null;
    return this.advance(document, { sourceKey: null, textKey, textLength, warnings: told });
  }

  /** Adds the chunks that follow those there are: each is there once, however often this is tried. */
  async append(document: StoreDocumentEntity, { texts, vectors, nextOffset }: EmbeddedBatch): Promise<void> {
    const { id, storeId, chunks: first } = document;
    const index = await this.indexes.current();
    await this.advance(document, { nextOffset, chunks: first + texts.length }, async (tx) => {
      if (vectors.length === 0) return;
      const dimensions = vectors[0]!.length;
      await fitStore(tx, document, dimensions);
      const rows = texts.map((text, place) => [id, first + place, text]);
      await insertRows(tx, 'INSERT INTO document_chunks (document_id, position, text) VALUES', '', rows);
      await tx.run(
        `INSERT INTO document_vectors (document_id, first_position, dimensions, indexed, vectors) VALUES (?, ?, ?, ?, ?)`,
        [id, first, dimensions, index ? 1 : 0, vectorBytes(vectors)],
      );
      if (!index) return;
      await removeLeftoversOf(tx, index, id);
      await index.add(tx, { storeId, documentId: id, first, vectors });
    });
  }

  /** Deletes what was made for an earlier generation, bit by bit, and begins anew. */
  async restart(document: StoreDocumentEntity, generation: number): Promise<void> {
    const index = await this.indexes.current();
    for (let left = true; left;)
      await this.advance(document, {}, async (tx) => void (left = await purgeSome(tx, document.id, index)));
    await this.advance(document, { generation, nextOffset: 0, chunks: 0 });
  }

  /** Deletes all rows of a removed document, bit by bit; the last takes a removed store with it. */
  async purge({ id, storeId }: StoreDocumentEntity): Promise<void> {
    const index = await this.indexes.current();
    while (await this.gate.write((tx) => purgeSome(tx, id, index)));
    await this.gate.write(async (tx) => {
      await tx.run('DELETE FROM store_documents WHERE id = ?', [id]);
      await forgetRemovedStore(tx, storeId);
    });
  }

  /** Gives the document back, ready, failed or to be gone on with at `nextAttemptAt`. */
  end(document: StoreDocumentEntity, end: DocumentEnd): Promise<void> {
    return this.advance(document, { ...end, leaseProcess: null, leaseUntil: null });
  }

  /** Throws `LeaseLost`, after which nothing of it is kept; else `document` follows the row. */
  private async advance(
    document: StoreDocumentEntity,
    changes: Partial<StoreDocumentEntity>,
    more?: (tx: Tx) => Promise<void>,
  ): Promise<void> {
    const { id, leaseProcess, leaseUntil } = document;
    // By both: this process may have leased it again, for the document as it is meant to be now.
    const held = { id, leaseProcess: leaseProcess!, leaseUntil: leaseUntil!, state: 'sending' } as const;
    const changed = { attempts: 1, ...changes };
    await this.gate.write(async (tx) => {
      const { affected } = await tx.repository(StoreDocumentEntity).update(held, changed);
      if (affected !== 1) throw new LeaseLost();
      await more?.(tx);
    });
    Object.assign(document, changed);
  }
}

/** The first vectors of a store decide its dimension. Throws `WrongDimension`, `LeaseLost`. */
async function fitStore(
  tx: Tx,
  { storeId: id, generation }: StoreDocumentEntity,
  dimensions: number,
): Promise<void> {
  const fits = await tx.run(
    `UPDATE document_stores SET dimensions = ? WHERE id = ? AND generation = ? AND removed = 0
       AND (dimensions IS NULL OR dimensions = ?)`,
    [dimensions, id, generation, dimensions],
  );
  if (fits === 1) return;
  const store = await tx.repository(DocumentStoreEntity).findOneBy({ id, generation, removed: 0 });
  if (!store) throw new LeaseLost();
  throw new WrongDimension(
    `The model answered vectors of ${dimensions} numbers; those of the store have ${store.dimensions}. Embed the store anew (PUT) with the model that it has now.`,
  );
}

interface Pack {
  first: number;
  dimensions: number;
  bytes: number;
  indexed: number;
}

/** False where there was nothing left. */
async function purgeSome(tx: Tx, documentId: string, index: VectorIndex | undefined): Promise<boolean> {
  const packs = await tx.all<Pack>(
    `SELECT first_position AS first, dimensions, length(vectors) AS bytes, indexed FROM document_vectors
       WHERE document_id = ? ORDER BY first_position LIMIT ${PURGED_AT_ONCE}`,
    [documentId],
  );
  for (const { first, dimensions, bytes, indexed } of packs) {
    const count = bytes / 4 / dimensions;
    if (indexed === 1 && index) await index.remove(tx, { documentId, first, dimensions, count });
    else if (indexed === 1) await leaveOver(tx, { documentId, firstPosition: first, dimensions, count });
    await tx.run('DELETE FROM document_chunks WHERE document_id = ? AND position >= ? AND position < ?', [
      documentId,
      first,
      first + count,
    ]);
    await tx.run('DELETE FROM document_vectors WHERE document_id = ? AND first_position = ?', [
      documentId,
      first,
    ]);
  }
  return packs.length > 0;
}
