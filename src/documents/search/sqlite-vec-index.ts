import { Injectable } from '@nestjs/common';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Tx } from '../../database/tx.js';
import { insertRows } from '../../database/writes/insert-rows.js';
import type { Vector } from '../../flows/models/embeddings/embedding-model.js';
import { type NearChunk, vectorBytes, type VectorIndex, type VectorPack } from './vector-index.js';

const tableOf = (dimensions: number): string => `document_index_${dimensions}`;

const idOf = (documentId: string, position: number): string => `${documentId}/${position}`;

/**
 * `sqlite-vec`: one table for each dimension, created with its first vectors, in which each store is a partition. Searches
 * compare with every vector of the store, in the database's own thread.
 */
class SqliteVecIndex implements VectorIndex {
  readonly most = 4_096;

  constructor(private readonly reader: DatabaseReader) {}

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

/** The index of this process's connections, if they have one. Without one, vectors are compared in a worker. */
@Injectable()
export class VectorIndexes {
  private found: Promise<VectorIndex | undefined> | undefined;

  constructor(private readonly reader: DatabaseReader) {}

  current(): Promise<VectorIndex | undefined> {
    return (this.found ??= this.reader.one('SELECT vec_version() AS version').then(
      () => new SqliteVecIndex(this.reader),
      () => undefined,
    ));
  }
}
