/** A document whose vectors may be cached. They never change within a generation. */
export interface CachedDocument {
  id: string;
  generation: number;
  bytes: number;
}

/** The list of documents whose vectors a worker caches: the most recently used, up to a number of bytes. */
export class VectorCache {
  /** In the order of their last use. */
  private readonly documents = new Map<string, CachedDocument>();
  private bytes = 0;

  constructor(private readonly most: number) {}

  /** Splits documents into those in the cache, those to add to it, and those that do not fit. */
  use(wanted: readonly CachedDocument[]): {
    there: string[];
    fits: string[];
    others: string[];
    forgotten: string[];
  } {
    const forgotten = this.outdated(wanted);
    const there = wanted.filter(({ id }) => this.documents.has(id));
    for (const document of there) this.touch(document);
    const missing = wanted.filter(({ id }) => !this.documents.has(id));
    const needed = new Set(wanted.map(({ id }) => id));
    const fits: string[] = [];
    const others: string[] = [];
    for (const document of missing) {
      if (this.bytes + document.bytes > this.most) forgotten.push(...this.evict(document.bytes, needed));
      const fitting = this.bytes + document.bytes <= this.most;
      (fitting ? fits : others).push(document.id);
      if (fitting) this.touch(document);
    }
    return { there: there.map(({ id }) => id), fits, others, forgotten };
  }

  forget(ids: readonly string[]): void {
    for (const id of ids) {
      this.bytes -= this.documents.get(id)?.bytes ?? 0;
      this.documents.delete(id);
    }
  }

  /** Removes all documents and returns their ids. */
  clear(): string[] {
    const ids = [...this.documents.keys()];
    this.forget(ids);
    return ids;
  }

  private touch(document: CachedDocument): void {
    this.forget([document.id]);
    this.documents.set(document.id, document);
    this.bytes += document.bytes;
  }

  private outdated(wanted: readonly CachedDocument[]): string[] {
    const ids = wanted
      .filter(({ id, generation }) => (this.documents.get(id)?.generation ?? generation) !== generation)
      .map(({ id }) => id);
    this.forget(ids);
    return ids;
  }

  private evict(bytes: number, needed: ReadonlySet<string>): string[] {
    const ids: string[] = [];
    let left = this.bytes;
    for (const [id, document] of this.documents) {
      if (left + bytes <= this.most) break;
      if (needed.has(id)) continue;
      ids.push(id);
      left -= document.bytes;
    }
    this.forget(ids);
    return ids;
  }
}
