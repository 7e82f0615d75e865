import type { DatabaseReader } from '../../database/database-reader.js';
import type { SqlReader, Tx } from '../../database/tx.js';
import { insertRows } from '../../database/writes/insert-rows.js';
import type { Vector } from '../../flows/models/embeddings/embedding-model.js';
import { type NearChunk, vectorBytes, type VectorIndex, type VectorPack } from './vector-index.js';

const tableOf = (dimensions: number): string => `document_index_${dimensions}`;

const idOf = (documentId: string, position: number): string => `${documentId}/${position}`;

/**
 * `sqlite-vec`: one table for each dimension, made with its first vectors, in which each store is a partition of its own.
 * It compares with every vector of the store, in the database's own thread.
 */
export class SqliteVecIndex implements VectorIndex {
  readonly most = 4_096;

  constructor(private readonly reader: DatabaseReader) {}

  /** Whether the connections of this database have it. */
  static async isThere(reader: SqlReader): Promise<boolean> {
    return reader.one('SELECT vec_version() AS version').then(
      () => true,
      () => false,
    );
  }

  async add(tx: Tx, { storeId, documentId, first, vectors }: VectorPack): Promise<void> {
    const dimensions = vectors[0]!.length;
    const table = tableOf(dimensions);
    await tx.run(
      `CREATE VIRTUAL TABLE IF NOT EXISTS ${table} USING vec0(
         id text primary key, store_id text partition key, vector float[${dimensions}] distance_metric=cosine)`,
    );
    const rows = vectors.map((vector, index) => [
      idOf(documentId, first + index),
      storeId,
      vectorBytes([vector]),
    ]);
    await insertRows(tx, `INSERT INTO ${table} (id, store_id, vector) VALUES`, '', rows);
  }

  async remove(
    tx: Tx,
    { documentId, first, dimensions, count }: Parameters<VectorIndex['remove']>[1],
  ): Promise<void> {
    const sql = `DELETE FROM ${tableOf(dimensions)} WHERE id = ?`;
    for (let position = first; position < first + count; position++)
      await tx.run(sql, [idOf(documentId, position)]);
  }

  async nearest(storeId: string, vector: Vector, count: number): Promise<NearChunk[]> {
    const rows = await this.reader.all<{ id: string; distance: number }>(
      `SELECT id, distance FROM ${tableOf(vector.length)} WHERE vector MATCH ? AND k = ? AND store_id = ?`,
      [vectorBytes([vector]), Math.min(count, this.most), storeId],
    );
    return rows.map(({ id, distance }) => {
      const slash = id.lastIndexOf('/');
      return { documentId: id.slice(0, slash), position: Number(id.slice(slash + 1)), score: 1 - distance };
    });
  }
}
