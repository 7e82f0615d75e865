import { unzipSync } from 'fflate';
import { randomUUID } from 'node:crypto';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { AppConfig } from '../src/common/app-config.js';
import { Clock } from '../src/common/clock.js';
import { DatabaseReader } from '../src/database/database-reader.js';
import { WriteGate } from '../src/database/writes/write-gate.js';
import { Packs } from '../src/pdf/packs/packs.js';
import { ExpiredFiles } from '../src/pdf/vault/expired-files.js';
import { PackPartEntity } from '../src/pdf/vault/pack-part.entity.js';
import { ReportLinks } from '../src/pdf/vault/report-links.js';
import { ReportVault } from '../src/pdf/vault/report-vault.js';
import { BlobStore } from '../src/storage/blob-store.js';
import type { DiskStore } from '../src/storage/disk-store.js';
import { RenderFixture, sha256 } from './fixtures/renders.js';
import { smallJpeg } from './support/recorded-photographs.js';

interface Part {
  n: number;
  filename: string;
  bytes: number;
  sha256: string;
  url: string;
}

describe('the pack of a report', () => {
  const room = new RenderFixture();
  const { client, photographs, render, session } = room;

  beforeAll(() => room.start());
  afterAll(() => room.close());

  const pack = (id: string, body: object = {}, headers: Record<string, string> = room.adminHeaders()) =>
    client.send('POST', `/api/v1/pdf/reports/${id}/pack`, body, headers);
  const partsOf = async (id: string, body: object = {}) => {
    const answer = await pack(id, body);
    expect(answer.status).toBe(200);
    return answer.body.parts as Part[];
  };
  const fetched = async ({ url }: Part) => {
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    return new Uint8Array(await answer.arrayBuffer());
  };
  const unzipped = async (part: Part) => unzipSync(await fetched(part));

  /** Makes a report with six photographs, one of them withdrawn. */
  const rendered = async () => {
    const sessionId = session();
    const pictures: Buffer[] = [];
    for (let count = 0; count < 6; count++) pictures.push(await smallJpeg(900, 700 + count));
    const { body } = await client.send('POST', '/api/v1/inspection/capture', {
      ...{ flowId: room.flowId, sessionId, area: 'Kitchen / “Diner”' },
      photographs: pictures.map((picture) => ({ data: picture.toString('base64') })),
    });
    await client.admin('POST', `inspection/photographs/${body.recorded[5].id}/corrections`, {
      withdrawn: true,
    });
    const meta = { propertyNo: '12A', postcode: 'LS1 4AP' };
    const { file } = (await render({ sessionId, meta })).body;
    return { id: file.id as string, file, pictures: pictures.map((picture) => sha256(bytesOf(picture))) };
  };
  const bytesOf = (buffer: Uint8Array) => new Uint8Array(buffer).buffer;
  const hashes = (files: Record<string, Uint8Array>) =>
    Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, sha256(bytesOf(bytes))]));

  it('contains the report, the list of evidence and each original as received', async () => {
    const { id, file, pictures } = await rendered();
    const [part, ...more] = await partsOf(id);
    expect(more).toEqual([]);
    expect(part).toMatchObject({ n: 1, filename: (file.filename as string).replace('.pdf', '.zip') });
    const zip = await fetched(part!);
    expect([zip.length, sha256(bytesOf(zip))]).toEqual([part!.bytes, part!.sha256]);
    const files = unzipSync(zip);
    const manifest = await client.admin('GET', `pdf/reports/${id}/manifest`);
    expect(hashes(files)).toEqual({
      'index.txt': expect.any(String),
      [file.filename as string]: file.sha256,
      'evidence.json': sha256(bytesOf(Buffer.from(manifest.text))),
      ...Object.fromEntries(
        pictures.slice(0, 5).map((hash, place) => [`photographs/${place + 1} Kitchen Diner.jpg`, hash]),
      ),
      'withdrawn/1 Kitchen Diner.jpg': pictures[5],
    });
    const index = Buffer.from(files['index.txt']!).toString();
    expect(index.split('\n').filter((line) => / (photographs|withdrawn)\//.test(line))).toHaveLength(6);
    for (const hash of pictures) expect(index).toContain(hash);
  });

  it('comes in parts of the requested size, with a larger file alone in one', async () => {
    const { id, file } = await rendered();
    const parts = await partsOf(id, { partMaxBytes: 10_000 });
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.map(({ n }) => n)).toEqual(parts.map((_, place) => place + 1));
    const all: Record<string, Uint8Array>[] = [];
    for (const part of parts) all.push(await unzipped(part));
    for (const [place, { bytes, filename }] of parts.entries()) {
      expect(filename).toMatch(new RegExp(` part ${place + 1} of ${parts.length}\\.zip$`));
      const own = Object.keys(all[place]!).filter((name) => name !== 'index.txt');
      if (bytes > 10_000) expect(own).toHaveLength(1);
    }
    expect(Object.keys(all[0]!)).toEqual(['index.txt', file.filename]);
    const index = Buffer.from(all[0]!['index.txt']!).toString();
    for (const [place, files] of all.entries())
      for (const name of Object.keys(files).filter((each) => each !== 'index.txt'))
        expect(index).toMatch(new RegExp(`^ *${place + 1} .* ${name.replace(/[.()]/g, '\\$&')}$`, 'm'));
  });

  it('has the same parts on a second request, and for concurrent ones', async () => {
    const { id } = await rendered();
    const concurrent = await Promise.all([1, 2, 3].map(() => partsOf(id)));
    expect(concurrent[1]).toEqual(concurrent[0]);
    expect(concurrent[2]).toEqual(concurrent[0]);
    expect(await partsOf(id)).toEqual(concurrent[0]);
  });

  it('has the same parts for requests to two processes at once, and leaves no orphan', async () => {
    const { id } = await rendered();
    const { app } = room.app;
    const [packs, store, vault] = [app.get(Packs), app.get(BlobStore), app.get(ReportVault)];
    const reader = app.get(DatabaseReader);
    const elsewhere = new Packs(
      ...([app.get(WriteGate), reader, store, vault, app.get(ReportLinks)] as const),
      ...([app.get(AppConfig), app.get(Clock)] as const),
    );
    const report = (await vault.find(id))!;
    const concurrent = await Promise.all([
      packs.pack(report, 20_000, room.app.url),
      elsewhere.pack(report, 20_000, room.app.url),
    ]);
    expect(concurrent[1]).toEqual(concurrent[0]);
    expect(await partsOf(id, { partMaxBytes: 20_000 })).toEqual(concurrent[0].parts);
    const lie: string[] = [];
    for await (const { key } of store.blobsOf('packs')) lie.push(key);
    const named = await reader.repository(PackPartEntity).find({});
    expect(lie.sort()).toEqual(named.map(({ storageKey }) => storageKey).sort());
  });

  it('replaces one with parts of another size', async () => {
    const { id } = await rendered();
    const [whole] = await partsOf(id);
    const [first] = await partsOf(id, { partMaxBytes: 10_000 });
    expect([(await fetch(whole!.url)).status, (await fetch(first!.url)).status]).toEqual([404, 200]);
    const rows = await room.app.app.get(DatabaseReader).repository(PackPartEntity).findBy({ reportId: id });
    expect(new Set(rows.map(({ partMaxBytes }) => Number(partMaxBytes)))).toEqual(new Set([10_000]));
  });

  it('keeps its parts if those that it replaces cannot be removed', async () => {
    const { id } = await rendered();
    await partsOf(id);
    const removing = jest
      .spyOn(room.app.app.get(BlobStore), 'remove')
      .mockRejectedValue(new Error('the bucket is away'));
    const [first] = await partsOf(id, { partMaxBytes: 10_000 });
    removing.mockRestore();
    expect((await fetch(first!.url)).status).toBe(200);
  });

  it('refuses an invalid size', async () => {
    const { id } = await rendered();
    for (const partMaxBytes of [0, -1, 1, 9_999, 1.5, 5e9, '40000000', null])
      expect(await pack(id, { partMaxBytes })).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ path: 'partMaxBytes' }] },
      });
    expect((await pack(randomUUID())).status).toBe(404);
  });

  it("is for the flow's key and the admin key, and each part for everyone with its address", async () => {
    const sessionId = session();
    await photographs(sessionId, 1, room.keyed.flowId);
    const { file } = (await render({ sessionId }, room.keyed.headers)).body;
    const id = file.id as string;
    expect((await pack(id, {}, {})).status).toBe(401);
    const { body } = await pack(id, {}, room.keyed.headers);
    const [part] = body.parts as Part[];
    const place = new URL(part!.url).pathname;
    const statuses = async () => [
      (await fetch(part!.url)).status,
      (await fetch(part!.url.replace('/packs/', '/reports/'))).status,
      (await client.send('GET', place)).status,
      (await client.send('GET', place, undefined, room.keyed.headers)).status,
    ];
    expect(await statuses()).toEqual([200, 404, 401, 200]);
  });

  it('names a lost original in its index, and is deleted when its addresses expire', async () => {
    const { id } = await rendered();
    const reader = room.app.app.get(DatabaseReader);
    const store = room.app.app.get(BlobStore);
    const lost = (await reader.one<{ original_key: string }>(
      `SELECT original_key FROM photographs JOIN reports ON reports.claim_id = photographs.claim_id
       WHERE reports.id = ? ORDER BY arrival LIMIT 1`,
      [id],
    ))!;
    await store.remove(lost.original_key);
    const [part] = await partsOf(id);
    const files = await unzipped(part!);
    expect(files).not.toHaveProperty(['photographs/1 Kitchen Diner.jpg']);
    const index = Buffer.from(files['index.txt']!).toString();
    expect(index).toMatch(/damaged in storage:\nphotographs\/1 Kitchen Diner\n/);

    const rows = () => reader.repository(PackPartEntity).findBy({ reportId: id });
    const [row] = await rows();
    room.app.clock.advance(row!.expiresAt - room.app.clock.now());
    expect((await fetch(part!.url)).status).toBe(404);
    await room.app.app.get(ExpiredFiles).sweep();
    expect(await rows()).toEqual([]);
    expect(await store.exists(row!.storageKey)).toBe(false);
  });

  it('leaves the space reserved for the database free', async () => {
    const { id } = await rendered();
    const store = room.app.app.get(BlobStore);
    const bytes = (await partsOf(id)).reduce((sum, part) => sum + part.bytes, 0);
    const all = 100 * 1024 * 1024;
    const nearly = jest.spyOn(store, 'diskSpace').mockResolvedValue({ free: all / 20 + bytes - 100, all });
    const put = jest.spyOn(store, 'put');
    expect(await pack(id, { partMaxBytes: 30_000_000 })).toMatchObject({
      status: 503,
      body: { code: 'overloaded' },
    });
    expect(put).not.toHaveBeenCalled();
    nearly.mockRestore();
    put.mockRestore();
    await partsOf(id, { partMaxBytes: 30_000_000 });
  });

  it('leaves no orphan if its process is killed before its rows are written', async () => {
    const { id } = await rendered();
    const [part] = await partsOf(id);
    const store = room.app.app.get<BlobStore, DiskStore>(BlobStore);
    const lost = await Promise.all(['packs', 'previews'].map((kind) => store.put(kind, Buffer.from('part'))));
    const draft = await store.draft();
    writeFileSync(draft.path, 'half a part');
    const sweep = () => room.app.app.get(ExpiredFiles).sweep();
    const left = async () => [
      ...(await Promise.all(lost.map(({ key }) => store.exists(key)))),
      existsSync(draft.path),
    ];
    const ago = (hours: number) => {
      const then = room.app.clock.now() / 1000 - hours * 3600;
      for (const { key } of lost) utimesSync(store.pathOf(key), then, then);
      utimesSync(draft.path, then, then);
    };
    ago(0.5);
    await sweep();
    expect(await left()).toEqual([true, true, true]);
    ago(25);
    await sweep();
    expect(await left()).toEqual([false, false, false]);
    expect((await fetch(part!.url)).status).toBe(200);
  });
});
