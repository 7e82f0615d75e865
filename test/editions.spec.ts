import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { BlobStore } from '../src/storage/blob-store.js';
import { openFlow, RenderFixture, sha256, withFile } from './fixtures/renders.js';
import { startTestApp, TEST_ADMIN_KEY } from './support/app.js';
import { startChild } from './support/child-process.js';
import { recordPhotograph, smallJpeg } from './support/recorded-photographs.js';
import { type Answer, ServiceClient } from './support/service-client.js';

const textOf = (pdf: ArrayBuffer): string =>
  withFile(new Uint8Array(pdf), (path) =>
    execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' }),
  );

/** Returns the text of a report without the list of changes under its cover, which has the old words. */
const withoutChanges = (text: string): string => {
  const [before, after] = text.split('Changed in this edition') as [string, string];
  return before + after.slice(after.indexOf('Contents'));
};

const pageWith = (text: string, words: string): string | undefined =>
  text.split('\f').find((page) => page.includes(words));

describe('a further edition of a report', () => {
  const room = new RenderFixture();
  const { adminHeaders, client, photographs, render, session } = room;

  beforeAll(() => room.start());
  afterAll(() => room.close());

  const edition = (id: string, body: object, headers: Record<string, string> = adminHeaders()) =>
    client.send('POST', `/api/v1/pdf/reports/${id}/editions`, { reason: 'It was wrong.', ...body }, headers);
  const fileOf = async ({ body }: Answer) => (await fetch(body.file.url as string)).arrayBuffer();
  const redraw = (id: string) => client.admin('POST', `pdf/reports/${id}/redraw`);
  const listed = async (sessionId: string) =>
    (await client.admin('GET', `pdf/reports?sessionId=${sessionId}`)).body.data as Record<string, unknown>[];

  /** Makes a session with two photographs and a remark, and its report. */
  const rendered = async (meta: object = { address: '1 High Street', tenant: 'Ann' }) => {
    const sessionId = session();
    const capture = async (body: object) =>
      client.send('POST', '/api/v1/inspection/capture', { flowId: room.flowId, sessionId, ...body });
    const data = async () => (await smallJpeg()).toString('base64');
    const pictures = [{ data: await data(), caption: 'The sink' }, { data: await data() }];
    const first = await capture({ area: 'Kitchen', photographs: pictures });
    const remark = await capture({ remark: 'The tap drips' });
    const { body: report } = await render({ sessionId, meta });
    const ids = (first.body.recorded as { id: string }[]).map(({ id }) => id);
    return { sessionId, report, ids, remarkId: remark.body.remark.id as string };
  };

  it('draws the same claim with the corrections, and both files stay', async () => {
    const { sessionId, report, ids, remarkId } = await rendered();
    const before = await fileOf({ body: report } as Answer);
    const made = await edition(report.file.id as string, {
      meta: { tenant: 'Bob', company: 'Lettings' },
      corrections: [
        { photographId: ids[0], area: 'Bathroom', caption: 'The basin', turn: 90 },
        { photographId: ids[1], withdrawn: true, reason: 'Blurred.' },
        { remarkId, text: 'The basin’s tap drips', area: 'Bathroom' },
      ],
    });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({
      file: { photographs: 1 },
      edition: 2,
      replaces: report.file.id,
      claimed: 0,
      executionId: made.headers.get('x-execution-id'),
    });
    const text = textOf(await fileOf(made));
    const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', year: 'numeric' });
    expect(text).toMatch(
      new RegExp(
        `^ *Edition 2, replaces ${report.file.id} of \\d{1,2} [A-Z][a-z]{2} ${day.format(new Date())}$`,
        'm',
      ),
    );
    for (const words of ['1 High Street', 'Bob', 'Lettings', 'The basin’s tap drips'])
      expect(text).toContain(words);
    const printed = withoutChanges(text);
    for (const words of ['Ann', 'Kitchen', 'The sink']) expect(printed).not.toContain(words);
    expect(pageWith(printed, 'The basin')).toContain('Bathroom');

    const detailsOf = async (id: string) => (await client.admin('GET', `pdf/reports/${id}/details`)).body;
    expect(await detailsOf(report.file.id as string)).toEqual({
      id: report.file.id,
      details: { address: '1 High Street', tenant: 'Ann' },
    });
    expect((await detailsOf(made.body.file.id as string)).details).toEqual({
      ...{ address: '1 High Street', tenant: 'Bob', company: 'Lettings' },
    });

    expect(sha256(await fileOf({ body: report } as Answer))).toBe(report.file.sha256);
    expect(textOf(before)).not.toContain('Edition');
    expect(await listed(sessionId)).toMatchObject([
      { id: made.body.file.id, edition: 2, replaces: report.file.id, reason: 'It was wrong.' },
      { id: report.file.id, edition: 1, replacedBy: made.body.file.id },
    ]);
    const photograph = await client.admin('GET', `inspection/photographs/${ids[1]}`);
    expect(photograph.body).toMatchObject({
      withdrawnAt: expect.any(String),
      corrections: [{ by: 'admin', change: { withdrawn: true }, reason: 'Blurred.' }],
    });
    const manifest = await client.admin('GET', `pdf/reports/${made.body.file.id}/manifest`);
    expect(JSON.stringify(manifest.body)).toContain('Blurred.');
    expect((await render({ sessionId })).body).toMatchObject({ file: null, reason: 'nothing_pending' });
  });

  it('is redrawn unchanged, whatever came after it', async () => {
    const { report, ids, remarkId } = await rendered();
    const second = await edition(report.file.id as string, {
      corrections: [
        { photographId: ids[0], area: 'Hall', turn: 180 },
        { remarkId, withdrawn: true },
      ],
    });
    const third = await edition(second.body.file.id as string, {
      corrections: [
        { photographId: ids[0], area: 'Attic', turn: 90 },
        { remarkId, withdrawn: false, text: 'It drips no more' },
      ],
      meta: { address: '2 High Street' },
    });
    expect(third.body).toMatchObject({ edition: 3, replaces: second.body.file.id });
    for (const { body } of [{ body: report }, second, third]) {
      const again = await redraw(body.file.id as string);
      expect(again.body).toMatchObject({ identical: true, file: { sha256: body.file.sha256 } });
    }
    const text = textOf(await fileOf(third));
    expect(text).toContain('Edition 3');
    expect(text).toContain('It drips no more');
    expect(withoutChanges(textOf(await fileOf(second)))).not.toContain('drips');
  });

  it('is made from the newest edition, and only one of many at once is made', async () => {
    const { report, ids } = await rendered();
    const id = report.file.id as string;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        edition(id, { corrections: [{ photographId: ids[0], caption: `Take ${index}` }] }),
      ),
    );
    const made = answers.filter(({ status }) => status === 200);
    expect(made).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject({ status: 409, body: { code: 'already_replaced' } });
    const photograph = await client.admin('GET', `inspection/photographs/${ids[0]}`);
    expect(photograph.body.corrections).toHaveLength(1);
    expect(textOf(await fileOf(made[0]!))).toContain(photograph.body.caption as string);
    expect((await edition(id, {})).body.code).toBe('already_replaced');
  });

  it('names both sections of a photograph whose area changes its type alone', async () => {
    const { report, ids } = await rendered();
    const made = await edition(report.file.id as string, {
      corrections: [{ photographId: ids[0], areaType: 'external' }],
    });
    const text = textOf(await fileOf(made));
    expect(text).toContain('Section: Rooms');
    expect(text).toContain('Section: External Areas');
  });

  it('leaves nothing if it fails, and is made on a retry', async () => {
    const { sessionId, report, ids } = await rendered();
    const keep = jest
      .spyOn(room.app.app.get(BlobStore), 'keep')
      .mockRejectedValueOnce(new Error('ENOSPC: no space left on device'));
    const correction = { corrections: [{ photographId: ids[0], area: 'Loft' }] };
    const failed = await edition(report.file.id as string, correction);
    keep.mockRestore();
    expect(failed).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    expect((await client.admin('GET', `inspection/photographs/${ids[0]}`)).body).toMatchObject({
      area: 'Kitchen',
      corrections: [],
    });
    expect(await listed(sessionId)).toHaveLength(1);
    const again = await edition(report.file.id as string, correction);
    expect(again.body).toMatchObject({ edition: 2 });
    expect((await client.admin('GET', `inspection/photographs/${ids[0]}`)).body.area).toBe('Loft');
  });

  it('leaves later photographs to their own report', async () => {
    const { sessionId, report } = await rendered();
    await photographs(sessionId, 3);
    const made = await edition(report.file.id as string, {});
    expect(made.body.file.photographs).toBe(2);
    expect((await render({ sessionId })).body.claimed).toBe(3);
  });

  it("is for the keys of the report's flows and the admin key, checked before the body is read", async () => {
    const sessionId = session();
    await photographs(sessionId, 1, room.keyed.flowId);
    const { body } = await render({ sessionId }, room.keyed.headers);
    const id = body.file.id as string;
    expect((await edition(id, { reason: 7 }, {})).body.code).toBe('invalid_api_key');
    expect((await edition(randomUUID(), {})).body.code).toBe('not_found');
    const detailsOf = async (of: string, headers = {}) =>
      (await client.send('GET', `/api/v1/pdf/reports/${of}/details`, undefined, headers)).body;
    expect((await detailsOf(id)).code).toBe('invalid_api_key');
    expect((await detailsOf(randomUUID(), adminHeaders())).code).toBe('not_found');
    expect(await detailsOf(id, room.keyed.headers)).toEqual({ id, details: {} });
    const made = await edition(id, {}, room.keyed.headers);
    expect(made.body.edition).toBe(2);
    expect(await client.ended(made.body.executionId as string)).toMatchObject({
      kind: 'render',
      status: 'succeeded',
      chatId: sessionId,
      credits: 0,
    });
  });

  it('refuses invalid corrections, with their place', async () => {
    const { report, ids, remarkId } = await rendered();
    const other = await rendered();
    const pathOf = async (body: object) => {
      const answer = await edition(report.file.id as string, body);
      return [answer.status, answer.body.errors?.[0]?.path];
    };
    expect(await pathOf({ reason: ' ' })).toEqual([400, 'reason']);
    expect(await pathOf({ reason: undefined })).toEqual([400, 'reason']);
    expect(await pathOf({ meta: 'x' })).toEqual([400, 'meta']);
    expect(await pathOf({ corrections: [{ area: 'Hall' }] })).toEqual([400, 'corrections.0']);
    expect(await pathOf({ corrections: [{ photographId: ids[0] }] })).toEqual([400, 'corrections.0']);
    expect(await pathOf({ corrections: [{ photographId: ids[0], turn: 45 }] })).toEqual([
      400,
      'corrections.0.turn',
    ]);
    expect(await pathOf({ corrections: [{ photographId: other.ids[0], area: 'Hall' }] })).toEqual([
      400,
      'corrections.0.photographId',
    ]);
    const twice = { remarkId, area: 'Hall' };
    expect(await pathOf({ corrections: [twice, twice] })).toEqual([400, 'corrections.1.remarkId']);
    const source = { type: 'comparison', before: report.file.id, after: other.report.file.id };
    const headers = adminHeaders();
    const compared = await client.send(
      'POST',
      '/api/v1/pdf/render',
      { templateId: 'comparison', source },
      headers,
    );
    expect((await edition(compared.body.file.id as string, {})).status).toBe(400);
    expect((await edition(report.file.id as string, {})).body.edition).toBe(2);
  });

  it('is replayed under its Idempotency-Key, at once or later', async () => {
    const { report } = await rendered();
    const headers = { ...adminHeaders(), 'idempotency-key': randomUUID() };
    const first = await edition(report.file.id as string, {}, headers);
    const again = await edition(report.file.id as string, {}, headers);
    expect([again.status, again.text]).toEqual([200, first.text]);
    const other = await edition(report.file.id as string, { meta: { tenant: 'Eve' } }, headers);
    expect(other.body.code).toBe('idempotency_key_reused');
  });

  it('counts its corrections in the outstanding areas', async () => {
    const { report, ids } = await rendered({ reportType: 'checkin' });
    expect(report.outstandingAreas).toContain('gas-meter');
    const made = await edition(report.file.id as string, {
      corrections: [{ photographId: ids[0], area: 'Gas meter' }],
      meta: { skippedAreas: 'keys' },
    });
    expect(made.body.outstandingAreas).toEqual(['electricity-meter', 'water-meter', 'detectors']);
  });
});

