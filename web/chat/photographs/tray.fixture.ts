import { Refused } from '../../common/answer.js';
import { BrowserStorage } from '../../common/browser-storage.js';
import { StorageRefused } from '../device/device-database.js';
import {
  changedBy,
  type PhotographStore,
  type StoredPhotograph,
  type WholePhotograph,
} from '../device/device-photographs.js';
import type { Carrier } from './carry-patiently.js';
import { PhotographTray } from './photograph-tray.js';

export const picture = (name: string) => new File(['x'], name, { type: 'image/jpeg' });
const thumbnails = { make: async () => true, url: () => undefined, forget: () => undefined };

/** Stands in for the page's database. Setting `full` makes it refuse. */
export class FakeStore implements PhotographStore {
  readonly records = new Map<string, StoredPhotograph>();
  readonly files = new Map<string, File>();
  full = false;

  async all() {
    return [...this.records.values()];
  }

  async find(id: string) {
    return this.records.get(id);
  }

  async file(id: string) {
    return this.files.get(id);
  }

  async announce(photographs: readonly StoredPhotograph[]) {
    if (this.full) throw new StorageRefused('full');
    for (const photograph of photographs) this.records.set(photograph.id, { ...photograph, keeping: true });
  }

  async keep(photographs: readonly WholePhotograph[]) {
    if (this.full) throw new StorageRefused('full');
    for (const { photograph, file } of photographs) {
      this.records.set(photograph.id, photograph);
      this.files.set(photograph.id, file);
    }
  }

  async note(ids: readonly string[], change: Partial<StoredPhotograph>) {
    for (const id of ids) {
      const record = this.records.get(id);
      if (record) this.records.set(id, changedBy(record, change));
    }
  }

  async take(ids: readonly string[], turn: string) {
    const free = ids.filter((id) => this.records.has(id) && this.records.get(id)!.turn === undefined);
    await this.note(free, { turn });
    return free;
  }

  async remove(ids: readonly string[]) {
    for (const id of ids) {
      this.records.delete(id);
      this.files.delete(id);
    }
  }
}

/** A minimal browser storage, whose keys are its own members. */
export function memory(): Storage {
  const values = new Map<string, string>();
  const methods: Partial<Storage> = {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
    removeItem: (name) => void values.delete(name),
  };
  return new Proxy(methods as Storage, {
    ownKeys: () => [...values.keys()],
    getOwnPropertyDescriptor: (_, name) =>
      values.has(String(name)) ? { configurable: true, enumerable: true } : undefined,
  });
}

export const refused = (status: number) =>
  new Refused({ status, code: '', sentence: `Refused with ${status}.`, paths: [] });

interface Surroundings {
  storage?: Storage;
  store?: FakeStore;
  fate?: 'pending' | 'answered' | 'unknown';
  waits?: number[];
}

export function trayOf(carry: Carrier, surroundings: Surroundings = {}): PhotographTray {
  const { storage = memory(), store = new FakeStore(), fate = 'unknown', waits = [] } = surroundings;
  const tray = new PhotographTray({
    ...{ carry, thumbnails, store, waits, pauses: [0, 0] },
    chat: { flowId: 'flow', id: 'chat', fateOf: () => fate },
    storage: new BrowserStorage(() => storage, ''),
    exclusively: (_name, _signal, work) => work(),
    notify: () => undefined,
  });
  tray.limits = { most: 5, largestBytes: 1_000 };
  return tray;
}

export const refuses: Carrier = () => Promise.reject(refused(413));

/** Waits for enough rounds of the event loop that all queued work has run, however slow the machine is. */
export const settled = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
};
