import type { Tx } from '../../database/tx.js';
import type { Vector } from '../../flows/models/embeddings/embedding-model.js';

/** Vectors of consecutive chunks of one document. */
export interface VectorPack {
  storeId: string;
  documentId: string;
  /** The position of the first chunk. */
  first: number;
  vectors: readonly Vector[];
}

/** A chunk and its score: the cosine of the angle between the two vectors, 1 for the same direction. */
export interface NearChunk {
  documentId: string;
  position: number;
  score: number;
}

/**
 * An index of vectors in the database, written in the transactions that write the vectors. It may name chunks of documents
 * that are not ready or deleted; the caller leaves them out.
 */
export interface VectorIndex {
  /** The most chunks that `nearest` returns. */
  readonly most: number;
  add(tx: Tx, pack: VectorPack): Promise<void>;
  remove(
    tx: Tx,
    pack: Omit<VectorPack, 'vectors' | 'storeId'> & { dimensions: number; count: number },
  ): Promise<void>;
  /** Returns the nearest chunks of a store, nearest first. */
  nearest(storeId: string, vector: Vector, count: number): Promise<NearChunk[]>;
}

/** Reads vectors from their bytes. */
export function vectorsIn(bytes: Buffer, dimensions: number): Vector[] {
  // A copy is aligned for 32-bit floats.
  const numbers = new Float32Array(new Uint8Array(bytes).buffer);
  const vectors: Vector[] = [];
  for (let from = 0; from < numbers.length; from += dimensions)
    vectors.push(numbers.subarray(from, from + dimensions));
  return vectors;
}

/** Returns the bytes of vectors as both databases store them: 32-bit floats, one vector after the other. */
export const vectorBytes = (vectors: readonly Vector[]): Buffer =>
  Buffer.concat(
    vectors.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  );
