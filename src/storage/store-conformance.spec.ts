import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { s3Variables, startBucket, type TestBucket } from '../../test/support/s3-server.js';
import { AppConfig } from '../common/app-config.js';
import type { BlobStore, FoundBlob } from './blob-store.js';
import { openStore } from './open-store.js';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const UNKNOWN = 'reports/00/00000000-0000-4000-8000-000000000000.pdf';

let bucket: TestBucket;
beforeAll(async () => (bucket = await startBucket()));
afterAll(() => bucket.close());

describe.each([
  ['in a directory', () => ({})],
  ['in a bucket', () => s3Variables(bucket.endpoint)],
  ['in a bucket, under a prefix', () => s3Variables(bucket.endpoint, 'house/blobs')],
])('blobs %s', (_, variables) => {
  let directory: string;
  let store: BlobStore;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'store-'));
    store = await openStore(AppConfig.from({ DATA_DIR: directory, ...variables() }));
    for (const { key } of await all(store.blobs())) await store.remove(key);
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const drafts = () => readdirSync(join(directory, 'blobs', 'drafts'));
  const all = async (found: AsyncIterable<FoundBlob>) => {
    const blobs: FoundBlob[] = [];
    for await (const blob of found) blobs.push(blob);
    return blobs.sort((left, right) => (left.key < right.key ? -1 : 1));
  };
  const gathered = async (stream: Readable) => {
    const pieces: Buffer[] = [];
    for await (const piece of stream) pieces.push(piece as Buffer);
    return Buffer.concat(pieces);
  };

  it('can be written, read, listed and removed, as a start tries it', async () => {
    await store.probe();
    expect(drafts()).toEqual([]);
    expect(await all(store.blobs())).toEqual([]);
  });

  it.each([0, 1, 70_000, 20 * 1024 * 1024 + 1])('are read as they were written: %s bytes', async (length) => {
    const bytes = randomBytes(length);
    const whole = await store.put('photographs', bytes, '.jpg');
    const streamed = await store.put('packs', Readable.from(split(bytes), { objectMode: false }), '.zip');
    for (const blob of [whole, streamed]) {
      expect(blob).toMatchObject({ bytes: length, sha256: sha256(bytes) });
      expect((await store.read(blob.key)).equals(bytes)).toBe(true);
      expect((await gathered(store.stream(blob.key))).equals(bytes)).toBe(true);
      expect(await store.size(blob.key)).toBe(length);
    }
    expect(whole.key).toMatch(/^photographs\/[0-9a-f]{2}\/[0-9a-f-]{36}\.jpg$/);
    expect(drafts()).toEqual([]);
  });

  it('are read in part, both ends included', async () => {
    const { key } = await store.put('reports', Buffer.from('0123456789'));
    for (const [start, end] of [
      [0, 0],
      [3, 6],
      [9, 9],
      [0, 9],
    ] as const)
      expect((await gathered(store.stream(key, { start, end }))).toString()).toBe(
        '0123456789'.slice(start, end + 1),
      );
  });

  it('are kept from a draft, which is gone then', async () => {
    const draft = await store.draft();
    writeFileSync(draft.path, 'a report');
    const kept = await store.keep(draft, 'reports', { extension: '.pdf' });
    expect(kept).toMatchObject({ bytes: 8, sha256: sha256(Buffer.from('a report')) });
    expect((await store.read(kept.key)).toString()).toBe('a report');
    const other = await store.draft();
    writeFileSync(other.path, 'a report');
    const measured = { bytes: 8, sha256: 'as its writer measured it' };
    expect(await store.keep(other, 'reports', { measured })).toMatchObject(measured);
    expect(drafts()).toEqual([]);
  });

  it('leave nothing where what is to be put breaks off', async () => {
    const breaking = Readable.from(
      (async function* () {
        yield Buffer.from('half');
        throw new Error('the caller is gone');
      })(),
    );
    await expect(store.put('packs', breaking)).rejects.toThrow('the caller is gone');
    expect(await all(store.blobs())).toEqual([]);
    expect(drafts()).toEqual([]);
  });

  it('that are not there are told apart from those that are', async () => {
    const { key } = await store.put('reports', Buffer.from('x'));
    expect([await store.exists(key), await store.exists(UNKNOWN)]).toEqual([true, false]);
    expect(await store.size(UNKNOWN)).toBeUndefined();
    await expect(store.read(UNKNOWN)).rejects.toThrow();
    await expect(gathered(store.stream(UNKNOWN))).rejects.toThrow();
    await store.remove(key);
    await store.remove(key);
    expect(await store.exists(key)).toBe(false);
  });

  it('are given to workers as files, one that is not there as a path at which nothing lies', async () => {
    const bytes = [1, 2, 3, 4, 5, 6].map((byte) => Buffer.alloc(1000, byte));
    const keys: string[] = [];
    for (const some of bytes) keys.push((await store.put('renditions', some)).key);
    const [paths, unknown] = await store.withFiles([...keys, keys[0]!, UNKNOWN], async (pathOf) => {
      keys.forEach((key, place) => expect(readFileSync(pathOf(key)).equals(bytes[place]!)).toBe(true));
      return [keys.map(pathOf), pathOf(UNKNOWN)] as const;
    });
    expect(new Set(paths).size).toBe(6);
    expect(existsSync(unknown)).toBe(false);
    const failing = store.withFiles(keys, () => Promise.reject(new Error('the worker failed')));
    await expect(failing).rejects.toThrow('the worker failed');
    expect(existsSync(join(directory, 'blobs', 'drafts')) ? drafts() : []).toEqual([]);
  });

  it('are listed, all of them or those of a kind, with their sizes and times', async () => {
    const before = Date.now();
    const report = await store.put('reports', Buffer.from('xyz'), '.pdf');
    const pack = await store.put('packs', Buffer.from('x'));
    expect(await all(store.blobs())).toMatchObject([
      { key: pack.key, bytes: 1 },
      { key: report.key, bytes: 3 },
    ]);
    const [listed] = await all(store.blobsOf('reports'));
    expect(listed).toMatchObject({ key: report.key, bytes: 3 });
    expect(Math.abs(listed!.changedAt - before)).toBeLessThan(60_000);
  });

  it('are set aside, out of the store, under a name that says what they were', async () => {
    const { key } = await store.put('reports', Buffer.from('left'), '.pdf');
    await store.setAside(key);
    expect(await store.exists(key)).toBe(false);
    expect(await all(store.blobs())).toEqual([]);
    expect(store.setAsidePath).toMatch(/set-aside$/);
  });

  it.each(['../x', 'reports/zz/x', 'reports/00/../../x', ''])('have no key such as "%s"', async (key) => {
    const read = async () => store.read(key);
    await expect(read()).rejects.toThrow('not a storage key');
    await expect((async () => store.size(key))()).rejects.toThrow('not a storage key');
    await expect((async () => store.remove(key))()).rejects.toThrow('not a storage key');
  });
});

function* split(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 300_000) yield bytes.subarray(at, at + 300_000);
}
