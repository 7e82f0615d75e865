import type { NearChunk } from './vector-index.js';

/** The nearest of many chunks; of equally near ones the first that was added. Rejects distant ones at little cost. */
export class NearestList {
  private readonly chunks: NearChunk[] = [];

  constructor(private readonly count: number) {}

  /** The score that a chunk must exceed to be added. */
  get threshold(): number {
    return this.chunks.length < this.count ? -Infinity : this.chunks.at(-1)!.score;
  }

  add(chunk: NearChunk): void {
    if (!(chunk.score > this.threshold)) return;
    let at = this.chunks.length;
    while (at > 0 && this.chunks[at - 1]!.score < chunk.score) at--;
    this.chunks.splice(at, 0, chunk);
    if (this.chunks.length > this.count) this.chunks.pop();
  }

  /** Nearest first. */
  list(): NearChunk[] {
    return this.chunks;
  }
}
