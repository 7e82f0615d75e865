import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
});
