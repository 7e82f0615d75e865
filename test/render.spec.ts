import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, createPublicKey, randomUUID, verify as verifySignature } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { ReportVault } from '../src/pdf/report-vault.js';
import { BlobStore } from '../src/storage/blob-store.js';
import { startTestApp, TEST_ADMIN_KEY, type TestApp } from './support/app.js';
import { startChild } from './support/child-process.js';
import { recordPhotograph } from './support/recorded-photographs.js';
import { type Answer, ServiceClient } from './support/service-client.js';

const open = { name: 'Open', nodes: [{ id: 'start', kind: 'start', config: {} }], edges: [] };

describe('a render', () => {
  let app: TestApp;
  let client: ServiceClient;
  let flowId: string;
  let keyed: { flowId: string; key: string; headers: Record<string, string> };

  beforeAll(async () => {
    app = await startTestApp({ env: { RENDERS_PER_MINUTE: '100000' } });
    client = new ServiceClient(() => app);
    flowId = await client.flow(open);
    keyed = await keyedFlow();
  });

  afterAll(() => app.close());

  async function keyedFlow() {
    const { body } = await client.admin('POST', 'api-keys', { name: 'office' });
    const id = await client.flow({ ...open, name: 'Keyed', access: { apiKeyId: body.id } });
    return { flowId: id, key: body.key as string, headers: { authorization: `Bearer ${body.key}` } };
  }

  const session = () => `session-${randomUUID()}`;
  const photographs = async (sessionId: string, count = 1, flow = flowId, area = 'Kitchen') => {
    const made: { id: string; key: string }[] = [];
    for (let index = 0; index < count; index++)
      made.push(await recordPhotograph(app, { flowId: flow, sessionId, area }));
    return made;
  };
  const render = (
    source: { sessionId: string } & Record<string, unknown>,
    headers: Record<string, string> = {},
    rest: object = {},
  ): Promise<Answer> =>
    client.send(
      'POST',
      '/api/v1/pdf/render',
      { templateId: 'inspection', source: { type: 'inspection', meta: {}, ...source }, ...rest },
      headers,
    );
  const adminHeaders = () => ({ authorization: `Bearer ${app.adminKey}` });
  const sha256 = (bytes: ArrayBuffer) => createHash('sha256').update(Buffer.from(bytes)).digest('hex');

  function withFile<Value>(pdf: Uint8Array, use: (path: string) => Value): Value {
    const directory = mkdtempSync(join(tmpdir(), 'render-'));
    try {
      const path = join(directory, 'report.pdf');
      writeFileSync(path, pdf);
      return use(path);
    } finally {
      rmSync(directory, { recursive: true });
    }
  }

  const textOf = (pdf: ArrayBuffer): string =>
    withFile(new Uint8Array(pdf), (path) =>
      execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' }),
    );

  describe('with pending photographs', () => {
    it('claims them once and answers the report', async () => {
      const sessionId = session();
      await photographs(sessionId, 3);
      const meta = {
        address: '1 High Street',
        propertyNo: '12A',
        postcode: 'SW1A 1AA',
        reportType: 'checkin',
      };
      const answer = await render({ sessionId, meta });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        file: {
          filename: expect.stringMatching(/^\d{8} 12A SW1A 1AA\.pdf$/),
          photographs: 3,
          pages: expect.any(Number),
        },
        claimed: 3,
        outstandingAreas: ['electricity-meter', 'gas-meter', 'water-meter', 'keys', 'detectors'],
        warnings: [],
        executionId: answer.headers.get('x-execution-id'),
      });
      const file = await fetch(answer.body.file.url as string);
      const bytes = await file.arrayBuffer();
      expect(file.headers.get('content-type')).toBe('application/pdf');
      expect(file.headers.get('x-content-type-options')).toBe('nosniff');
      expect(file.headers.get('content-length')).toBe(String(answer.body.file.bytes));
      expect(file.headers.get('content-disposition')).toContain(
        `filename*=UTF-8''${encodeURIComponent(answer.body.file.filename as string)}`,
      );
      expect(sha256(bytes)).toBe(answer.body.file.sha256);
      expect(textOf(bytes)).toContain('Check-In Inspection Report');

      const again = await render({ sessionId, meta });
      expect(again.status).toBe(200);
      expect(again.body).toEqual({
        file: null,
        reason: 'nothing_pending',
        previousReports: [
          { id: answer.body.file.id, filename: answer.body.file.filename, date: expect.stringMatching(/Z$/) },
        ],
      });
    });

    it('gives them to exactly one of many renders at once', async () => {
      const sessionId = session();
      await photographs(sessionId, 4);
      const answers = await Promise.all(Array.from({ length: 30 }, () => render({ sessionId })));
      const made = answers.filter((answer) => answer.body.file !== null);
      expect(made).toHaveLength(1);
      expect(made[0]!.body.file.photographs).toBe(4);
      for (const other of answers.filter((answer) => answer.body.file === null)) {
        expect(other.status).toBe(200);
        expect(['nothing_pending', 'render_in_progress']).toContain(other.body.reason);
      }
    });

    it('answers the PDF itself to whoever accepts it, and 204 when there is nothing', async () => {
      const sessionId = session();
      await photographs(sessionId);
      const body = {
        templateId: 'inspection',
        source: { type: 'inspection', sessionId, meta: { postcode: 'Łódź' } },
      };
      const call = () =>
        fetch(`${app.url}/api/v1/pdf/render`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/pdf' },
          body: JSON.stringify(body),
        });
      const answer = await call();
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/pdf');
      expect(decodeURIComponent(answer.headers.get('content-disposition')!)).toContain('Łódź.pdf');
      expect(
        Buffer.from(await answer.arrayBuffer())
          .subarray(0, 5)
          .toString(),
      ).toBe('%PDF-');
      const nothing = await call();
      expect(nothing.status).toBe(204);
      expect(await nothing.text()).toBe('');
    });

    it('keeps later photographs for a second report', async () => {
      const sessionId = session();
      await photographs(sessionId, 1, flowId, 'Gas meter');
      await render({ sessionId });
      await photographs(sessionId, 2);
      const second = await render({ sessionId, meta: { reportType: 'checkout' } });
      expect(second.body).toMatchObject({ claimed: 2, file: { photographs: 2 } });
      expect(second.body.outstandingAreas).toEqual(['electricity-meter', 'water-meter', 'keys', 'detectors']);
    });

    it('has one record of kind render, running with the claim and closed with the report', async () => {
      const sessionId = session();
      await photographs(sessionId);
      const answer = await render({ sessionId });
      const record = await client.ended(answer.body.executionId as string);
      expect(record).toMatchObject({
        kind: 'render',
        status: 'succeeded',
        httpStatus: 200,
        chatId: sessionId,
        flowId,
        credits: 0,
      });
    });
  });

  it('of nothing pending produces no file at all', async () => {
    const answer = await render({ sessionId: session() });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ file: null, reason: 'nothing_pending', previousReports: [] });
    expect((await client.ended(answer.headers.get('x-execution-id')!)).status).toBe('succeeded');
  });

  it.each([
    [{ templateId: 'invoice' }],
    [{ source: { type: 'order', sessionId: 'x' } }],
    [{ source: { type: 'inspection' } }],
    [{ source: undefined }],
  ])('is 400 and claims nothing for %j', async (wrong) => {
    const sessionId = session();
    await photographs(sessionId);
    const body = { templateId: 'inspection', source: { type: 'inspection', sessionId, meta: {} }, ...wrong };
    const answer = await client.send('POST', '/api/v1/pdf/render', body);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('invalid_request');
    expect((await render({ sessionId })).body.claimed).toBe(1);
  });

  describe('of a flow with a key', () => {
    it('needs that key, and leaves the photographs pending without it', async () => {
      const sessionId = session();
      await photographs(sessionId, 2, keyed.flowId);
      for (const headers of [{}, { authorization: 'Bearer fk_wrong' }, adminHeaders()]) {
        const refused = await render({ sessionId }, headers);
        expect(refused.status).toBe(401);
        expect(refused.body.code).toBe('invalid_api_key');
      }
      const made = await render({ sessionId }, keyed.headers);
      expect(made.body.claimed).toBe(2);
      const again = await render({ sessionId }, keyed.headers);
      expect(again.body.previousReports[0].url).toContain('signature=');
    });

    it('stays out of a report of an open flow, in one session', async () => {
      const sessionId = session();
      await photographs(sessionId, 1, flowId);
      await photographs(sessionId, 2, keyed.flowId);
      expect((await render({ sessionId })).body.claimed).toBe(1);
      expect((await render({ sessionId })).status).toBe(401);
      expect((await render({ sessionId }, keyed.headers)).body.claimed).toBe(2);
    });

    it('is narrowed and checked by source.flowId', async () => {
      const sessionId = session();
      await photographs(sessionId, 1, flowId);
      await photographs(sessionId, 2, keyed.flowId);
      expect((await render({ sessionId, flowId: keyed.flowId })).status).toBe(401);
      expect((await render({ sessionId, flowId: keyed.flowId }, keyed.headers)).body.claimed).toBe(2);
      expect((await render({ sessionId, flowId }, keyed.headers)).body.claimed).toBe(1);
      const unknown = await render({ sessionId, flowId: 'no-such-flow' });
      expect(unknown.status).toBe(404);
      expect(unknown.body.code).toBe('flow_not_found');
    });
  });

  it('with requireComplete is 409 while areas are outstanding; forceFinish waives all', async () => {
    const sessionId = session();
    await photographs(sessionId, 1, flowId, 'Gas meter');
    const source = { sessionId, meta: { reportType: 'checkout' }, requireComplete: true };
    const refused = await render(source);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: 'incomplete_inspection',
      outstandingAreas: ['electricity-meter', 'water-meter', 'keys', 'detectors'],
    });
    const forced = await render({ ...source, forceFinish: true });
    expect(forced.body).toMatchObject({ claimed: 1, outstandingAreas: [] });
  });

  describe('under an Idempotency-Key', () => {
    it('is replayed, also as the PDF, under a record of its own', async () => {
      const sessionId = session();
      await photographs(sessionId);
      const key = { 'idempotency-key': randomUUID() };
      const first = await render({ sessionId }, key);
      const second = await render({ sessionId }, key);
      expect(second.text).toBe(first.text);
      expect(second.headers.get('idempotent-replay')).toBe('true');
      expect(second.headers.get('x-execution-id')).not.toBe(first.headers.get('x-execution-id'));
      const record = await client.ended(second.headers.get('x-execution-id')!);
      expect(record.replayOf).toBe(first.body.executionId);
      const pdf = await render({ sessionId }, { ...key, accept: 'application/pdf' });
      expect(pdf.text.slice(0, 5)).toBe('%PDF-');
    });

    it('is 422 for another request, and free again after a refusal', async () => {
      const sessionId = session();
      await photographs(sessionId, 1, keyed.flowId);
      const key = { 'idempotency-key': randomUUID() };
      expect((await render({ sessionId }, key)).status).toBe(401);
      expect((await render({ sessionId }, key)).status).toBe(401);
      const withKey = { ...key, ...keyed.headers };
      expect((await render({ sessionId }, withKey)).body.claimed).toBe(1);
      const other = await render({ sessionId, forceFinish: true }, withKey);
      expect(other.status).toBe(422);
      expect(other.body.code).toBe('idempotency_key_reused');
    });
  });

  describe('that is not waited for', () => {
    const accept = async (source: { sessionId: string }) =>
      render(source, { prefer: 'respond-async, wait=5' });

    it('is 202 with the place where its progress and answer stand', async () => {
      const sessionId = session();
      await photographs(sessionId, 5);
      const answer = await accept({ sessionId });
      expect(answer.status).toBe(202);
      const location = answer.headers.get('location')!;
      expect(location).toBe(`/api/v1/pdf/renders/${answer.body.id}`);
      const stream = await client.send('GET', location, undefined, { accept: 'text/event-stream' });
      const events = [...stream.text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1]!));
      expect(events.at(-1)).toEqual({ event: 'end', data: '[DONE]' });
      expect(events.at(-2)).toMatchObject({ event: 'result', data: { claimed: 5 } });
      const status = await client.send('GET', location);
      expect(status.body).toMatchObject({
        id: answer.body.id,
        status: 'succeeded',
        result: { claimed: 5, executionId: answer.headers.get('x-execution-id') },
      });
      expect((await fetch(status.body.result.file.url)).status).toBe(200);
    });

    it('is 200 at once when there is nothing to do, and unknown renders are 404', async () => {
      expect((await accept({ sessionId: session() })).body.reason).toBe('nothing_pending');
      expect((await client.send('GET', `/api/v1/pdf/renders/${randomUUID()}`)).body.code).toBe('not_found');
    });
  });

  it('goes on when its caller hangs up: the report is in the vault', async () => {
    const sessionId = session();
    await photographs(sessionId, 5);
    const store = app.app.get(BlobStore);
    const draft = store.draft.bind(store);
    const slow = jest.spyOn(store, 'draft').mockImplementationOnce(async () => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      return draft();
    });
    const gone = new AbortController();
    const call = fetch(`${app.url}/api/v1/pdf/render`, {
      method: 'POST',
      signal: gone.signal,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ templateId: 'inspection', source: { type: 'inspection', sessionId } }),
    });
    setTimeout(() => gone.abort(), 250);
    await expect(call).rejects.toThrow();
    slow.mockRestore();
    let reports: unknown[] = [];
    for (let tries = 0; tries < 100 && reports.length === 0; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      reports = (await client.admin('GET', `pdf/reports?sessionId=${sessionId}`)).body.data;
    }
    expect(reports).toMatchObject([{ photographs: 5 }]);
  });

  describe('in the vault', () => {
    it('is listed for the key of its flow and the admin key only', async () => {
      const sessionId = session();
      await photographs(sessionId, 1, keyed.flowId);
      const { body } = await render({ sessionId }, keyed.headers);
      const list = `/api/v1/pdf/reports?sessionId=${sessionId}`;
      expect((await client.send('GET', list)).status).toBe(401);
      for (const headers of [keyed.headers, adminHeaders()]) {
        const listed = await client.send('GET', list, undefined, headers);
        expect(listed.body.data).toMatchObject([
          { id: body.file.id, sha256: body.file.sha256, photographs: 1 },
        ]);
      }
      const file = `/api/v1/pdf/reports/${body.file.id}/file`;
      expect((await client.send('GET', file)).status).toBe(401);
      expect((await client.send('GET', file, undefined, keyed.headers)).status).toBe(200);
      expect((await client.send('GET', file, undefined, adminHeaders())).status).toBe(200);
    });

    it('is not opened by an address that was altered or has expired', async () => {
      const sessionId = session();
      await photographs(sessionId);
      const url = new URL((await render({ sessionId })).body.file.url as string);
      const altered = new URL(url);
      altered.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 3600));
      expect((await fetch(altered)).status).toBe(401);
      expect((await fetch(url)).status).toBe(200);
      app.clock.advance(169 * 3_600_000);
      expect((await fetch(url)).status).toBe(401);
    });

    it('is drawn again to the same bytes, and mended by it', async () => {
      const sessionId = session();
      await photographs(sessionId, 3);
      const logo = `data:image/png;base64,${(await picture()).toString('base64')}`;
      const { body } = await render({ sessionId, meta: { address: '1 High Street', logo } });
      expect(body.warnings).toEqual([]);
      const redraw = `pdf/reports/${body.file.id}/redraw`;
      expect((await client.send('POST', `/api/v1/${redraw}`)).status).toBe(401);
      const store = app.app.get(BlobStore);
      const stored = (await app.app.get(ReportVault).find(body.file.id as string))!;
      await store.remove(stored.key);
      expect((await fetch(body.file.url as string)).status).toBe(500);
      app.clock.advance(3_600_000);
      const redrawn = await client.admin('POST', redraw);
      expect(redrawn.body).toMatchObject({ identical: true, file: { sha256: body.file.sha256 } });
      const file = await fetch(redrawn.body.file.url as string);
      expect(sha256(await file.arrayBuffer())).toBe(body.file.sha256);
    });
  });

  describe('is sealed:', () => {
    const verify = (pdf: Uint8Array, ...more: string[]): { status: number; out: string } =>
      withFile(pdf, (path) => {
        const script = join(__dirname, '..', 'scripts', 'verify.mjs');
        const { status, stdout, stderr } = spawnSync(process.execPath, [script, path, ...more]);
        return { status: status!, out: `${stdout.toString()}${stderr.toString()}` };
      });

    it('the file proves itself offline, and names what was altered', async () => {
      const sessionId = session();
      const first = await recordPhotograph(app, { flowId, sessionId, area: 'Kitchen' });
      await photographs(sessionId, 2, flowId, 'Hall');
      const { body } = await render({ sessionId, meta: { address: '1 High Street' } });
      const pdf = Buffer.from(await (await fetch(body.file.url as string)).arrayBuffer());
      const { publicKey } = (await client.send('GET', '/api/v1/pdf/seal')).body;
      expect(verify(pdf, publicKey)).toMatchObject({ status: 0, out: expect.stringContaining('Unaltered') });
      const checked = withFile(pdf, (path) => spawnSync('qpdf', ['--check', path]));
      expect(`${checked.stdout.toString()}${checked.stderr.toString()}`).toContain(
        'No syntax or stream encoding errors',
      );
      expect(verify(pdf, 'x'.repeat(43))).toMatchObject({
        status: 1,
        out: expect.stringContaining('another key'),
      });

      const jpeg = await app.app.get(BlobStore).read(first.key);
      const at = pdf.indexOf(jpeg);
      expect(at).toBeGreaterThan(0);
      const forged = Buffer.from(pdf);
      forged[at + jpeg.length - 20]! ^= 1;
      const caught = verify(forged);
      expect(caught.status).toBe(1);
      expect(caught.out).toContain('altered after it was sealed');
      expect(caught.out).toMatch(
        /Photograph 1, Kitchen, .* \(page \d+\) is not the picture that was recorded/,
      );
      expect(caught.out).not.toContain('Photograph 2');

      const appended = Buffer.concat([pdf, Buffer.from('\n% one more revision\n')]);
      expect(verify(appended).status).toBe(1);
      expect(verify(Buffer.from('no report')).status).toBe(1);
    });

    it('the list of evidence lies beside it, signed with the hash of the file', async () => {
      const sessionId = session();
      await photographs(sessionId, 2, keyed.flowId);
      const { body } = await render({ sessionId }, keyed.headers);
      const path = `/api/v1/pdf/reports/${body.file.id}/manifest`;
      expect((await client.send('GET', path)).status).toBe(401);
      const beside = (await client.send('GET', path, undefined, keyed.headers)).body;
      expect(beside.signed.file).toEqual({ bytes: body.file.bytes, sha256: body.file.sha256 });
      expect(beside.signed.manifest.photographs).toMatchObject([
        { number: 1, page: expect.any(Number), area: 'Kitchen', capturedAtSource: 'captureTs' },
        { number: 2, original: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
      ]);
      const key = createPublicKey({
        key: { kty: 'OKP', crv: 'Ed25519', x: beside.publicKey },
        format: 'jwk',
      });
      const signature = Buffer.from(beside.signature as string, 'base64url');
      expect(verifySignature(null, Buffer.from(JSON.stringify(beside.signed)), key, signature)).toBe(true);
    });
  });

  const picture = () =>
    sharp({
      create: { width: 600, height: 200, channels: 4, background: { r: 20, g: 60, b: 120, alpha: 0.5 } },
    })
      .png()
      .toBuffer();

  describe('with a logo', () => {
    it('takes the id of an uploaded asset, once for equal pictures', async () => {
      const data = `data:image/png;base64,${(await picture()).toString('base64')}`;
      const first = await client.admin('POST', 'assets', { data });
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(await picture())], { type: 'image/png' }), 'logo.png');
      const second = await client.admin('POST', 'assets', form);
      expect(first.body).toMatchObject({ id: expect.any(String), width: 600, height: 200 });
      expect(second.body.id).toBe(first.body.id);
      const sessionId = session();
      await photographs(sessionId);
      expect((await render({ sessionId, meta: { logo: first.body.id } })).body.warnings).toEqual([]);
    });

    it.each([
      ['an address', 'https://evil.example/logo.png'],
      ['a path', '/etc/passwd'],
      ['an unknown id', randomUUID()],
      ['SVG', `data:image/svg+xml;base64,${Buffer.from('<svg onload="x()"/>').toString('base64')}`],
      ['no picture', `data:image/png;base64,${Buffer.from('nothing').toString('base64')}`],
      ['60 MB', `data:image/png;base64,${'A'.repeat(40 * 1024 * 1024)}`],
    ])('goes without it, and a warning says so, when it is %s', async (_name, logo) => {
      const sessionId = session();
      await photographs(sessionId);
      const { body, status } = await render({ sessionId, meta: { logo } });
      expect(status).toBe(200);
      expect(body.warnings).toEqual([expect.stringContaining('meta.logo')]);
    });

    it('refuses assets without the admin key, and those that are no picture', async () => {
      expect((await client.send('POST', '/api/v1/assets', { data: 'x' })).body.code).toBe(
        'invalid_admin_key',
      );
      const text = `data:image/png;base64,${Buffer.from('nothing').toString('base64')}`;
      for (const data of [text, 'x', 7]) {
        expect((await client.admin('POST', 'assets', { data })).body.code).toBe('invalid_request');
      }
    });
  });

  it('of a photograph that is gone from disk still prints the report', async () => {
    const sessionId = session();
    const [first] = await photographs(sessionId, 2);
    await app.app.get(BlobStore).remove(first!.key);
    const { body, status } = await render({ sessionId });
    expect(status).toBe(200);
    expect(body.file.photographs).toBe(2);
    expect(body.warnings.length).toBeGreaterThan(0);
  });

  it('that fails releases its claim, and the next render has the photographs', async () => {
    const sessionId = session();
    await photographs(sessionId, 2);
    const store = app.app.get(BlobStore);
    const full = jest
      .spyOn(store, 'keep')
      .mockRejectedValueOnce(new Error('ENOSPC: no space left on device'));
    const failed = await render({ sessionId }, { 'idempotency-key': 'retry-me' });
    full.mockRestore();
    expect(failed.status).toBe(500);
    expect(failed.body).toMatchObject({ code: 'internal_error', executionId: expect.any(String) });
    expect(failed.text).not.toContain('ENOSPC');
    expect(await client.ended(failed.body.executionId as string)).toMatchObject({
      status: 'failed',
      httpStatus: 500,
    });
    const again = await render({ sessionId }, { 'idempotency-key': 'retry-me' });
    expect(again.body.claimed).toBe(2);
  });

  it('is stopped by an admin, and its photographs are pending again', async () => {
    const sessionId = session();
    await photographs(sessionId, 3);
    const blocked = jest
      .spyOn(app.app.get(BlobStore), 'draft')
      .mockImplementation(() => new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 500)));
    const accepted = await render({ sessionId }, { prefer: 'respond-async' });
    await client.admin('POST', `executions/${accepted.body.executionId}/cancel`);
    const record = await client.ended(accepted.body.executionId as string);
    blocked.mockRestore();
    expect(record.status).toBe('aborted');
    const status = await client.send('GET', accepted.headers.get('location')!);
    expect(status.body).toMatchObject({ status: 'failed', error: { message: expect.any(String) } });
    expect((await render({ sessionId })).body.claimed).toBe(3);
  });
});

