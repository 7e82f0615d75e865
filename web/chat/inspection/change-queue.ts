interface Unfinished {
  change: string;
  outcome: Promise<boolean>;
}

/** Makes changes one after the other. A change asked for twice, with no other of its subject between, is made once. */
export class ChangeQueue {
  /** The changes that wait or run. */
  size = 0;
  private last: Promise<unknown> = Promise.resolve();
  /** The last one asked for, by subject. */
  private readonly unfinished = new Map<string, Unfinished>();

  /** Returns the outcome. `make` must not reject. */
  add(subject: string, change: string, make: () => Promise<boolean>): Promise<boolean> {
    const asked = this.unfinished.get(subject);
    if (asked?.change === change) return asked.outcome;
    this.size++;
    const outcome = this.last.then(make).finally(() => {
      this.size--;
      if (this.unfinished.get(subject)?.outcome === outcome) this.unfinished.delete(subject);
    });
    this.unfinished.set(subject, { change, outcome });
    this.last = outcome;
    return outcome;
  }
}
