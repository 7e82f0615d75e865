import { pause } from '../../common/pause.js';
import { uniqueId } from '../../common/unique-id.js';
import { answerOf, type DeviceDatabase, StorageRefused } from './device-database.js';

/** Runs `work` while no other tab runs work of the same name. Rejects if the signal is aborted while it waits. */
export type Exclusively = <T>(name: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

const LEASE_MS = 10_000;
const RENEWED_MS = 3_000;
const POLL_MS = 500;

/**
 * Uses Web Locks, which are released with their tab. Browsers offer them only over HTTPS and on localhost, and refuse them
 * where site data is blocked; there a lease in the page's database is used, which expires after ten seconds without
 * renewal. Without a database there is nothing to lock: each tab sees only its own photographs.
 */
export function exclusivelyBy(database: DeviceDatabase): Exclusively {
  const leases = new Leases(database);
  return async (name, signal, work) => {
    if (!('locks' in navigator)) return leases.hold(name, signal, work);
    let hasBegun = false;
    const begin = () => {
      hasBegun = true;
      return work();
    };
    try {
      return await navigator.locks.request(name, { signal }, begin);
    } catch (error) {
      if (hasBegun || signal.aborted) throw error;
      return leases.hold(name, signal, work);
    }
  };
}

type Lookup<T> = IDBRequest<T | undefined>;

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
      await pause(POLL_MS, signal);
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

  /** Takes or renews the lease. Returns whether this tab holds it. */
  private async claim(name: string): Promise<boolean> {
    try {
      return await this.database.write(['leases'], async (store) => {
        const held = await answerOf(store('leases').get(name) as Lookup<Lease>);
        const now = Date.now();
        // A lease that ends later than any lease can dates from before the clock was set back.
        const isTheirs =
          held && held.owner !== this.owner && held.until > now && held.until <= now + LEASE_MS;
        if (!isTheirs) store('leases').put({ name, owner: this.owner, until: now + LEASE_MS });
        return !isTheirs;
      });
    } catch (error) {
      if (error instanceof StorageRefused) return true;
      throw error;
    }
  }

  private async end(name: string): Promise<void> {
    await this.database.write(['leases'], (store) => store('leases').delete(name)).catch(() => undefined);
  }
}
