/** JSON values in a browser's storage. If the browser refuses (private window, full quota), nothing is stored. */
export class BrowserStorage {
  constructor(
    private readonly storage: () => Storage,
    private readonly prefix: string,
    /** Called when the browser refuses, with the storage and the prefix. Returns whether it has freed some room. */
    private readonly makeRoom: (storage: Storage, prefix: string) => boolean = () => false,
  ) {}

  get<T>(name: string): T | undefined {
    try {
      const text = this.storage().getItem(this.prefix + name);
      return text === null ? undefined : (JSON.parse(text) as T);
    } catch {
      return undefined;
    }
  }

  /** Returns false if the browser refuses; the value of before stays then. */
  set(name: string, value: unknown): boolean {
    try {
      const storage = this.storage();
      while (!this.isSet(storage, name, value)) if (!this.makeRoom(storage, this.prefix)) return false;
      return true;
    } catch {
      return false;
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

  private isSet(storage: Storage, name: string, value: unknown): boolean {
    try {
      if (value === undefined) storage.removeItem(this.prefix + name);
      else storage.setItem(this.prefix + name, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }
}
