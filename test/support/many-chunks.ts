import { insertRows } from '../../src/database/writes/insert-rows.js';
import { WriteGate } from '../../src/database/writes/write-gate.js';
import { NearestList } from '../../src/documents/search/nearest-list.js';
import { DocumentEntity } from '../../src/documents/stores/document.entity.js';
import type { TestApp } from './app.js';

/** Vectors per row, as the service packs them. */
const PACK = 64;

const NUMBERS = 1_200_000;

/** Numbers between -1 and 1, the same in each run. */
const numbers = new Float32Array(NUMBERS);
let state = 1;
for (let index = 0; index < NUMBERS; index++) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  numbers[index] = state / 2 ** 31 - 1;
}

/** Returns a vector of length 1 from the numbers that begin here. Vectors with different beginnings are unrelated. */
export function directionOf(from: number, dimensions: number): Float32Array {
  const vector = numbers.slice(from, from + dimensions);
  const length = Math.sqrt(cosine(vector, vector));
  return vector.map((number) => number / length);
}

export const textOf = (number: number): string => `chunk ${number}`;

/**
 * Fills a store with ready documents, without a model: chunk `n` has the direction `n`, which is its text. Returns the
 * texts nearest to each query vector, found here by brute force.
 */
export async function fillWith(
  { app }: TestApp,
  storeId: string,
  size: { documents: number; chunksOfEach: number; dimensions: number },
  asked: readonly Float32Array[],
): Promise<string[][]> {
  const { documents, chunksOfEach, dimensions } = size;
  const gate = app.get(WriteGate);
  const nearest = asked.map(() => new NearestList(4));
  await gate.write((tx) =>
    tx.run('UPDATE document_stores SET dimensions = ? WHERE id = ?', [dimensions, storeId]),
  );
  for (let document = 0; document < documents; document++) {
    const id = `document-${document}`;
    await gate.write(async (tx) => {
      await tx.repository(DocumentEntity).insert(readyDocument(id, storeId, chunksOfEach));
      for (let first = 0; first < chunksOfEach; first += PACK) {
        const count = Math.min(PACK, chunksOfEach - first);
        const pack = new Float32Array(count * dimensions);
        const texts: [string, number, string][] = [];
        for (let index = 0; index < count; index++) {
          const number = document * chunksOfEach + first + index;
          const vector = directionOf(number, dimensions);
          pack.set(vector, index * dimensions);
          texts.push([id, first + index, textOf(number)]);
          for (const [question, list] of nearest.entries())
            list.add({ documentId: id, position: number, score: cosine(vector, asked[question]!) });
        }
        await insertRows(tx, 'INSERT INTO document_chunks (document_id, position, text) VALUES', '', texts);
        await tx.run(
          'INSERT INTO document_vectors (document_id, first_position, dimensions, indexed, vectors) VALUES (?, ?, ?, 0, ?)',
          [id, first, dimensions, Buffer.from(pack.buffer)],
        );
      }
    });
  }
  return nearest.map((list) => list.list().map(({ position }) => textOf(position)));
}

function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += one[index]! * other[index]!;
  return sum;
}

const readyDocument = (id: string, storeId: string, chunks: number): DocumentEntity => ({
  ...{ id, storeId, name: id, mime: 'text/plain', url: null, sourceKey: null, textKey: null },
  ...{ textLength: chunks, nextOffset: chunks, chunks, warnings: null, generation: 1, removed: 0 },
  ...{ state: 'sent', attempts: 0, nextAttemptAt: 0, leaseProcess: null, leaseUntil: null },
  ...{ error: null, errorCode: null, createdAt: 0 },
});
