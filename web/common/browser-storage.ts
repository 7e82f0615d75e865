/** JSON values in a browser's storage. If the browser refuses (private window, full quota), nothing is stored. */
export class BrowserStorage {
  constructor(
    private readonly storage: () => Storage,
    private readonly prefix: string,
  ) {}

  get<T>(name: string): T | undefined {
    try {
      const text = this.storage().getItem(this.prefix + name);
      return text === null ? undefined : (JSON.parse(text) as T);
    } catch {
      return undefined;
    }
  }

  set(name: string, value: unknown): void {
    try {
      if (value === undefined) this.storage().removeItem(this.prefix + name);
      else this.storage().setItem(this.prefix + name, JSON.stringify(value));
    } catch {
      // The browser refuses.
    }
  }

  /** Returns the names of all values that start with `beginning`, in no order. */
  names(beginning: string): string[] {
    const start = this.prefix + beginning;
    try {
      return Object.keys(this.storage()).flatMap((key) =>
        key.startsWith(start) ? [key.slice(this.prefix.length)] : [],
      );
    } catch {
      return [];
    }
  }

  /** Removes all values. */
  clear(): void {
    for (const name of this.names('')) this.set(name, undefined);
  }
}
