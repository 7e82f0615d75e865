import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { checkReport } from '../scripts/verify/check-report.mjs';
import { DatabaseReader } from '../src/database/database-reader.js';
import { ExpiredFiles } from '../src/pdf/vault/expired-files.js';
import { PreviewEntity } from '../src/pdf/vault/preview.entity.js';
import { BlobStore } from '../src/storage/blob-store.js';
import { RenderFixture, sha256, withFile } from './fixtures/renders.js';

const pagesOf = (pdf: ArrayBuffer): string[] =>
  withFile(new Uint8Array(pdf), (path) =>
    execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' }),
  )
    .split('\f')
    .slice(0, -1);

describe('a preview of a report', () => {
  const room = new RenderFixture();
  const { adminHeaders, client, photographs, render, session } = room;
  const preview = (
    source: { sessionId: string } & Record<string, unknown>,
    headers: Record<string, string> = adminHeaders(),
    rest: object = {},
  ) => render(source, headers, { preview: true, ...rest });

  beforeAll(() => room.start());
  afterAll(() => room.close());

  it('is answered and drawn like a report, each page marked Draft, and claims nothing', async () => {
    const sessionId = session();
    await photographs(sessionId, 3);
    const meta = { address: '1 High Street', propertyNo: '12A', reportType: 'checkin', adress: 'typo' };
    const drafted = await preview({ sessionId, meta });
    expect(drafted.body).toMatchObject({
      file: { filename: expect.stringMatching(/^\d{8} 12A\.pdf$/), photographs: 3 },
      preview: true,
      claimed: 3,
      outstandingAreas: ['electricity-meter', 'gas-meter', 'water-meter', 'keys', 'detectors'],
      warnings: [{ code: 'unknown_member', path: 'meta.adress', suggestion: 'address' }],
      executionId: drafted.headers.get('x-execution-id'),
    });
    const file = await fetch(drafted.body.file.url as string);
    const bytes = await file.arrayBuffer();
    expect(sha256(bytes)).toBe(drafted.body.file.sha256);
    const pages = pagesOf(bytes);
    expect(pages).toHaveLength(drafted.body.file.pages as number);
    for (const page of pages) expect(page).toMatch(/^\s*Draft$/m);

    expect((await client.admin('GET', `pdf/reports?sessionId=${sessionId}`)).body.data).toEqual([]);
    const made = await render({ sessionId, meta });
    const { file: real, ...rest } = made.body;
    const { file: draft, preview: _, ...told } = drafted.body;
    expect({ ...told, executionId: rest.executionId }).toEqual(rest);
    expect(real).toMatchObject({ filename: draft.filename, pages: draft.pages, photographs: 3 });
    const report = await (await fetch(real.url as string)).arrayBuffer();
    for (const page of pagesOf(report)) expect(page).not.toContain('Draft');
  });

  it('states in the check of its seal, and on its cover, that it is a draft, with its outstanding areas', async () => {
    const sessionId = session();
    await photographs(sessionId, 1);
    const meta = { reportType: 'checkin', skippedAreas: 'keys|detectors|gas-meter' };
    const { body } = await preview({ sessionId, meta });
    const bytes = await (await fetch(body.file.url as string)).arrayBuffer();
    const verdict = checkReport(new Uint8Array(bytes), new Map());
    expect(verdict.report).toMatch(/^Draft of report /);
    expect(verdict.lines[0]).toMatch(/^DRAFT: .* Outstanding: electricity-meter, water-meter\.$/);
    expect(pagesOf(bytes)[0]).toMatch(/Outstanding {2,}Electricity Meter, Water Meter/);
    const made = await render({ sessionId, meta });
    const report = await (await fetch(made.body.file.url as string)).arrayBuffer();
    const { lines, report: line } = checkReport(new Uint8Array(report), new Map());
    expect([line, ...lines].join()).not.toMatch(/draft/i);
    expect(pagesOf(report).join()).not.toContain('Outstanding');
  });

  it('returns the answer of a render that would make no report', async () => {
    const sessionId = session();
    expect((await preview({ sessionId, flowId: room.flowId })).body).toMatchObject({
      file: null,
      reason: 'nothing_pending',
    });
    await photographs(sessionId);
    const meta = { reportType: 'checkout', skippedAreas: 'gas-meter' };
    const refused = await preview({ sessionId, meta, requireComplete: true });
    expect(refused).toMatchObject({ status: 409, body: { code: 'incomplete_inspection' } });
    expect(refused.body.outstandingAreas).toEqual(['electricity-meter', 'water-meter', 'keys', 'detectors']);
    await render({ sessionId });
    expect((await preview({ sessionId })).body).toMatchObject({ file: null, reason: 'nothing_pending' });
  });

  it('leaves everything to a concurrent render', async () => {
    const sessionId = session();
    await photographs(sessionId, 4);
    const calls = Array.from({ length: 12 }, (_, index) =>
      index === 5 ? render({ sessionId }) : preview({ sessionId }),
    );
    const answers = await Promise.all(calls);
    expect(answers[5]!.body).toMatchObject({ claimed: 4, file: { photographs: 4 } });
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      if (body.file === null) expect(body.reason).toMatch(/nothing_pending|render_in_progress/);
      else expect(body.file.photographs).toBe(4);
    }
  });

  it("consumes neither comments nor details of the inspection's record", async () => {
    const sessionId = randomUUID();
    await photographs(sessionId);
    const details = { address: '4 Mill Lane', areaComments: { Kitchen: ['Smells of gas'] } };
    const place = `/api/v1/inspection/sessions/${sessionId}/details?flowId=${room.flowId}`;
    await client.send('PATCH', place, details);
    const drafted = await preview({ sessionId }, {});
    const text = pagesOf(await (await fetch(drafted.body.file.url as string)).arrayBuffer()).join('');
    expect(text).toContain('4 Mill Lane');
    expect(text).toContain('Smells of gas');
    expect((await client.send('GET', place)).body.details).toEqual(details);
  });

  it("is for the key of the flow, the admin key, and a session's own random id", async () => {
    const keyed = session();
    await photographs(keyed, 1, room.keyed.flowId);
    expect((await preview({ sessionId: keyed }, {})).status).toBe(401);
    expect((await preview({ sessionId: keyed }, room.keyed.headers)).body.claimed).toBe(1);
    expect((await preview({ sessionId: keyed })).body.claimed).toBe(1);
    const known = session();
    await photographs(known);
    expect(await preview({ sessionId: known }, {})).toMatchObject({
      status: 401,
      body: { code: 'invalid_api_key' },
    });
    const own = randomUUID();
    await photographs(own);
    expect((await preview({ sessionId: own }, {})).body.claimed).toBe(1);
    await photographs(own, 1, room.keyed.flowId);
    const several = await preview({ sessionId: own });
    expect(several).toMatchObject({ status: 400, body: { errors: [{ path: 'flowId' }] } });
    expect((await preview({ sessionId: own, flowId: room.flowId })).body.claimed).toBe(1);
  });

  it('is available for an hour, at its address or with a key; then its bytes are deleted', async () => {
    const sessionId = session();
    await photographs(sessionId, 1, room.keyed.flowId);
    const { body } = await preview({ sessionId });
    const place = `/api/v1/pdf/previews/${body.file.id}/file`;
    const row = await room.app.app
      .get(DatabaseReader)
      .repository(PreviewEntity)
      .findOneBy({ id: body.file.id as string });
    const statuses = async () => [
      (await fetch(body.file.url as string)).status,
      (await client.send('GET', place)).status,
      (await client.send('GET', place, undefined, room.keyed.headers)).status,
    ];
    expect(await statuses()).toEqual([200, 401, 200]);
    const asReport = (body.file.url as string).replace('/previews/', '/reports/');
    expect((await fetch(asReport)).status).toBe(404);
    await room.app.app.get(ExpiredFiles).sweep();
    expect(await statuses()).toEqual([200, 401, 200]);
    room.app.clock.advance(3_600_000);
    expect(await statuses()).toEqual([404, 404, 404]);
    expect(await room.app.app.get(BlobStore).exists(row!.storageKey)).toBe(true);
    expect(await room.app.app.get(ExpiredFiles).sweep()).toBeGreaterThan(0);
    expect(await room.app.app.get(BlobStore).exists(row!.storageKey)).toBe(false);
    expect(await room.app.app.get(ExpiredFiles).sweep()).toBe(0);
  });

  it('replaces the previous one of its session, and no other', async () => {
    const [sessionId, other] = [session(), session()];
    await photographs(sessionId);
    await photographs(other);
    const store = room.app.app.get(BlobStore);
    const made: string[] = [];
    for (const each of [sessionId, other, sessionId])
      made.push((await preview({ sessionId: each })).body.file.url as string);
    const statuses = await Promise.all(made.map(async (url) => (await fetch(url)).status));
    expect(statuses).toEqual([404, 200, 200]);
    const stored: string[] = [];
    for await (const { key } of store.blobsOf('previews')) stored.push(key);
    const rows = await room.app.app.get(DatabaseReader).repository(PreviewEntity).find();
    expect(stored.sort()).toEqual(rows.map(({ storageKey }) => storageKey).sort());
    expect(rows.filter((row) => row.sessionId === sessionId)).toHaveLength(1);
  });

  it('is the PDF itself if the client accepts it, and has a record of kind render', async () => {
    const sessionId = session();
    await photographs(sessionId);
    const answer = await fetch(`${room.app.url}/api/v1/pdf/render`, {
      method: 'POST',
      headers: { ...adminHeaders(), 'content-type': 'application/json', accept: 'application/pdf' },
      body: JSON.stringify({
        templateId: 'inspection',
        source: { type: 'inspection', sessionId },
        preview: true,
      }),
    });
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(pagesOf(await answer.arrayBuffer())[0]).toContain('Draft');
    expect(await client.ended(answer.headers.get('x-execution-id')!)).toMatchObject({
      kind: 'render',
      status: 'succeeded',
      chatId: sessionId,
      credits: 0,
    });
  });

  it("is replayed under its Idempotency-Key, which is separate from a render's", async () => {
    const sessionId = session();
    await photographs(sessionId);
    const headers = { ...adminHeaders(), 'idempotency-key': randomUUID() };
    const first = await preview({ sessionId, flowId: room.flowId }, headers);
    const again = await preview({ sessionId, flowId: room.flowId }, headers);
    expect([again.text, again.headers.get('idempotent-replay')]).toEqual([first.text, 'true']);
    const made = await render({ sessionId, flowId: room.flowId }, headers);
    expect(made.body.claimed).toBe(1);
    expect(made.body.preview).toBeUndefined();
  });

  it("is drawn from a flow's own chat by its node", async () => {
    const flowId = await client.flow({
      name: 'Draft',
      nodes: [
        { id: 'start', kind: 'start', config: {} },
        { id: 'report', kind: 'render', config: { preview: '{{$vars.draft}}' } },
      ],
      edges: [{ from: 'start', to: 'report' }],
      vars: { draft: { value: 'true' } },
    });
    const chatId = session();
    await photographs(chatId, 2, flowId);
    const drafted = await client.predict(flowId, { question: 'done', chatId });
    expect(JSON.parse(drafted.body.text as string)).toMatchObject({ preview: true, claimed: 2 });
    const made = await client.predict(flowId, {
      question: 'done',
      chatId,
      overrideConfig: { vars: { draft: 'false' } },
    });
    expect(JSON.parse(made.body.text as string)).toMatchObject({ claimed: 2, file: { photographs: 2 } });
  });
});
