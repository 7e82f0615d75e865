import { pause } from '../../common/pause.js';
import { uniqueId } from '../../common/unique-id.js';
import { answerOf, type DeviceDatabase, NotKept } from './device-database.js';

/** Runs `work` while no other tab runs work of the same name. Rejects where the signal is aborted before its turn. */
export type Exclusively = <T>(name: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

const LEASE_MS = 10_000;
const RENEWED_MS = 3_000;
const ASKED_MS = 500;

/**
 * By Web Locks, which end with their tab. Browsers have them over https and on localhost alone: elsewhere by a lease in
 * the page's database, which another tab takes over when it was not renewed for ten seconds. Where there is no database
 * either, each tab knows its own photographs alone.
 */
export function exclusivelyBy(database: DeviceDatabase): Exclusively {
  const leases = new Leases(database);
  return (name, signal, work) =>
    'locks' in navigator ? navigator.locks.request(name, { signal }, work) : leases.hold(name, signal, work);
}

type Asked<T> = IDBRequest<T | undefined>;

interface Lease {
  name: string;
  owner: string;
  /** Epoch milliseconds. */
  until: number;
}

class Leases {
  private readonly owner = uniqueId();

  constructor(private readonly database: DeviceDatabase) {}

  async hold<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    while (!(await this.claim(name))) {
      await pause(ASKED_MS, signal);
      signal.throwIfAborted();
    }
    const renewing = setInterval(() => void this.claim(name), RENEWED_MS);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
      await this.end(name);
    }
  }

  /** Whether it is ours now. */
  private async claim(name: string): Promise<boolean> {
    try {
      return await this.database.write(['leases'], async (store) => {
        const held = await answerOf(store('leases').get(name) as Asked<Lease>);
        const now = Date.now();
        // One that ends later than any lease can was made before the clock was set back.
        const isTheirs =
          held && held.owner !== this.owner && held.until > now && held.until <= now + LEASE_MS;
        if (!isTheirs) store('leases').put({ name, owner: this.owner, until: now + LEASE_MS });
        return !isTheirs;
      });
    } catch (error) {
      if (error instanceof NotKept) return true;
      throw error;
    }
  }

  private async end(name: string): Promise<void> {
    await this.database.write(['leases'], (store) => store('leases').delete(name)).catch(() => undefined);
  }
}
