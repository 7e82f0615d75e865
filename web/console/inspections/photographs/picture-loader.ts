/** Concurrent downloads, leaving connections for everything else. */
const AT_ONCE = 4;

interface Wanted {
  id: string;
  version: string;
  signal: AbortSignal;
  resolve: (picture: Blob) => void;
  reject: (reason: unknown) => void;
}

/**
 * Loads pictures that need the key: a few at a time, skipping those no longer wanted, with a cache of the last ones. The
 * cache holds one version of each; a rotated picture is another version.
 */
export class PictureLoader {
  private readonly cache = new Map<string, { version: string; picture: Blob }>();
  private waiting: Wanted[] = [];
  private loading = 0;

  constructor(
    private readonly load: (id: string, signal: AbortSignal) => Promise<Blob>,
    private readonly most: number,
  ) {}

  /** Resolves with a picture. Rejects with the signal's reason when it is aborted first. */
  get(id: string, version: string, signal: AbortSignal): Promise<Blob> {
    const known = this.knownOf(id, version);
    if (known) {
      this.keep(id, version, known);
      return Promise.resolve(known);
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ id, version, signal, resolve, reject });
      this.next();
    });
  }

  private next(): void {
    while (this.loading < AT_ONCE) {
      const wanted = this.waiting.shift();
      if (!wanted) return;
      if (wanted.signal.aborted) wanted.reject(wanted.signal.reason);
      else void this.fetch(wanted);
    }
  }

  private async fetch({ id, version, signal, resolve, reject }: Wanted): Promise<void> {
    this.loading++;
    try {
      const picture = this.knownOf(id, version) ?? (await this.load(id, signal));
      this.keep(id, version, picture);
      resolve(picture);
    } catch (error) {
      reject(error);
    }
    this.loading--;
    this.next();
  }

  private knownOf(id: string, version: string): Blob | undefined {
    const known = this.cache.get(id);
    return known?.version === version ? known.picture : undefined;
  }

  private keep(id: string, version: string, picture: Blob): void {
    this.cache.delete(id);
    this.cache.set(id, { version, picture });
    const [oldest] = this.cache.keys();
    if (this.cache.size > this.most && oldest !== undefined) this.cache.delete(oldest);
  }
}
