import files from 'node:fs';
import { ReportVault } from '../src/pdf/vault/report-vault.js';
import { BlobStore } from '../src/storage/blob-store.js';
import { logoPicture, RenderFixture, sha256 } from './fixtures/renders.js';

describe('a report', () => {
  const room = new RenderFixture();
  const { adminHeaders, client, photographs, render, session } = room;

  beforeAll(() => room.start());
  afterAll(() => room.close());

  describe('in the vault', () => {
    it('is listed for the key of its flow and the admin key only', async () => {
      const sessionId = session();
      await photographs(sessionId, 1, room.keyed.flowId);
      const { body } = await render({ sessionId }, room.keyed.headers);
      const list = `/api/v1/pdf/reports?sessionId=${sessionId}`;
      expect((await client.send('GET', list)).status).toBe(401);
      for (const headers of [room.keyed.headers, adminHeaders()]) {
        const listed = await client.send('GET', list, undefined, headers);
        expect(listed.body.data).toMatchObject([
          { id: body.file.id, sha256: body.file.sha256, photographs: 1 },
        ]);
      }
      const file = `/api/v1/pdf/reports/${body.file.id}/file`;
      expect((await client.send('GET', file)).status).toBe(401);
      expect((await client.send('GET', file, undefined, room.keyed.headers)).status).toBe(200);
      expect((await client.send('GET', file, undefined, adminHeaders())).status).toBe(200);
    });

    it('is not opened by an altered or expired address', async () => {
      const sessionId = session();
      await photographs(sessionId);
      const url = new URL((await render({ sessionId })).body.file.url as string);
      const altered = new URL(url);
      altered.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 3600));
      expect((await fetch(altered)).status).toBe(401);
      expect((await fetch(url)).status).toBe(200);
      room.app.clock.advance(169 * 3_600_000);
      expect((await fetch(url)).status).toBe(401);
    });

    it('is read in ranges: one at a time, of the version that If-Range names', async () => {
      const sessionId = session();
      await photographs(sessionId);
      const { url, bytes, sha256: hash } = (await render({ sessionId })).body.file;
      const whole = Buffer.from(await (await fetch(url as string)).arrayBuffer());
      expect(whole.length).toBe(bytes);
      const get = async (range: string, headers: Record<string, string> = {}, method = 'GET') => {
        const answer = await fetch(url as string, { method, headers: { range, ...headers } });
        return { answer, status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
      };
      const parts: [string, number, number][] = [
        ['bytes=0-0', 0, 1],
        ['bytes=10-99', 10, 100],
        [`bytes=${bytes - 5}-`, bytes - 5, bytes],
        ['bytes=-7', bytes - 7, bytes],
        [`bytes=100-${bytes * 9}`, 100, bytes],
        [`bytes=-${bytes * 9}`, 0, bytes],
      ];
      for (const [range, from, to] of parts) {
        const { answer, status, body } = await get(range);
        expect([range, status]).toEqual([range, 206]);
        expect(answer.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/${bytes}`);
        expect(answer.headers.get('content-length')).toBe(String(to - from));
        expect(body.equals(whole.subarray(from, to))).toBe(true);
      }
      for (const range of ['bytes=0-1,5-6', 'bytes=9-3', 'bytes=', 'bytes=a-b', 'lines=1-2', 'nonsense']) {
        const { answer, status, body } = await get(range);
        expect([range, status, body.length]).toEqual([range, 200, bytes]);
        expect(answer.headers.get('accept-ranges')).toBe('bytes');
      }
      for (const range of [`bytes=${bytes}-`, `bytes=${bytes + 5}-${bytes + 9}`, 'bytes=-0']) {
        const { answer, status, body } = await get(range);
        expect([range, status, JSON.parse(body.toString()).code]).toEqual([
          range,
          416,
          'range_not_satisfiable',
        ]);
        expect(answer.headers.get('content-range')).toBe(`bytes */${bytes}`);
        expect(answer.headers.get('content-disposition')).toBeNull();
      }
      const part = 'bytes=0-9';
      expect((await get(part, { 'if-range': `"${hash}"` })).status).toBe(206);
      for (const other of ['"x"', `W/"${hash}"`, 'Sun, 22 Nov 2026 00:00:00 GMT'])
        expect((await get(part, { 'if-range': other })).body.length).toBe(bytes);
      const head = await get(part, {}, 'HEAD');
      expect([head.status, head.answer.headers.get('content-length'), head.body.length]).toEqual([
        200,
        String(bytes),
        0,
      ]);
      const known = await fetch(url as string, {
        headers: { 'if-none-match': `"${hash}"`, 'cache-control': 'max-age=0' },
      });
      expect([known.status, known.headers.get('etag'), await known.text()]).toEqual([304, `"${hash}"`, '']);
    });

    it('is named after its session and photographs, and shown inline on request', async () => {
      const sessionId = session();
      await client.send('POST', '/api/v1/inspection/capture', {
        flowId: room.flowId,
        sessionId,
        area: 'Hall',
      });
      await photographs(sessionId);
      const { body } = await render({ sessionId, meta: { propertyNo: '12A/b', postcode: 'LS1 4AP' } });
      const { id, url, filename } = body.file as { id: string; url: string; filename: string };
      expect(filename).toMatch(/^\d{8} 12Ab LS1 4AP\.pdf$/);
      await photographs(sessionId);
      const shown = await client.admin('GET', `inspection/sessions/${sessionId}`);
      expect(shown.body.photographs).toMatchObject([{ reportId: id }, { reportId: null }]);
      const listed = await client.admin('GET', `inspection/sessions?q=${sessionId}`);
      expect(listed.body.data).toMatchObject([{ areas: ['Kitchen'], lastReport: { id, filename } }]);
      for (const [query, manner] of [
        ['', 'attachment'],
        ['&inline=true', 'inline'],
      ]) {
        const { headers } = await fetch(url + query);
        expect(headers.get('content-disposition')).toMatch(new RegExp(`^${manner}; filename=`));
      }
    });

    it('is the last report of its session until there is a newer one', async () => {
      const sessionId = session();
      const opening = { flowId: room.flowId, sessionId, area: 'Hall' };
      await client.send('POST', '/api/v1/inspection/capture', opening);
      const lastReport = async () =>
        (await client.admin('GET', `inspection/sessions?q=${sessionId}`)).body.data[0].lastReport;
      for (const propertyNo of ['1', '2', '3']) {
        await photographs(sessionId);
        const { id, filename } = (await render({ sessionId, meta: { propertyNo } })).body.file;
        expect(filename).toMatch(new RegExp(`^\\d{8} ${propertyNo}\\.pdf$`));
        expect(await lastReport()).toMatchObject({ id, filename });
        room.app.clock.advance(1_000);
      }
    });

    it('can be mailed only with a mail server, which admins can look up', async () => {
      expect((await client.admin('GET', 'pdf/delivery')).body).toEqual({ email: false });
      expect((await client.send('GET', '/api/v1/pdf/delivery')).body.code).toBe('invalid_admin_key');
    });

    it('is redrawn to the same bytes, and repaired by it', async () => {
      const sessionId = session();
      await photographs(sessionId, 3);
      const logo = `data:image/png;base64,${(await logoPicture()).toString('base64')}`;
      const { body } = await render({ sessionId, meta: { address: '1 High Street', logo } });
      expect(body.warnings).toEqual([]);
      const redraw = `pdf/reports/${body.file.id}/redraw`;
      expect((await client.send('POST', `/api/v1/${redraw}`)).status).toBe(401);
      const store = room.app.app.get(BlobStore);
      const stored = (await room.app.app.get(ReportVault).find(body.file.id as string))!;
      await store.remove(stored.key);
      expect((await fetch(body.file.url as string)).status).toBe(500);
      room.app.clock.advance(3_600_000);
      const redrawn = await client.admin('POST', redraw);
      expect(redrawn.body).toMatchObject({ identical: true, file: { sha256: body.file.sha256 } });
      const file = await fetch(redrawn.body.file.url as string);
      expect(sha256(await file.arrayBuffer())).toBe(body.file.sha256);
    });

    it('is read by nobody but its drawing worker, so that no other call waits for that', async () => {
      const sessionId = session();
      await photographs(sessionId, 2);
      const { body } = await render({ sessionId });
      const reads = jest.spyOn(files, 'createReadStream');
      const redrawn = await client.admin('POST', `pdf/reports/${body.file.id}/redraw`);
      expect(redrawn.body).toMatchObject({ identical: true });
      expect(reads).not.toHaveBeenCalled();
      const file = await fetch(redrawn.body.file.url as string);
      expect((await file.arrayBuffer()).byteLength).toBe(body.file.bytes);
      // Reads once to check it, once to send it.
      expect(reads).toHaveBeenCalledTimes(2);
      reads.mockRestore();
    });
  });
});
