/** Makes changes one after the other. A change asked for again while it waits or runs is made once. */
export class ChangeQueue {
  private last: Promise<unknown> = Promise.resolve();
  private readonly unfinished = new Map<string, Promise<boolean>>();

  /** The changes that wait or run. */
  get size(): number {
    return this.unfinished.size;
  }

  /** Returns the outcome of the change: `name` says which change it is, and to what. `make` must not reject. */
  add(name: string, make: () => Promise<boolean>): Promise<boolean> {
    const asked = this.unfinished.get(name);
    if (asked) return asked;
    const made = this.last.then(make).finally(() => this.unfinished.delete(name));
    this.unfinished.set(name, made);
    this.last = made;
    return made;
  }
}