describe('renders of one address', () => {
  it('are limited to RENDERS_PER_MINUTE', async () => {
    const app = await startTestApp({ env: { RENDERS_PER_MINUTE: '2' } });
    try {
      const client = new ServiceClient(() => app);
      const body = { templateId: 'inspection', source: { type: 'inspection', sessionId: 'x' } };
      const statuses: number[] = [];
      for (let count = 0; count < 3; count++)
        statuses.push((await client.send('POST', '/api/v1/pdf/render', body)).status);
      expect(statuses).toEqual([200, 200, 429]);
    } finally {
      await app.close();
    }
  });
});

describe('a render whose process is killed', () => {
  it('is interrupted at the next start: its photographs are pending again, and its key is free', async () => {
    const before = await startTestApp();
    const flowId = await new ServiceClient(() => before).flow(open);
    const sessionId = 'killed';
    for (let index = 0; index < 60; index++) await recordPhotograph(before, { flowId, sessionId });
    await before.close({ keep: true });

    const { dataDir, databaseUrl } = before.place;
    const { child, firstLine, exit } = startChild('service-child.ts', [dataDir, databaseUrl]);
    const service = { url: await firstLine, adminKey: TEST_ADMIN_KEY };
    const body = { templateId: 'inspection', source: { type: 'inspection', sessionId } };
    const headers = { prefer: 'respond-async', 'idempotency-key': 'once' };
    const client = new ServiceClient(() => service);
    const accepted = await client.send('POST', '/api/v1/pdf/render', body, headers);
    child.kill('SIGKILL');
    await exit;
    expect(accepted.status).toBe(202);

    const after = await startTestApp({ place: before.place });
    try {
      const again = new ServiceClient(() => after);
      expect(await again.ended(accepted.body.executionId as string)).toMatchObject({
        status: 'failed',
        code: 'interrupted',
      });
      const status = await again.send('GET', accepted.headers.get('location')!);
      expect(status.body).toMatchObject({
        status: 'failed',
        error: { message: expect.stringContaining('pending') },
      });
      const rendered = await again.send('POST', '/api/v1/pdf/render', body);
      expect(rendered.body).toMatchObject({ claimed: 60, file: { photographs: 60 } });
    } finally {
      await after.close();
    }
  });
});

