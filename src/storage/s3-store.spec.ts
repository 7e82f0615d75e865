import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FaultyS3, type S3Fault, startFaultyS3, times } from '../../test/support/faulty-s3.js';
import { s3Variables, startBucket, type TestBucket } from '../../test/support/s3-server.js';
import { AppConfig } from '../common/app-config.js';
import type { FoundBlob } from './blob-store.js';
import type { S3Patience } from './s3-client.js';
import { S3Store } from './s3-store.js';

const MB = 1024 * 1024;
const AWAY = { status: 503, code: 'overloaded' };

describe('a bucket that fails', () => {
  let bucket: TestBucket;
  let faulty: FaultyS3;
  let directory: string;
  let store: S3Store;

  beforeAll(async () => (bucket = await startBucket()));
  afterAll(() => bucket.close());

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'store-'));
    faulty = await startFaultyS3(bucket.endpoint);
    store = storeIn('blobs');
    for await (const { key } of store.blobs()) await store.remove(key);
    faulty.calls.length = 0;
  });

  afterEach(async () => {
    await faulty.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const storeIn = (name: string, patience?: S3Patience, endpoint = faulty.endpoint) => {
    const config = AppConfig.from({ DATA_DIR: directory, ...s3Variables(endpoint, 'house', name) });
    return S3Store.at(config.bucket!, config.storageDir, patience);
  };
  const keys = async () => {
    const found: FoundBlob[] = [];
    for await (const blob of store.blobs()) found.push(blob);
    return found.map(({ key }) => key).sort();
  };
  const count = (method: string) => faulty.calls.filter((call) => call.method === method).length;
  const fault = (code: string, status = 503): S3Fault => ({ kind: 'error', status, code });

  it.each([
    ['is busy', fault('SlowDown')],
    ['fails inside', fault('InternalError', 500)],
    ['is slow', { kind: 'slow', ms: 300 }],
    ['takes the bytes, and its answer is lost', { kind: 'lost' }],
  ] as [string, S3Fault][])('is tried again where it %s: written once, read as it was', async (_, first) => {
    faulty.fault = times(1, 'PUT', first);
    const { key } = await store.put('photographs', Buffer.from('a photograph'));
    expect(count('PUT')).toBe(first.kind === 'slow' ? 1 : 2);
    faulty.fault = times(1, 'GET', first);
    expect((await store.read(key)).toString()).toBe('a photograph');
    expect(await keys()).toEqual([key]);
  });

  it('that stays busy is 503, and nothing of it stays', async () => {
    faulty.fault = times(Infinity, 'PUT', fault('SlowDown'));
    await expect(store.put('photographs', Buffer.from('x'))).rejects.toMatchObject(AWAY);
    const draft = await store.draft();
    writeFileSync(draft.path, 'a report');
    await expect(store.keep(draft, 'reports')).rejects.toMatchObject(AWAY);
    expect(await keys()).toEqual([]);
  });

  it.each([1, 40_000])('is sent a blob again that broke off after %d bytes, whole', async (after) => {
    const bytes = randomBytes(100_000);
    faulty.fault = times(1, 'PUT', { kind: 'torn', after });
    const { key } = await store.put('photographs', bytes);
    expect(count('PUT')).toBe(2);
    expect((await store.read(key)).equals(bytes)).toBe(true);
    faulty.fault = times(Infinity, 'PUT', { kind: 'torn', after });
    await expect(store.put('photographs', bytes)).rejects.toMatchObject(AWAY);
    expect(await keys()).toEqual([key]);
  });

  it('that loses every answer leaves no object behind', async () => {
    faulty.fault = times(Infinity, 'PUT', { kind: 'lost' });
    await expect(store.put('photographs', Buffer.from('x'))).rejects.toMatchObject(AWAY);
    expect(await keys()).toEqual([]);
  });

  it('that never answers is 503 in the end', async () => {
    const hasty = storeIn('blobs', { connectMs: 2_000, silenceMs: 500, callMs: 500, attempts: 2 });
    faulty.fault = times(Infinity, 'GET', { kind: 'silent' });
    await expect(hasty.read((await store.put('logos', Buffer.from('x'))).key)).rejects.toMatchObject(AWAY);
    expect(count('GET')).toBe(2);
  });

  it.each([1, 30_000, 64 * 1024])('is read on where its answer breaks off after %s bytes', async (after) => {
    const bytes = randomBytes(100_000);
    const { key } = await store.put('photographs', bytes);
    faulty.fault = times(3, 'GET', { kind: 'cut', after });
    expect((await store.read(key)).equals(bytes)).toBe(true);
    faulty.fault = times(3, 'GET', { kind: 'cut', after });
    const part: Buffer[] = [];
    for await (const piece of store.stream(key, { start: 10, end: 90_000 })) part.push(piece as Buffer);
    expect(Buffer.concat(part).equals(bytes.subarray(10, 90_001))).toBe(true);
  });

  it('may give all of a blob where a part was asked for: nobody sees more than that part', async () => {
    const { key } = await store.put('photographs', Buffer.from('0123456789'));
    faulty.fault = times(Infinity, 'GET', { kind: 'whole' });
    const part: Buffer[] = [];
    for await (const piece of store.stream(key, { start: 3, end: 6 })) part.push(piece as Buffer);
    expect(Buffer.concat(part).toString()).toBe('3456');
  });

  it('that breaks off before every byte is 503, and no worker is given half a file', async () => {
    const { key } = await store.put('photographs', randomBytes(100_000));
    faulty.fault = times(Infinity, 'GET', { kind: 'cut', after: 0 });
    await expect(store.read(key)).rejects.toMatchObject(AWAY);
    const use = jest.fn(async () => undefined);
    await expect(store.withFiles([key], use)).rejects.toMatchObject(AWAY);
    expect(use).not.toHaveBeenCalled();
    expect(readdirSync(join(directory, 'blobs', 'drafts'))).toEqual([]);
  });

  describe('while a large file is stored', () => {
    const bytes = randomBytes(20 * MB);
    const isPart = ({ query }: { query: URLSearchParams }) => query.has('partNumber');
    const isEnd = ({ query }: { query: URLSearchParams }) => query.has('uploadId');
    const put = async () => {
      const draft = await store.draft();
      writeFileSync(draft.path, bytes);
      return store.keep(draft, 'packs');
    };

    it('sends parts, each again where it failed', async () => {
      faulty.fault = times(2, 'PUT', fault('SlowDown'), isPart);
      const { key } = await put();
      expect(faulty.calls.filter(isPart)).toHaveLength(5);
      expect((await store.read(key)).equals(bytes)).toBe(true);
    });

    it('sends the MD5 of each part along, as of an object that is sent at once', async () => {
      await put();
      const md5 = createHash('md5')
        .update(bytes.subarray(0, 8 * MB))
        .digest('base64');
      expect(faulty.calls.find(isPart)?.md5).toBe(md5);
      expect(faulty.calls.filter((call) => isPart(call) && call.md5 === undefined)).toEqual([]);
      await store.put('logos', Buffer.from('x'));
      expect(faulty.calls.at(-1)?.md5).toBe(createHash('md5').update('x').digest('base64'));
    });

    it('sends a part again that broke off', async () => {
      faulty.fault = times(2, 'PUT', { kind: 'torn', after: 3 * MB }, isPart);
      const { key } = await put();
      expect(faulty.calls.filter(isPart)).toHaveLength(5);
      expect((await store.read(key)).equals(bytes)).toBe(true);
    });

    it('is content where the answer to the last call is lost', async () => {
      faulty.fault = times(1, 'POST', { kind: 'lost' }, isEnd);
      const { key } = await put();
      expect((await store.read(key)).equals(bytes)).toBe(true);
    });

    it('ends the upload and leaves no object where a part cannot be stored', async () => {
      const third = times(
        Infinity,
        'PUT',
        fault('InternalError', 500),
        ({ query }) => query.get('partNumber') === '3',
      );
      faulty.fault = third;
      await expect(put()).rejects.toMatchObject(AWAY);
      expect(faulty.calls.some((call) => call.method === 'DELETE' && isEnd(call))).toBe(true);
      expect(await keys()).toEqual([]);
    });
  });

  it('is listed page by page', async () => {
    const put = await Promise.all(Array.from({ length: 7 }, () => store.put('logos', Buffer.from('x'))));
    faulty.listing.page = 3;
    expect(await keys()).toEqual(put.map(({ key }) => key).sort());
  });

  it('may list late: what is listed and gone is removed and set aside without a fault', async () => {
    const { key } = await store.put('logos', Buffer.from('x'));
    await store.remove(key);
    faulty.listing.gone.add(`house/${key}`);
    expect(await keys()).toEqual([key]);
    await store.setAside(key);
    await store.remove(key);
    const late = await store.put('logos', Buffer.from('y'));
    faulty.listing.hidden.add(`house/${late.key}`);
    expect(await keys()).toEqual([key]);
    expect(await store.exists(late.key)).toBe(true);
  });

  it('does not pass for one without the blob', async () => {
    const { key } = await store.put('logos', Buffer.from('x'));
    faulty.fault = () => fault('AccessDenied', 403);
    for (const ask of [store.exists(key), store.size(key), store.remove(key), keys()])
      await expect(ask).rejects.toMatchObject(AWAY);
  });

  describe('at the start', () => {
    const refusalOf = async (of: S3Store): Promise<string> => {
      const error: unknown = await of.probe().catch((thrown: unknown) => thrown);
      return of.refusal(error);
    };

    it('is named where it is not there', async () => {
      const said = await refusalOf(storeIn('another'));
      expect(said).toMatch(
        /^the bucket "another" at 127\.0\.0\.1:\d+ cannot be used: there is no such bucket \(NoSuchBucket\)$/,
      );
    });

    it.each([
      ['PUT', 'AccessDenied', 403, 'its credentials do not allow this (AccessDenied)'],
      ['PUT', 'SignatureDoesNotMatch', 403, 'its secret key is wrong (SignatureDoesNotMatch)'],
      ['PUT', 'InvalidAccessKeyId', 403, 'its access key is unknown (InvalidAccessKeyId)'],
      ['GET', 'AccessDenied', 403, 'its credentials do not allow this (AccessDenied)'],
      ['DELETE', 'AccessDenied', 403, 'its credentials do not allow this (AccessDenied)'],
      [
        'PUT',
        'PermanentRedirect',
        301,
        'it is in another region than eu-central-1: name it by region= (PermanentRedirect)',
      ],
    ])('says why, where %s is answered %s', async (method, code, status, why) => {
      faulty.fault = times(Infinity, method, fault(code, status));
      expect(await refusalOf(store)).toContain(`cannot be used: ${why}`);
    });

    it('is refused where it may not be listed, though it may be written', async () => {
      faulty.fault = times(Infinity, 'GET', fault('AccessDenied', 403), ({ query }) =>
        query.has('list-type'),
      );
      expect(await refusalOf(store)).toContain('its credentials do not allow this');
    });

    it('says that nobody listens at its address', async () => {
      const said = await refusalOf(storeIn('blobs', undefined, 'http://127.0.0.1:1'));
      expect(said).toContain('the bucket "blobs" at 127.0.0.1:1 cannot be used: it does not answer');
    });

    it('says that another service listens there', async () => {
      faulty.fault = () => ({ kind: 'error', status: 404, code: '' });
      expect(await refusalOf(store)).toMatch(/cannot be used: it answered 404/);
    });
  });

  it('tells no secret in its errors', async () => {
    faulty.fault = () => fault('AccessDenied', 403);
    const error = (await store.put('logos', Buffer.from('x')).catch((thrown: unknown) => thrown)) as Error;
    const told = JSON.stringify([error, error.cause, String(error.cause), Object.entries(error)]);
    expect(told).not.toMatch(/S3RVER|Signature=|Credential=/);
    expect(String(error.cause)).toContain('the bucket "blobs"');
  });
});
