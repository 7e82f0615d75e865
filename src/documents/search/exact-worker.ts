import { NearestList } from './nearest-list.js';
import type { NearChunk } from './vector-index.js';

/** Consecutive vectors of one document. */
export interface WorkerPack {
  documentId: string;
  first: number;
  vectors: ArrayBuffer;
}

/** The messages of one search, in order: `begin`, then any number of `compare` and `scan`, then `end`. */
export type WorkerOrder =
  | { order: 'begin'; vector: Float32Array; count: number }
  /** Compares these, and caches them if `keep`. */
  | { order: 'compare'; packs: WorkerPack[]; keep: boolean }
  /** Compares the cached vectors of these documents. */
  | { order: 'scan'; documentIds: string[] }
  | { order: 'forget'; documentIds: string[] }
  | { order: 'end' };

const cached = new Map<string, WorkerPack[]>();
let query: Float32Array = new Float32Array();
let nearest = new NearestList(0);

/** Adds up four sums, so that no addition waits for the one before. */
function scoreAt(vectors: Float32Array, from: number): number {
  const length = query.length;
  let [one, two, three, four] = [0, 0, 0, 0];
  let index = 0;
  for (; index + 3 < length; index += 4) {
    one += query[index]! * vectors[from + index]!;
    two += query[index + 1]! * vectors[from + index + 1]!;
    three += query[index + 2]! * vectors[from + index + 2]!;
    four += query[index + 3]! * vectors[from + index + 3]!;
  }
  for (; index < length; index++) one += query[index]! * vectors[from + index]!;
  return one + two + three + four;
}

function compare({ documentId, first, vectors: bytes }: WorkerPack): void {
  const vectors = new Float32Array(bytes);
  const count = vectors.length / query.length;
  let { threshold } = nearest;
  for (let index = 0; index < count; index++) {
    const score = scoreAt(vectors, index * query.length);
    if (score <= threshold) continue;
    nearest.add({ documentId, position: first + index, score });
    ({ threshold } = nearest);
  }
}

function keep(pack: WorkerPack): void {
  const packs = cached.get(pack.documentId);
  if (packs) packs.push(pack);
  else cached.set(pack.documentId, [pack]);
}

/** Runs one order. `end` returns the nearest chunks; `scan` returns true if all the documents that it names were cached. */
export default function follow(message: WorkerOrder): NearChunk[] | boolean {
  switch (message.order) {
    case 'begin':
      query = message.vector;
      nearest = new NearestList(message.count);
      return true;
    case 'compare':
      for (const pack of message.packs) {
        compare(pack);
        if (message.keep) keep(pack);
      }
      return true;
    case 'scan':
      for (const id of message.documentIds) for (const pack of cached.get(id) ?? []) compare(pack);
      return message.documentIds.every((id) => cached.has(id));
    case 'forget':
      for (const id of message.documentIds) cached.delete(id);
      return true;
    case 'end':
      return nearest.list();
  }
}
