import { Injectable } from '@nestjs/common';
import type { Warning } from '../../common/warnings.js';
import type { Tx } from '../../database/tx.js';
import { insertRows } from '../../database/writes/insert-rows.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import type { Vector } from '../../flows/models/embeddings/embedding-model.js';
import { leaveOver, removeLeftoversOf } from '../search/index-upkeep.js';
import { VectorIndexes } from '../search/sqlite-vec-index.js';
import { type VectorIndex, vectorBytes } from '../search/vector-index.js';
import { DocumentStoreEntity } from '../stores/document-store.entity.js';
import { forgetRemovedStore } from '../stores/document-stores.js';
import { DocumentEntity } from '../stores/document.entity.js';

/** The lease on the document is lost: it expired, or the document was removed or is to be made again. */
export class LeaseLost extends Error {}

/** The model returned vectors of another dimension than the store's. The message is for the store's owner. */
export class WrongDimension extends Error {}

/** Chunks that were embedded together, and the offset after them. */
interface EmbeddedBatch {
  texts: readonly string[];
  vectors: readonly Vector[];
  nextOffset: number;
}

/** The result of one stretch of work on a document. */
export type DocumentEnd = Pick<
  DocumentEntity,
  'state' | 'error' | 'errorCode' | 'attempts' | 'nextAttemptAt'
>;

const PURGED_AT_ONCE = 8;

/** The rows of a document in ingestion. A write takes effect only while its process holds the lease. */
@Injectable()
export class DocumentRows {
  constructor(
    private readonly gate: WriteGate,
    private readonly indexes: VectorIndexes,
  ) {}

  /** Stores the key of the file that was fetched from the document's URL. */
  storeSource(document: DocumentEntity, sourceKey: string, mime: string): Promise<void> {
    return this.advance(document, { sourceKey, mime });
  }

  /** Stores the key of the text in place of that of the source. */
  storeText(
    document: DocumentEntity,
    textKey: string,
    textLength: number,
    warnings: readonly Warning[],
  ): Promise<void> {
    const written = warnings.length > 0 ? JSON.stringify(warnings) : null;
    return this.advance(document, { sourceKey: null, textKey, textLength, warnings: written });
  }

  /** Adds the next chunks. Retries do not add a chunk twice. */
  async append(document: DocumentEntity, { texts, vectors, nextOffset }: EmbeddedBatch): Promise<void> {
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

  /** Deletes the chunks of an earlier generation, bit by bit, and starts again. */
  async restart(document: DocumentEntity, generation: number): Promise<void> {
    const index = await this.indexes.current();
    for (let left = true; left;)
      await this.advance(document, {}, async (tx) => void (left = await purgeSome(tx, document.id, index)));
    await this.advance(document, { generation, nextOffset: 0, chunks: 0 });
  }

  /** Deletes all rows of a removed document, bit by bit, and the row of a removed store with its last document. */
  async purge({ id, storeId }: DocumentEntity): Promise<void> {
    const index = await this.indexes.current();
    while (await this.gate.write((tx) => purgeSome(tx, id, index)));
    await this.gate.write(async (tx) => {
      await tx.run('DELETE FROM store_documents WHERE id = ?', [id]);
      await forgetRemovedStore(tx, storeId);
    });
  }

  /** Releases the document: ready, failed, or to be resumed at `nextAttemptAt`. */
  end(document: DocumentEntity, end: DocumentEnd): Promise<void> {
    return this.advance(document, { ...end, leaseProcess: null, leaseUntil: null });
  }

  /** Writes the changes to the row and to `document`, or throws `LeaseLost` and writes nothing. */
  private async advance(
    document: DocumentEntity,
    changes: Partial<DocumentEntity>,
    more?: (tx: Tx) => Promise<void>,
  ): Promise<void> {
    const { id, leaseProcess, leaseUntil } = document;
    // Both are compared, because this process may have leased the document again for a newer generation.
    const held = { id, leaseProcess: leaseProcess!, leaseUntil: leaseUntil!, state: 'sending' } as const;
    const changed = { attempts: 1, ...changes };
    await this.gate.write(async (tx) => {
      const { affected } = await tx.repository(DocumentEntity).update(held, changed);
      if (affected !== 1) throw new LeaseLost();
      await more?.(tx);
    });
    Object.assign(document, changed);
  }
}

/** Sets the store's dimension with its first vectors, or compares it. Throws `WrongDimension`, `LeaseLost`. */
async function fitStore(
  tx: Tx,
  { storeId: id, generation }: DocumentEntity,
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
    `The model returned vectors of ${dimensions} numbers; those of the store have ${store.dimensions}. Save the store (PUT) to embed it again with its present model.`,
  );
}

interface Pack {
  first: number;
  dimensions: number;
  bytes: number;
  indexed: number;
}

/** Deletes some packs of vectors with their chunks. Returns false if there were none left. */
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
