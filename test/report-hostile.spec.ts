import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storableText } from '../src/common/json/json-text.js';
import type { Warning } from '../src/common/warnings.js';
import { DrawingQueue } from '../src/pdf/drawing/drawing-queue.js';
import { BlobStore } from '../src/storage/blob-store.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { readPdf } from './support/read-pdf.js';
import { recordPhotograph } from './support/recorded-photographs.js';
import { type Answer, ServiceClient } from './support/service-client.js';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>';

/** Hostile input and failures while a report is made. No photograph is ever lost. */
describe('a report', () => {
  let app: TestApp;
  let client: ServiceClient;
  let folder: string;
  let flowId: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hostile-'));
    app = await startTestApp({ env: { RENDERS_PER_MINUTE: '100000' } });
    client = new ServiceClient(() => app);
    flowId = await client.flow({ name: 'Open', nodes: [{ id: 'start', kind: 'start' }], edges: [] });
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });

  async function session(...areas: string[]): Promise<string> {
    const sessionId = randomUUID();
    for (const area of areas) await recordPhotograph(app, { flowId, sessionId, area });
    return sessionId;
  }
  const send = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    client.send('POST', '/api/v1/pdf/render', body, { 'content-type': 'application/json', ...headers });
  const render = (sessionId: string, meta: unknown = {}, headers: Record<string, string> = {}) =>
    send({ templateId: 'inspection', source: { type: 'inspection', sessionId, meta } }, headers);
  const pdfOf = async (
    answer: Answer,
  ): Promise<{ path: string; text: string; alternatives: readonly string[] }> => {
    const path = join(folder, `${randomUUID()}.pdf`);
    const file = await fetch(answer.body.file.url as string);
    writeFileSync(path, new Uint8Array(await file.arrayBuffer()));
    const { text, alternatives } = readPdf(path);
    return { path, text, alternatives };
  };
  const isSound = (path: string): boolean => {
    const { stdout, stderr } = spawnSync('qpdf', ['--check', path], { encoding: 'utf8' });
    return `${stdout}${stderr}`.includes('No syntax or stream encoding errors');
  };

  describe('with a meta', () => {
    const members = [
      'address', 'assessor', 'tenant', 'company', 'reportType', 'guided', 'propertyNo', 'postcode', 'logo', 'geo',
      'areaComments', 'keyDetails', 'skippedAreas',
    ]; // prettier-ignore
    it.each([[7], [true], [['a']], [{ a: 1 }], [[[[]]]], [-0.5], ['text']])(
      'whose members are all %j names the dropped ones and prints the rest',
      async (value) => {
        const sessionId = await session('Kitchen');
        const answer = await render(sessionId, Object.fromEntries(members.map((name) => [name, value])));
        expect(answer.status).toBe(200);
        const warned = members.filter((name) =>
          (answer.body.warnings as Warning[]).some(({ path }) => path?.startsWith(`meta.${name}`)),
        );
        const texts = ['address', 'assessor', 'tenant', 'company', 'reportType', 'propertyNo', 'postcode'];
        const taken = [
          ...(typeof value === 'string' ? texts : []),
          ...(typeof value === 'boolean' ? ['guided'] : []),
          // An object has the right type, but no known members.
          ...(typeof value === 'object' && !Array.isArray(value) ? ['keyDetails', 'areaComments'] : []),
        ];
        const quiet = members.filter((name) => !warned.includes(name));
        expect(quiet.every((name) => taken.includes(name))).toBe(true);
        expect((await pdfOf(answer)).text).toContain('Photograph 1');
      },
    );

    it.each([[null], ['text'], [7], [[]], [true]])('that is %j ignores it', async (meta) => {
      const answer = await render(await session('Kitchen'), meta);
      expect(answer.body).toMatchObject({
        claimed: 1,
        warnings: meta === null ? [] : [{ code: 'wrong_type', message: expect.any(String), path: 'meta' }],
      });
    });

    it('with an address of 1 MiB prints all of it, and delays nobody else', async () => {
      const sessionId = await session('Kitchen');
      const address = 'Flat 4 Long Road '.repeat(Math.ceil((1024 * 1024) / 17)).slice(0, 1024 * 1024);
      const begun = performance.now();
      const drawn = render(sessionId, { address });
      const waits: number[] = [];
      let over = false;
      void drawn.finally(() => (over = true));
      while (!over) {
        const start = performance.now();
        expect((await fetch(`${app.url}/health/live`)).status).toBe(200);
        waits.push(performance.now() - start);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const answer = await drawn;
      const took = performance.now() - begun;
      expect(answer.status).toBe(200);
      const { text } = await pdfOf(answer);
      const words = (whole: string) => whole.match(/Flat|Long|Road/g)!.length;
      expect(words(text)).toBeGreaterThanOrEqual(words(address));
      expect(Math.max(...waits)).toBeLessThan(took / 2);
    });

    it('with every control character in every text is a valid PDF with a plain name', async () => {
      const codes = [...Array.from({ length: 0x20 }, (_, code) => code), 0x7f];
      for (let code = 0x80; code < 0xa0; code++) codes.push(code);
      codes.push(0x200b, 0x200e, 0x202e, 0x2028, 0x2066, 0xfeff, 0xfffe, 0xd800, 0xdfff);
      const all = `x${codes.map((code) => String.fromCharCode(code)).join('')}y`;
      // The edge replaces characters of a captured area that no database can store.
      const sessionId = await session('Kitchen', storableText(all));
      const answer = await render(sessionId, {
        ...{ address: all, assessor: all, tenant: all, company: all, propertyNo: all, postcode: all },
        areaComments: { Kitchen: [all], [all]: [all] },
        keyDetails: { numberOfKeys: all, takenFrom: all },
        skippedAreas: all,
      });
      expect(answer.status).toBe(200);
      expect(answer.body.file.filename).toMatch(
        /^\d{8} x[^\p{Cc}\p{Cf}]{0,3}y x[^\p{Cc}\p{Cf}]{0,3}y\.pdf$/u,
      );
      const { path, alternatives } = await pdfOf(answer);
      expect(alternatives).toHaveLength(2);
      expect(isSound(path)).toBe(true);
    });

    it('with 10,000 remarks prints every one', async () => {
      const remarks = Array.from({ length: 10_000 }, (_, index) => `Remark number ${index}.`);
      const answer = await render(await session('Kitchen'), { areaComments: { kitchen: remarks } });
      const { text } = await pdfOf(answer);
      expect(text.match(/Remark number \d+\./g)).toHaveLength(10_000);
    });

    it('with 10,000 keys that name no area warns of the first hundred', async () => {
      const areaComments = Object.fromEntries(
        Array.from({ length: 10_000 }, (_, index) => [`Nowhere ${index}`, ['x']]),
      );
      const { status, body } = await render(await session('Kitchen'), { areaComments });
      expect(status).toBe(200);
      expect(body.warnings).toHaveLength(101);
      expect(body.warnings.at(-1)).toMatchObject({ code: 'more_warnings', count: 9_900 });
    });

    it('treats __proto__, constructor and toString as ordinary names of areas', async () => {
      const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
      const sessionId = await session(...names);
      const comments = names.map((name) => `"${name}":["About ${name}."]`).join(',');
      const answer = await send(
        `{"templateId":"inspection","source":{"type":"inspection","sessionId":"${sessionId}","meta":` +
          `{"__proto__":{"guided":true,"address":"Nowhere"},"areaComments":{${comments}}}}}`,
      );
      expect(answer.body).toMatchObject({ claimed: 4, warnings: [] });
      const { text } = await pdfOf(answer);
      for (const name of names) expect(text).toContain(`About ${name}.`);
      expect(text).not.toMatch(/Guided|Nowhere/);
      expect(({} as Record<string, unknown>)['guided']).toBeUndefined();
    });

    it('nested a thousand deep is refused, and claims nothing', async () => {
      const sessionId = await session('Kitchen');
      const deep = `${'['.repeat(1000)}${']'.repeat(1000)}`;
      const refused = await send(
        `{"templateId":"inspection","source":{"type":"inspection","sessionId":"${sessionId}","meta":{"a":${deep}}}}`,
      );
      expect(refused.body).toMatchObject({ status: 400, code: 'json_too_deep' });
      expect((await render(sessionId)).body.claimed).toBe(1);
    });
  });

  describe('with a logo', () => {
    it('of 60 MB is refused before anything is claimed, in the meta and as an asset', async () => {
      const sessionId = await session('Kitchen');
      const logo = `data:image/png;base64,${'A'.repeat(80 * 1024 * 1024)}`;
      // A service that has read enough may close the connection before the last byte is sent.
      const refused = await render(sessionId, { logo }).catch(() => undefined);
      if (refused) expect(refused.body).toMatchObject({ status: 413, code: 'body_too_large' });
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(60 * 1024 * 1024)], { type: 'image/png' }), 'logo.png');
      const asset = await client.admin('POST', 'assets', form).catch(() => undefined);
      if (asset) expect([400, 413]).toContain(asset.status);
      expect((await render(sessionId)).body.claimed).toBe(1);
    });

    it('or a photograph that is SVG with scripts accepts neither', async () => {
      const data = `data:image/svg+xml;base64,${Buffer.from(SVG).toString('base64')}`;
      expect((await client.admin('POST', 'assets', { data })).body.code).toBe('invalid_request');
      const body = { flowId, sessionId: randomUUID(), photographs: [{ data, mime: 'image/svg+xml' }] };
      const captured = await client.send('POST', '/api/v1/inspection/capture', body);
      expect(captured.body).toMatchObject({ status: 422, code: 'no_usable_photograph' });
    });
  });

  describe('that fails', () => {
    const drafts = () => app.app.get(BlobStore);

    it('because the disk is full in mid-render is a clear 500, and its photographs are pending again', async () => {
      const sessionId = await session('Kitchen', 'Hall');
      const path = join(folder, 'full');
      // The drawing worker opens it, writes, and gets ENOSPC from the kernel.
      symlinkSync('/dev/full', path);
      const full = jest.spyOn(drafts(), 'draft').mockResolvedValueOnce({ path });
      const failed = await render(sessionId, {}, { 'idempotency-key': sessionId });
      full.mockRestore();
      expect(failed.status).toBe(500);
      expect(failed.body).toMatchObject({
        code: 'internal_error',
        detail: expect.stringContaining('pending again'),
        executionId: expect.any(String),
      });
      expect(failed.text).not.toMatch(/ENOSPC|\/dev|draft/);
      expect(await client.ended(failed.body.executionId as string)).toMatchObject({
        status: 'failed',
        httpStatus: 500,
      });
      const again = await render(sessionId, {}, { 'idempotency-key': sessionId });
      expect(again.body).toMatchObject({ claimed: 2, file: { photographs: 2 } });
    });

    it('because the renderer is killed is a clear 500, and the next one is drawn', async () => {
      const sessionId = await session('Kitchen', 'Hall');
      const address = 'Killed Street '.repeat(60_000);
      const accepted = await render(sessionId, { address }, { prefer: 'respond-async' });
      const location = accepted.headers.get('location')!;
      await eventually(async () => (await client.send('GET', location)).body.progress?.phase === 'drawing');
      await killRenderer();
      const record = await client.ended(accepted.body.executionId as string);
      expect(record).toMatchObject({ status: 'failed', httpStatus: 500, code: 'internal_error' });
      expect((await client.send('GET', location)).body).toMatchObject({
        status: 'failed',
        error: { message: expect.stringContaining('pending again') },
      });
      expect((await render(sessionId)).body).toMatchObject({ claimed: 2, file: { photographs: 2 } });
    });

    /** Ends the drawing thread from outside, as an out-of-memory killer would. */
    async function killRenderer(): Promise<void> {
      interface Inside {
        renderer: { pool: { threads: { terminate(): Promise<number> }[] } };
      }
      const queue = app.app.get<typeof DrawingQueue, Inside>(DrawingQueue);
      await Promise.all(queue.renderer.pool.threads.map((thread) => thread.terminate()));
    }
  });
});
