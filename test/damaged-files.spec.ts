import { unzipSync } from 'fflate';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { DatabaseReader } from '../src/database/database-reader.js';
import { BlobStore } from '../src/storage/blob-store.js';
import type { DiskStore } from '../src/storage/disk-store.js';
import { RenderFixture, sha256, withFile } from './fixtures/renders.js';
import { readPdf } from './support/read-pdf.js';
import { smallJpeg } from './support/recorded-photographs.js';

interface Row {
  original_key: string;
  rendition_key: string;
}

describe('stored files that were damaged', () => {
  const room = new RenderFixture();
  const { client, render, session } = room;

  beforeAll(() => room.start());
  afterAll(() => room.close());

  /** Captures two photographs; the second is too large to be printed as it is. */
  const captured = async () => {
    return capturedAs([await smallJpeg(), await smallJpeg(1800, 1200)]);
  };
  const capturedAs = async (photographs: Buffer[]) => {
    const sessionId = session();
    const { body } = await client.send('POST', '/api/v1/inspection/capture', {
      ...{ flowId: room.flowId, sessionId, area: 'Kitchen' },
      photographs: photographs.map((picture) => ({ data: picture.toString('base64') })),
    });
    return { sessionId, photographs, ids: (body.recorded as { id: string }[]).map(({ id }) => id) };
  };
  const rowOf = (id: string) =>
    room.app.app
      .get(DatabaseReader)
      .one<Row>('SELECT original_key, rendition_key FROM photographs WHERE id = ?', [id]) as Promise<Row>;
  const turnedKey = async (id: string) =>
    (await room.app.app
      .get(DatabaseReader)
      .one<{ storage_key: string }>('SELECT storage_key FROM turned_prints WHERE photograph_id = ?', [id]))!
      .storage_key;
  const uprightOf = async (id: string) =>
    (await room.app.app.get(DatabaseReader).one<{
      key: string;
      sha256: string;
    }>('SELECT rendition_key AS key, rendition_sha256 AS sha256 FROM photographs WHERE id = ?', [id]))!;
  const pathOf = (key: string) => room.app.app.get<DiskStore>(BlobStore).pathOf(key);
  /** Flips one bit in the middle of a stored file. */
  const damage = (key: string) => {
    const bytes = readFileSync(pathOf(key));
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(pathOf(key), bytes);
  };
  const get = (path: string) => fetch(`${room.app.url}/api/v1/${path}`, { headers: room.adminHeaders() });
  const bytesOf = async (path: string) => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  };
  const packed = async (reportId: string) => {
    const { body } = await client.admin('POST', `pdf/reports/${reportId}/pack`, {});
    const [part] = body.parts as { url: string }[];
    const files = Object.entries(unzipSync(new Uint8Array(await (await fetch(part!.url)).arrayBuffer())));
    const index = Buffer.from(files.find(([name]) => name === 'index.txt')![1]).toString();
    return {
      index,
      originals: Object.fromEntries(files.filter(([name]) => name.startsWith('photographs/'))),
    };
  };
  const refused = { status: 500, code: 'stored_file_damaged' };
  const answerOf = async (path: string) => {
    const answer = await get(path);
    return { status: answer.status, code: ((await answer.json()) as { code: string }).code };
  };

  it('an original is refused instead of served', async () => {
    const { ids } = await captured();
    await bytesOf(`inspection/photographs/${ids[0]}/original`);
    damage((await rowOf(ids[0]!)).original_key);
    expect(await answerOf(`inspection/photographs/${ids[0]}/original`)).toEqual(refused);
    await bytesOf(`inspection/photographs/${ids[0]}/print`);
  });

  it.each([0, 1])('a print is made again from its original, with the same bytes (%i)', async (place) => {
    const { ids } = await captured();
    const path = `inspection/photographs/${ids[place]}/print`;
    const before = await bytesOf(path);
    const { rendition_key } = await rowOf(ids[place]!);
    damage(rendition_key);
    expect((await bytesOf(path)).equals(before)).toBe(true);
    expect((await rowOf(ids[place]!)).rendition_key).not.toBe(rendition_key);
    expect(await room.app.app.get(BlobStore).exists(rendition_key)).toBe(false);
  });

  it('a print is refused if the original is damaged too', async () => {
    const { ids } = await captured();
    const { original_key, rendition_key } = await rowOf(ids[0]!);
    damage(original_key);
    damage(rendition_key);
    expect(await answerOf(`inspection/photographs/${ids[0]}/print`)).toEqual(refused);
  });

  it('a rotated print is made again, though the upright one is damaged too', async () => {
    const { ids } = await captured();
    await client.admin('POST', `inspection/photographs/${ids[1]}/corrections`, { turn: 90 });
    const path = `inspection/photographs/${ids[1]}/print`;
    const before = await bytesOf(path);
    damage(await turnedKey(ids[1]!));
    damage((await rowOf(ids[1]!)).rendition_key);
    expect((await bytesOf(path)).equals(before)).toBe(true);
  });

  it('a rotated print is not made from a damaged one', async () => {
    const { ids } = await captured();
    damage((await rowOf(ids[1]!)).rendition_key);
    await client.admin('POST', `inspection/photographs/${ids[1]}/corrections`, { turn: 90 });
    const print = await bytesOf(`inspection/photographs/${ids[1]}/print`);
    const { width, height } = await sharp(print, { failOn: 'warning' }).metadata();
    expect([width, height]).toEqual([853, 1280]);
    expect(await room.app.app.get(BlobStore).isSound(await uprightOf(ids[1]!))).toBe(true);
  });

  it.each(['damaged', 'gone'])('a report prints a picture again whose print is %s', async (how) => {
    const { ids, sessionId } = await captured();
    for (const id of ids) {
      const { rendition_key } = await rowOf(id);
      if (how === 'gone') rmSync(pathOf(rendition_key));
      else damage(rendition_key);
    }
    const { body } = await render({ sessionId });
    expect(body.warnings).toEqual([]);
    const file = await bytesOf(`pdf/reports/${body.file.id}/file`);
    expect(withFile(file, readPdf).pages.flatMap(({ pictures }) => pictures)).toHaveLength(2);
    expect(sha256(new Uint8Array(file).buffer)).toBe(body.file.sha256);
  });

  it('a report prints a placeholder if the original is damaged too, and reports it', async () => {
    const { ids, sessionId } = await captured();
    const { original_key, rendition_key } = await rowOf(ids[1]!);
    damage(original_key);
    damage(rendition_key);
    const { body } = await render({ sessionId });
    const message = expect.stringContaining('number 2') as string;
    expect(body.warnings).toEqual([{ code: 'stored_file_damaged', message }]);
    const file = await bytesOf(`pdf/reports/${body.file.id}/file`);
    const { pages, text } = withFile(file, readPdf);
    expect(pages.flatMap(({ pictures }) => pictures)).toHaveLength(1);
    expect(text).toMatch(/This photograph could not be drawn[^]*is shown\s+in\s+full\s+unless\s+noted/);
    const { manifest } = (
      JSON.parse((await bytesOf(`pdf/reports/${body.file.id}/manifest`)).toString()) as {
        signed: { manifest: { photographs: { embedded: unknown }[] } };
      }
    ).signed;
    expect(manifest.photographs.map(({ embedded }) => embedded === null)).toEqual([false, true]);
  });

  it('a report is refused, whole and in ranges, and is not packed', async () => {
    const { sessionId } = await captured();
    const { body } = await render({ sessionId });
    const id = body.file.id as string;
    const row = await room.app.app
      .get(DatabaseReader)
      .one<{ storage_key: string }>('SELECT storage_key FROM reports WHERE id = ?', [id]);
    damage(row!.storage_key);
    expect(await answerOf(`pdf/reports/${id}/file`)).toEqual(refused);
    const part = await fetch(`${room.app.url}/api/v1/pdf/reports/${id}/file`, {
      headers: { ...room.adminHeaders(), range: 'bytes=0-9' },
    });
    expect(part.status).toBe(500);
    expect((await client.admin('POST', `pdf/reports/${id}/pack`, {})).body).toMatchObject(refused);
  });

  it.each(['cut short', 'gone'])(
    'a report that is %s is refused as damaged, and drawn again',
    async (how) => {
      const { sessionId } = await captured();
      const { body } = await render({ sessionId });
      const { id, sha256: recorded } = body.file as { id: string; sha256: string };
      const row = await room.app.app
        .get(DatabaseReader)
        .one<{ storage_key: string }>('SELECT storage_key FROM reports WHERE id = ?', [id]);
      if (how === 'gone') rmSync(pathOf(row!.storage_key));
      else truncateSync(pathOf(row!.storage_key), 1000);
      const answer = await get(`pdf/reports/${id}/file`);
      expect(await answer.json()).toMatchObject({ ...refused, message: expect.stringContaining('/redraw') });
      await client.admin('POST', `pdf/reports/${id}/redraw`);
      const file = await bytesOf(`pdf/reports/${id}/file`);
      expect(sha256(new Uint8Array(file).buffer)).toBe(recorded);
    },
  );

  it('a report that is drawn again twice at once has one file', async () => {
    const { sessionId } = await captured();
    const { id, sha256: recorded } = (await render({ sessionId })).body.file as {
      id: string;
      sha256: string;
    };
    const stored = async () => {
      let count = 0;
      for await (const { key } of room.app.app.get(BlobStore).blobsOf('reports')) count += key ? 1 : 0;
      return count;
    };
    const before = await stored();
    const redraw = () => client.admin('POST', `pdf/reports/${id}/redraw`);
    for (const { body } of await Promise.all([redraw(), redraw()])) expect(body.identical).toBe(true);
    expect(await stored()).toBe(before);
    expect(sha256(new Uint8Array(await bytesOf(`pdf/reports/${id}/file`)).buffer)).toBe(recorded);
  });

  it.each(['damaged', 'gone'])('a list of evidence that is %s is refused, and made again', async (how) => {
    const { sessionId } = await captured();
    const id = (await render({ sessionId })).body.file.id as string;
    const before = await bytesOf(`pdf/reports/${id}/manifest`);
    const row = await room.app.app
      .get(DatabaseReader)
      .one<{ manifest_key: string }>('SELECT manifest_key FROM reports WHERE id = ?', [id]);
    if (how === 'gone') rmSync(pathOf(row!.manifest_key));
    else damage(row!.manifest_key);
    const pack = () => client.admin('POST', `pdf/reports/${id}/pack`, {});
    expect(await answerOf(`pdf/reports/${id}/manifest`)).toEqual(refused);
    expect((await pack()).body).toMatchObject({ ...refused, message: expect.stringContaining('/redraw') });
    await client.admin('POST', `pdf/reports/${id}/redraw`);
    expect((await bytesOf(`pdf/reports/${id}/manifest`)).equals(before)).toBe(true);
    expect((await pack()).status).toBe(200);
    expect(await room.app.app.get(BlobStore).exists(row!.manifest_key)).toBe(false);
  });

  it.each([0, 1])('an original is packed from another photograph with the same bytes (%i)', async (place) => {
    const picture = await smallJpeg();
    const { ids, sessionId } = await capturedAs([picture, picture]);
    const { body } = await render({ sessionId });
    damage((await rowOf(ids[place]!)).original_key);
    const { index, originals } = await packed(body.file.id as string);
    expect(Object.values(originals)).toEqual([picture, picture].map((bytes) => new Uint8Array(bytes)));
    expect(index).not.toContain('damaged');
  });

  it('an original is left out of a pack, whose index names it', async () => {
    const { ids, sessionId, photographs } = await captured();
    const { body } = await render({ sessionId });
    damage((await rowOf(ids[0]!)).original_key);
    const { index, originals } = await packed(body.file.id as string);
    expect(originals).toEqual({ 'photographs/2 Kitchen.jpg': new Uint8Array(photographs[1]!) });
    expect(index).toMatch(/damaged in storage:\n.*1 Kitchen/);
  });
});
