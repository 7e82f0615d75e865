import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { DatabaseReader } from '../src/database/database-reader.js';
import { BlobStore } from '../src/storage/blob-store.js';
import { RenderFixture, sha256 } from './fixtures/renders.js';
import { recordPhotograph } from './support/recorded-photographs.js';
import { samplePhotograph } from './support/sample-photographs.js';
import { installed } from './support/services.js';

const withPoppler = installed('pdfimages') ? it : it.skip;

const SAMPLES = ['bathroom', 'kitchen-1', 'keys', 'garden'];

interface Printed {
  width: number;
  height: number;
}

describe('a report with a size limit', () => {
  const room = new RenderFixture();
  let directory: string;
  let pictures: Buffer[];

  beforeAll(async () => {
    await room.start();
    const read = (name: string) => sharp(samplePhotograph(name)).jpeg({ quality: 90 }).toBuffer();
    pictures = await Promise.all(SAMPLES.map(read));
    directory = mkdtempSync(join(tmpdir(), 'max-bytes-'));
  });

  afterAll(async () => {
    await room.close();
    rmSync(directory, { recursive: true });
  });

  /**
   * Records photographs of 1,440 × 1,080 pixels, one of them upright; returns the session and the hashes of their
   * prints.
   */
  async function recorded(): Promise<{ sessionId: string; hashes: string[] }> {
    const sessionId = room.session();
    for (const jpeg of pictures) await recordPhotograph(room.app, { flowId: room.flowId, sessionId, jpeg });
    return { sessionId, hashes: pictures.map((jpeg) => sha256(new Uint8Array(jpeg).buffer)) };
  }

  const fetched = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer());

  const saved = (pdf: Buffer): string => {
    const path = join(directory, 'report.pdf');
    writeFileSync(path, pdf);
    return path;
  };

  function imagesOf(pdf: Buffer): Printed[] {
    const { stdout } = spawnSync('pdfimages', ['-list', saved(pdf)]);
    const rows = stdout.toString().trim().split('\n').slice(2);
    return rows.map((row) => {
      const [, , , width, height] = row.trim().split(/\s+/).map(Number);
      return { width: width!, height: height! };
    });
  }

  async function verified(pdf: Buffer): Promise<{ status: number | null; out: string }> {
    const { body } = await room.client.send('GET', '/api/v1/pdf/seal');
    const script = join(__dirname, '..', 'scripts', 'verify.mjs');
    const done = spawnSync(process.execPath, [script, saved(pdf), '--key', body.fingerprint as string]);
    return { status: done.status, out: `${done.stdout.toString()}${done.stderr.toString()}` };
  }

  const manifestOf = async (id: string) =>
    (await room.client.admin('GET', `pdf/reports/${id}/manifest`)).body.signed.manifest;

  const wholeBytes = async (sessionId: string): Promise<number> =>
    (await room.render({ sessionId }, room.adminHeaders(), { preview: true })).body.file.bytes;

  it('is printed from the recorded pictures if it fits', async () => {
    const { sessionId, hashes } = await recorded();
    const { body } = await room.render({ sessionId }, {}, { maxBytes: 5_000_000 });
    expect(body.file).not.toHaveProperty('reducedTo');
    expect(body.warnings).toEqual([]);
    const { photographs } = await manifestOf(body.file.id as string);
    const printed = photographs.map((each: { embedded: object }) => each.embedded);
    expect(printed).toEqual(hashes.map((hash) => ({ sha256: hash })));
  });

  it('has all its pictures stepped down together, no further than necessary, and is redrawn to the same bytes', async () => {
    const { sessionId, hashes } = await recorded();
    const whole = await wholeBytes(sessionId);
    const maxBytes = Math.round(whole * 0.6);
    const { body } = await room.render({ sessionId }, {}, { maxBytes });
    expect(body.file.bytes).toBeLessThanOrEqual(maxBytes);
    expect(body.file.bytes).toBeGreaterThan(maxBytes * 0.7);
    expect(body.warnings).toEqual([]);
    const { longSide, quality } = body.file.reducedTo;
    expect([longSide >= 800, quality >= 60, quality < 90]).toEqual([true, true, true]);
    const { photographs } = await manifestOf(body.file.id as string);
    expect(photographs.map((each: { original: { sha256: string } }) => each.original.sha256)).toEqual(hashes);
    for (const { embedded } of photographs) {
      expect(embedded.reducedTo).toEqual({ longSide, quality });
      expect(hashes).not.toContain(embedded.sha256);
    }
    const listed = await room.client.admin('GET', `pdf/reports?sessionId=${sessionId}`);
    expect(listed.body.data[0].reducedTo).toEqual({ longSide, quality });
    const again = await room.client.admin('POST', `pdf/reports/${body.file.id}/redraw`);
    expect(again.body).toMatchObject({ identical: true, file: { sha256: body.file.sha256 } });
    expect(await fetched(body.file.url as string)).toHaveLength(body.file.bytes as number);
  });

  it('passes its limit on to further editions, until one sets another or none', async () => {
    const { sessionId } = await recorded();
    const maxBytes = Math.round((await wholeBytes(sessionId)) * 0.6);
    let { body } = await room.render({ sessionId }, {}, { maxBytes });
    const next = async (more: object) => {
      const asked = { reason: 'A word', ...more };
      ({ body } = await room.client.admin('POST', `pdf/reports/${body.file.id}/editions`, asked));
      return body.file as { bytes: number; reducedTo?: object };
    };
    const unchanged = await next({});
    expect(unchanged.bytes).toBeLessThanOrEqual(maxBytes);
    expect(unchanged).toHaveProperty('reducedTo');
    expect((await next({ maxBytes: maxBytes + 1 })).bytes).toBeLessThanOrEqual(maxBytes + 1);
    expect(await next({ maxBytes: null })).not.toHaveProperty('reducedTo');
    expect(await next({})).not.toHaveProperty('reducedTo');
    const { data } = (await room.client.admin('GET', `pdf/reports?sessionId=${sessionId}`)).body;
    const sizes = data.map((report: { maxBytes?: number }) => report.maxBytes);
    expect(sizes).toEqual([undefined, undefined, maxBytes + 1, maxBytes, maxBytes]);
  });

  withPoppler.each([20_000, 1])(
    'is made even if it cannot fit into %j, with its pictures at their minimum size',
    async (maxBytes) => {
      const { sessionId } = await recorded();
      const { body } = await room.render({ sessionId }, {}, { maxBytes });
      const over = (body.file.bytes as number) - maxBytes;
      expect(body.claimed).toBe(SAMPLES.length);
      expect(body.warnings).toMatchObject([
        { code: 'max_bytes_exceeded', path: 'maxBytes', message: expect.stringContaining(` ${over} more `) },
      ]);
      expect(body.file.reducedTo).toEqual({ longSide: 800, quality: 60 });
      const pdf = await fetched(body.file.url as string);
      const printed = imagesOf(pdf);
      expect(printed).toHaveLength(SAMPLES.length);
      for (const { width, height } of printed)
        expect([Math.max(width, height), Math.min(width, height)]).toEqual([800, 600]);
    },
  );

  it('is verified to the byte, and reported to show smaller copies', async () => {
    const { sessionId } = await recorded();
    const { body } = await room.render({ sessionId }, {}, { maxBytes: 380_000 });
    const pdf = await fetched(body.file.url as string);
    const sound = await verified(pdf);
    expect(sound.status).toBe(0);
    expect(sound.out).toContain('every picture is the one that was sealed. 4 of 4 are smaller copies');
    const [first] = (await manifestOf(body.file.id as string)).photographs;
    const altered = Buffer.from(pdf);
    altered[altered.indexOf(Buffer.from([0xff, 0xda])) + 200]! ^= 1;
    const changed = await verified(altered);
    expect(changed.status).toBe(1);
    expect(changed.out).toContain(`PICTURE: Photograph ${first.number}`);
  });

  it('leaves no copy of a picture behind', async () => {
    const { sessionId } = await recorded();
    const blobs = async (): Promise<number> => {
      let count = 0;
      for await (const { key } of room.app.app.get(BlobStore).blobs()) count += key === '' ? 0 : 1;
      return count;
    };
    const before = await blobs();
    await room.render({ sessionId }, {}, { maxBytes: 330_000 });
    // The report and its list of evidence.
    expect(await blobs()).toBe(before + 2);
  });

  it('steps down previews and further editions, too', async () => {
    const { sessionId } = await recorded();
    const draft = await room.render({ sessionId }, room.adminHeaders(), { preview: true, maxBytes: 330_000 });
    expect(draft.body.file.bytes).toBeLessThanOrEqual(330_000);
    expect(draft.body.file.reducedTo).toBeDefined();
    const { body } = await room.render({ sessionId });
    const edition = await room.client.admin('POST', `pdf/reports/${body.file.id}/editions`, {
      reason: 'For the scheme',
      maxBytes: 330_000,
    });
    expect(edition.body.file.reducedTo).toEqual(draft.body.file.reducedTo);
    expect(edition.body.file.bytes).toBeLessThanOrEqual(330_000);
    const again = await room.client.admin('POST', `pdf/reports/${edition.body.file.id}/redraw`);
    expect(again.body.identical).toBe(true);
  });

  it.each([0, -1, 2_000_000_001, 1e300, 50_000.5, '330000', true, [], {}])(
    'is 400 for maxBytes %j, and nothing is claimed',
    async (maxBytes) => {
      const sessionId = room.session();
      await room.photographs(sessionId);
      const { status, body } = await room.render({ sessionId }, {}, { maxBytes });
      expect([status, body.code, body.errors]).toEqual([
        400,
        'invalid_request',
        [{ path: 'maxBytes', message: 'must be a whole number from 1 to 2000000000' }],
      ]);
      const claims = 'SELECT COUNT(*) AS count FROM claims WHERE session_id = ?';
      const counted = await room.app.app.get(DatabaseReader).one<{ count: number }>(claims, [sessionId]);
      expect(Number(counted!.count)).toBe(0);
    },
  );

  it('is another request under an Idempotency-Key if its limit differs', async () => {
    const { sessionId } = await recorded();
    const headers = { 'idempotency-key': sessionId };
    const first = await room.render({ sessionId }, headers, { maxBytes: 330_000 });
    const replayed = await room.render({ sessionId }, headers, { maxBytes: 330_000 });
    expect(replayed.body).toEqual(first.body);
    const other = await room.render({ sessionId }, headers, { maxBytes: 380_000 });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
  });
});
