import type { Tx } from '../../database/tx.js';
import type { Vector } from '../../flows/models/embeddings/embedding-model.js';

/** Vectors of chunks that follow each other in one document. */
export interface VectorPack {
  storeId: string;
  documentId: string;
  /** The position of the first chunk. */
  first: number;
  vectors: readonly Vector[];
}

/** A chunk, and how near it is: the cosine of the angle between the two vectors, 1 for the same direction. */
export interface NearChunk {
  documentId: string;
  position: number;
  score: number;
}

/**
 * An index of vectors within the database, written in the transactions that write the vectors themselves. It may name
 * chunks of documents that are not ready or gone; whoever asks leaves them out.
 */
export interface VectorIndex {
  /** The most that `nearest` answers. */
  readonly most: number;
  add(tx: Tx, pack: VectorPack): Promise<void>;
  remove(
    tx: Tx,
    pack: Omit<VectorPack, 'vectors' | 'storeId'> & { dimensions: number; count: number },
  ): Promise<void>;
  /** The nearest of a store, nearest first. */
  nearest(storeId: string, vector: Vector, count: number): Promise<NearChunk[]>;
}

/** The vectors whose bytes these are. */
export function vectorsIn(bytes: Buffer, dimensions: number): Vector[] {
  // A copy begins where 32-bit floats may.
  const numbers = new Float32Array(new Uint8Array(bytes).buffer);
  const vectors: Vector[] = [];
  for (let from = 0; from < numbers.length; from += dimensions)
    vectors.push(numbers.subarray(from, from + dimensions));
  return vectors;
}

/** The bytes of vectors as both databases keep them: 32-bit floats, one vector behind the other. */
export const vectorBytes = (vectors: readonly Vector[]): Buffer =>
  Buffer.concat(
    vectors.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  );
