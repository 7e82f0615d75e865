import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AppConfig } from '../common/app-config.js';
import { BlobStore } from './blob-store.js';

const MB = 1024 * 1024;

describe('the store', () => {
  let directory: string;
  let store: BlobStore;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'store-'));
    store = new BlobStore({ storageDir: directory } as AppConfig);
  });

  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(directory, { recursive: true });
  });

  it.each([
    { free: 4 * MB, all: 100 * MB },
    { free: 255 * MB, all: 1_000_000 * MB },
  ])('leaves room on the disk for the database: %j is nearly full', async (room) => {
    jest.spyOn(store, 'room').mockResolvedValue(room);
    await expect(store.put('photographs', Buffer.from('x'))).rejects.toMatchObject({
      status: 503,
      code: 'overloaded',
    });
    expect(readdirSync(directory)).toEqual([]);
  });

  it.each([
    { free: 6 * MB, all: 100 * MB },
    { free: 257 * MB, all: 1_000_000 * MB },
  ])('stores where there is room: %j', async (room) => {
    jest.spyOn(store, 'room').mockResolvedValue(room);
    const { key } = await store.put('photographs', Buffer.from('x'));
    expect((await store.read(key)).toString()).toBe('x');
  });

  it('has synced every name on the way to a blob, in a store that was not there', async () => {
    const root = join(directory, 'new', 'store');
    const { syncedWithin } = watchSyncs();
    const { key } = await new BlobStore({ storageDir: root } as AppConfig).put(
      'photographs',
      Buffer.from('x'),
    );
    for (let path = join(root, key); path !== directory; path = dirname(path))
      expect(syncedWithin(dirname(path))).toContain(path);
  });

  it('syncs the names of folders that another process made: it may have died before', async () => {
    await store.put('photographs', Buffer.from('x'));
    const { syncedWithin } = watchSyncs();
    const { key } = await new BlobStore({ storageDir: directory } as AppConfig).put(
      'photographs',
      Buffer.from('y'),
    );
    for (let path = join(directory, key); path !== dirname(directory); path = dirname(path))
      expect(syncedWithin(dirname(path))).toContain(path);
  });
});

/** For each folder, which names stood in it when it was synced. */
function watchSyncs() {
  const within = new Map<string, string[]>();
  const open = fs.open.bind(fs);
  jest.spyOn(fs, 'open').mockImplementation(async (...given) => {
    const handle = await open(...given);
    const path = String(given[0]);
    const sync = handle.sync.bind(handle);
    handle.sync = async () => {
      await sync();
      if ((await handle.stat()).isDirectory())
        within.set(path, [...(within.get(path) ?? []), ...readdirSync(path).map((name) => join(path, name))]);
    };
    return handle;
  });
  return { syncedWithin: (folder: string) => within.get(folder) ?? [] };
}
