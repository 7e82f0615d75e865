import type { NearChunk } from './vector-index.js';

/** The nearest of many chunks; of equally near ones the first that was added. Rejects distant ones at little cost. */
export class NearestList {
  private readonly kept: NearChunk[] = [];

  constructor(private readonly count: number) {}

  /** The score that a chunk must exceed to be added. */
  get threshold(): number {
    return this.kept.length < this.count ? -Infinity : this.kept.at(-1)!.score;
  }

  add(chunk: NearChunk): void {
    if (!(chunk.score > this.threshold)) return;
    let at = this.kept.length;
    while (at > 0 && this.kept[at - 1]!.score < chunk.score) at--;
    this.kept.splice(at, 0, chunk);
    if (this.kept.length > this.count) this.kept.pop();
  }

  /** Nearest first. */
  list(): NearChunk[] {
    return this.kept;
  }
}