describe('an edition whose process is killed', () => {
  it('is interrupted at the next start, has changed nothing, and is made on a retry', async () => {
    const before = await startTestApp();
    const client = new ServiceClient(() => before);
    const flowId = await client.flow(openFlow);
    const sessionId = 'killed';
    let photographId = '';
    for (let index = 0; index < 60; index++)
      photographId = (await recordPhotograph(before, { flowId, sessionId })).id;
    const source = { type: 'inspection', sessionId };
    const report = await client.send('POST', '/api/v1/pdf/render', { templateId: 'inspection', source });
    await before.close({ keep: true });

    const { dataDir, databaseUrl } = before.place;
    const { child, firstLine, exit } = startChild('service-child.ts', [dataDir, databaseUrl]);
    const service = { url: await firstLine, adminKey: TEST_ADMIN_KEY };
    const place = `pdf/reports/${report.body.file.id}/editions`;
    const body = { reason: 'Turned', corrections: [{ photographId, area: 'Hall', turn: 90 }] };
    const sent = await new ServiceClient(() => service).send('POST', `/api/v1/${place}`, body, {
      authorization: `Bearer ${TEST_ADMIN_KEY}`,
      prefer: 'respond-async',
    });
    child.kill('SIGKILL');
    await exit;
    expect(sent.status).toBe(202);

    const after = await startTestApp({ place: before.place });
    try {
      const again = new ServiceClient(() => after);
      expect(await again.ended(sent.body.executionId as string)).toMatchObject({
        status: 'failed',
        code: 'interrupted',
      });
      const photograph = await again.admin('GET', `inspection/photographs/${photographId}`);
      expect(photograph.body).toMatchObject({ area: 'Kitchen', turn: 0, corrections: [] });
      const made = await again.admin('POST', place, body);
      expect(made.body).toMatchObject({ edition: 2, file: { photographs: 60 } });
      const first = await again.admin('POST', `pdf/reports/${report.body.file.id}/redraw`);
      expect(first.body.identical).toBe(true);
    } finally {
      await after.close();
    }
  });
});
