import type { Vector } from './embedding-model.js';

/** Numbers of a vector; no model has more. */
export const MOST_DIMENSIONS = 8_192;

/** An answer without usable vectors; the message is a part of a sentence about the model. */
export class UnusableVectors extends Error {}

/** Returns the vectors of OpenAI's answer in the order of their `index`, else of their place. */
export function openAiVectors(body: unknown, count: number): Vector[] {
  const rows = listIn(body, 'data');
  checkCount(rows, count);
  const vectors = new Array<Vector>(count);
  for (const [place, row] of rows.entries()) {
    const { index = place, embedding } = (row ?? {}) as { index?: unknown; embedding?: unknown };
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= count)
      throw new UnusableVectors('a vector of its answer has an index without a text');
    if (vectors[index as number]) throw new UnusableVectors('two vectors of its answer have the same index');
    vectors[index as number] = vectorOf(embedding);
  }
  return ofOneDimension(vectors);
}

/** Returns the vectors of Google's answer in their order. */
export function googleVectors(body: unknown, count: number): Vector[] {
  const rows = listIn(body, 'embeddings');
  checkCount(rows, count);
  return ofOneDimension(rows.map((row) => vectorOf((row as { values?: unknown } | null)?.values)));
}

function listIn(body: unknown, member: string): unknown[] {
  const list = (body as Record<string, unknown> | null | undefined)?.[member];
  if (Array.isArray(list)) return list;
  throw new UnusableVectors(`its answer has no "${member}". Is it a model that embeds?`);
}

function checkCount(rows: readonly unknown[], count: number): void {
  if (rows.length !== count)
    throw new UnusableVectors(`it was sent ${count} texts and answered ${rows.length} vectors`);
}

/** Returns a vector normalised to length 1. */
function vectorOf(numbers: unknown): Vector {
  if (!Array.isArray(numbers) || numbers.length === 0 || numbers.length > MOST_DIMENSIONS)
    throw new UnusableVectors(`it answered no vector of 1 to ${MOST_DIMENSIONS} numbers`);
  let squares = 0;
  for (const number of numbers) {
    if (typeof number !== 'number') throw new UnusableVectors('a vector of its answer is not of numbers');
    squares += number * number;
  }
  const length = Math.sqrt(squares);
  // Also where the numbers are so large that their squares are not finite.
  if (!Number.isFinite(length) || length === 0)
    throw new UnusableVectors(
      'a vector of its answer has no direction (only zeros, or numbers beyond bounds)',
    );
  return Float32Array.from(numbers as number[], (number) => number / length);
}

function ofOneDimension(vectors: Vector[]): Vector[] {
  const dimensions = new Set(vectors.map(({ length }) => length));
  if (dimensions.size > 1)
    throw new UnusableVectors(`it answered vectors of different dimensions (${[...dimensions].join(', ')})`);
  return vectors;
}
