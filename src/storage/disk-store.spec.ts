import { createHash } from 'node:crypto';
import files, { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { DiskStore } from './disk-store.js';

const MB = 1024 * 1024;

describe('the store', () => {
  let directory: string;
  let store: DiskStore;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'store-'));
    store = new DiskStore(directory);
  });

  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(directory, { recursive: true });
  });

  it.each([
    { free: 4 * MB, all: 100 * MB },
    { free: 255 * MB, all: 1_000_000 * MB },
  ])('leaves space on the disk for the database: %j is nearly full', async (space) => {
    jest.spyOn(store, 'diskSpace').mockResolvedValue(space);
    await expect(store.put('photographs', Buffer.from('x'))).rejects.toMatchObject({
      status: 503,
      code: 'overloaded',
    });
    expect(readdirSync(directory)).toEqual([]);
  });

  it.each([
    { free: 6 * MB, all: 100 * MB },
    { free: 257 * MB, all: 1_000_000 * MB },
  ])('stores where there is space: %j', async (space) => {
    jest.spyOn(store, 'diskSpace').mockResolvedValue(space);
    const { key } = await store.put('photographs', Buffer.from('x'));
    expect((await store.read(key)).toString()).toBe('x');
  });

  it('takes no blob for missing that is only out of reach', async () => {
    const { key } = await store.put('photographs', Buffer.from('x'));
    expect(await store.exists(key)).toBe(true);
    rmSync(join(directory, 'photographs'), { recursive: true });
    expect(await store.exists(key)).toBe(false);
    // A link to itself fails as a file system that is away does.
    symlinkSync('photographs', join(directory, 'photographs'));
    await expect(store.exists(key)).rejects.toThrow('ELOOP');
    rmSync(join(directory, 'photographs'));
  });

  it('says so where the disk fills while a blob is written, and leaves nothing of it', async () => {
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const content = Readable.from(
      (async function* () {
        yield Buffer.from('half');
        throw full;
      })(),
    );
    await expect(store.put('packs', content)).rejects.toMatchObject({ status: 503, code: 'overloaded' });
    expect(readdirSync(join(directory, 'drafts'))).toEqual([]);
  });

  it('has synced every name on the way to a blob, in a store that was not there', async () => {
    const root = join(directory, 'new', 'store');
    const { syncedWithin } = watchSyncs();
    const { key } = await new DiskStore(root).put('photographs', Buffer.from('x'));
    for (let path = join(root, key); path !== directory; path = dirname(path))
      expect(syncedWithin(dirname(path))).toContain(path);
  });

  it('syncs the names of folders that another process made: it may have died before', async () => {
    await store.put('photographs', Buffer.from('x'));
    const { syncedWithin } = watchSyncs();
    const { key } = await new DiskStore(directory).put('photographs', Buffer.from('y'));
    for (let path = join(directory, key); path !== dirname(directory); path = dirname(path))
      expect(syncedWithin(dirname(path))).toContain(path);
  });

  describe('keeping a draft', () => {
    const content = 'a report';
    const measured = { bytes: 8, sha256: createHash('sha256').update(content).digest('hex') };

    it('takes what its writer measured, and does not read it through', async () => {
      const draft = await store.draft();
      writeFileSync(draft.path, content);
      const reads = jest.spyOn(files, 'createReadStream');
      const { synced } = watchSyncs();
      const { key, ...kept } = await store.keep(draft, 'reports', { extension: '.pdf', measured });
      expect(kept).toEqual(measured);
      expect(reads).not.toHaveBeenCalled();
      expect(synced).toContain(draft.path);
      expect(key).toMatch(/^reports\/.*\.pdf$/);
      expect((await store.read(key)).toString()).toBe(content);
      expect(readdirSync(join(directory, 'drafts'))).toEqual([]);
    });

    it('measures it where nobody did', async () => {
      const draft = await store.draft();
      writeFileSync(draft.path, content);
      const { synced } = watchSyncs();
      expect(await store.keep(draft, 'logos')).toMatchObject(measured);
      expect(synced).toContain(draft.path);
    });
  });
});

/** Which files were synced, and for each folder, which names stood in it when it was. */
function watchSyncs() {
  const within = new Map<string, string[]>();
  const synced: string[] = [];
  const open = fs.open.bind(fs);
  jest.spyOn(fs, 'open').mockImplementation(async (...given) => {
    const handle = await open(...given);
    const path = String(given[0]);
    const sync = handle.sync.bind(handle);
    handle.sync = async () => {
      await sync();
      synced.push(path);
      if ((await handle.stat()).isDirectory())
        within.set(path, [...(within.get(path) ?? []), ...readdirSync(path).map((name) => join(path, name))]);
    };
    return handle;
  });
  return { synced, syncedWithin: (folder: string) => within.get(folder) ?? [] };
}