describe('the node render', () => {
  let app: TestApp;
  let client: ServiceClient;

  beforeAll(async () => {
    app = await startTestApp();
    client = new ServiceClient(() => app);
  });

  afterAll(() => app.close());

  const flowWith = (config: object) =>
    client.flow({
      name: 'Report',
      exposeTrace: true,
      nodes: [
        { id: 'start', kind: 'start', config: {} },
        { id: 'report', kind: 'render', config },
      ],
      edges: [{ from: 'start', to: 'report' }],
    });

  it("renders the chat's inspection inside of the run", async () => {
    const flowId = await flowWith({
      meta: { address: '{{question}}', guided: 'true', reportType: 'interim' },
    });
    await recordPhotograph(app, { flowId, sessionId: 'chat-1' });
    const other = await flowWith({});
    await recordPhotograph(app, { flowId: other, sessionId: 'chat-1' });
    const answer = await client.predict(flowId, { question: '1 High Street', chatId: 'chat-1' });
    expect(answer.status).toBe(200);
    const output = JSON.parse(answer.body.text as string);
    expect(output).toMatchObject({
      file: { photographs: 1 },
      claimed: 1,
      warnings: [],
      executionId: answer.body.executionId,
    });
    expect((await fetch(output.file.url)).status).toBe(200);
    const { body: records } = await client.admin('GET', 'executions?chatId=chat-1');
    expect(records.data).toMatchObject([{ kind: 'prediction' }]);
  });

  it('answers that nothing is pending without failing the run', async () => {
    const flowId = await flowWith({ sessionId: 'empty' });
    const answer = await client.predict(flowId, { question: 'done' });
    expect(JSON.parse(answer.body.text as string)).toMatchObject({ file: null, reason: 'nothing_pending' });
  });

  it('fails the run when areas are required and missing, and claims nothing', async () => {
    const flowId = await flowWith({ meta: { reportType: 'checkin' }, requireComplete: true });
    await recordPhotograph(app, { flowId, sessionId: 'chat-2' });
    const answer = await client.predict(flowId, { question: 'done', chatId: 'chat-2' });
    expect(answer.status).toBe(500);
    expect(answer.body.code).toBe('flow_failed');
    const body = { templateId: 'inspection', source: { type: 'inspection', sessionId: 'chat-2' } };
    expect((await client.send('POST', '/api/v1/pdf/render', body)).body.claimed).toBe(1);
  });
});
