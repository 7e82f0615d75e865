import { randomUUID } from 'node:crypto';
import { StoredBytes } from '../src/storage/stored-bytes.js';
import { startTestApp, type TestApp } from './support/app.js';
import { smallJpeg } from './support/recorded-photographs.js';
import { ServiceClient } from './support/service-client.js';

const KILOBYTE = 1024;

/** Limits of the pending items of a session (contract section 5). */
describe('a full session', () => {
  let app: TestApp;
  let flowId: string;
  const client = new ServiceClient(() => app);

  beforeAll(async () => {
    app = await startTestApp({
      env: {
        MAX_SESSION_TEXT_MB: '0.01',
        MAX_SESSION_FACTS: '3',
        MAX_SESSION_REMARKS: '2',
        MAX_SESSION_AREAS: '3',
        MAX_SESSION_PHOTOGRAPHS: '2',
      },
    });
    const nodes = [{ id: 'start', kind: 'start', config: {} }];
    flowId = await client.flow({ name: 'Inspection', nodes, edges: [] });
  });
  afterAll(() => app.close());

  const capture = (sessionId: string, body: object) =>
    client.send('POST', '/api/v1/inspection/capture', { flowId, sessionId, ...body });
  const recorded = async (sessionId: string, body: object) => {
    const answer = await capture(sessionId, body);
    expect([answer.status, answer.body.rejected]).toEqual([200, []]);
    return answer.body;
  };
  const photograph = async () => ({
    data: `data:image/jpeg;base64,${(await smallJpeg(64, 48)).toString('base64')}`,
  });
  const observations = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ item: `Item ${index}`, condition: 'good' }));
  const render = (sessionId: string) =>
    client.send('POST', '/api/v1/pdf/render', {
      templateId: 'inspection',
      source: { type: 'inspection', flowId, sessionId },
    });
  const areaNow = async (sessionId: string) =>
    (await client.admin('GET', `inspection/sessions/${sessionId}?flowId=${flowId}`)).body.currentArea;

  it.each<[string, object, object]>([
    ['MAX_SESSION_TEXT_MB', { remark: 'x'.repeat(9 * KILOBYTE) }, { remark: 'y'.repeat(2 * KILOBYTE) }],
    ['MAX_SESSION_FACTS', { observations: observations(3) }, { observations: observations(1) }],
    ['MAX_SESSION_REMARKS', { area: 'Hall', remark: 'One' }, { remark: 'Three' }],
  ])(
    'refuses anything beyond %s, records nothing of it, and is freed by its report',
    async (limit, held, more) => {
      const sessionId = randomUUID();
      await recorded(sessionId, { area: 'Hall', ...held });
      if (limit === 'MAX_SESSION_REMARKS') await recorded(sessionId, { remark: 'Two' });
      const refused = await capture(sessionId, {
        area: 'Kitchen',
        photographs: [await photograph()],
        ...more,
      });
      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'session_full', detail: expect.stringContaining(limit) },
      });
      const record = await client.ended(refused.headers.get('x-execution-id')!);
      expect(record).toMatchObject({ status: 'rejected', httpStatus: 409, code: 'session_full' });
      expect(await areaNow(sessionId)).not.toBe('Kitchen');
      await recorded(sessionId, { area: 'Hall', photographs: [await photograph()] });
      expect((await render(sessionId)).status).toBe(200);
      await recorded(sessionId, { area: 'Kitchen', ...more });
    },
  );

  it('accepts a retry under the same key after its report', async () => {
    const sessionId = randomUUID();
    await recorded(sessionId, {
      area: 'Hall',
      photographs: [await photograph()],
      observations: observations(3),
    });
    const key = { 'idempotency-key': randomUUID() };
    const more = { flowId, sessionId, observations: observations(1) };
    const send = () => client.send('POST', '/api/v1/inspection/capture', more, key);
    expect((await send()).body.code).toBe('session_full');
    expect((await send()).body.code).toBe('session_full');
    expect((await render(sessionId)).status).toBe(200);
    expect((await send()).status).toBe(200);
    expect((await send()).headers.get('idempotent-replay')).toBe('true');
  });

  it('refuses one more area at its first item', async () => {
    const sessionId = randomUUID();
    for (const area of ['Hall', 'Kitchen', 'Lounge'])
      await recorded(sessionId, { area, observations: observations(1) });
    const facts = await capture(sessionId, { area: 'Bathroom', photographs: [await photograph()] });
    expect([facts.status, facts.body.code]).toEqual([409, 'session_full']);
    await recorded(sessionId, { area: 'Kitchen', photographs: [await photograph()] });
  });

  it('rejects the photographs over its limit, and records the others', async () => {
    const sessionId = randomUUID();
    const photographs = [await photograph(), await photograph(), await photograph()];
    const { status, body } = await capture(sessionId, { area: 'Hall', photographs });
    expect([status, body.recorded.length, body.rejected]).toEqual([
      200,
      2,
      [{ index: 2, code: 'session_full', message: expect.stringContaining('MAX_SESSION_PHOTOGRAPHS') }],
    ]);
  });

  it('refuses photographs of a caller who has stored too much in an hour, records that, and accepts texts', async () => {
    const stored = app.app.get(StoredBytes);
    const caller = 'address:127.0.0.1';
    stored.charge({ flowId, caller }, 100 * 1024 ** 3);
    const sessionId = randomUUID();
    const refused = await capture(sessionId, { area: 'Hall', photographs: [await photograph()] });
    expect([refused.status, refused.body.code]).toEqual([429, 'quota_exceeded']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const record = await client.ended(refused.headers.get('x-execution-id')!);
    expect(record).toMatchObject({ status: 'rejected', httpStatus: 429, code: 'quota_exceeded' });
    expect((await capture(sessionId, { area: 'Hall', remark: 'Clean' })).status).toBe(200);
    const form = new FormData();
    form.append('files', new Blob(['a note']), 'note.txt');
    const attach = () =>
      fetch(`${app.url}/api/v1/attachments/${flowId}/${sessionId}`, { method: 'POST', body: form });
    expect((await attach()).status).toBe(429);
    const elapsed = jest.spyOn(app.clock, 'elapsed').mockReturnValue(app.clock.elapsed() + 3_600_000);
    try {
      expect((await attach()).status).toBe(200);
      await recorded(sessionId, { photographs: [await photograph()] });
    } finally {
      elapsed.mockRestore();
    }
  });

  it('may contain the same number of withdrawn items again, and no more', async () => {
    const sessionId = randomUUID();
    const withdraw = (kind: string, id: string) =>
      client.admin('POST', `inspection/${kind}/${id}/corrections`, { withdrawn: true });
    await recorded(sessionId, { area: 'Hall', remark: 'One' });
    const remarks = async () =>
      (await client.admin('GET', `inspection/sessions/${sessionId}?flowId=${flowId}`)).body.remarks as {
        id: string;
        withdrawnAt: string | null;
      }[];
    for (let round = 0; round < 3; round++) {
      for (const { id, withdrawnAt } of await remarks())
        if (withdrawnAt === null) expect((await withdraw('remarks', id)).status).toBe(200);
      const answer = await capture(sessionId, { area: 'Hall', remark: `Again ${round}` });
      expect([round, answer.status]).toEqual([round, round < 2 ? 200 : 409]);
      if (answer.status === 409)
        expect(answer.body.detail).toMatch(/2 withdrawn remarks .* Make its report, or restore some,/);
    }
    const rejected: unknown[] = [];
    const other = randomUUID();
    for (let round = 0; round < 2; round++) {
      const { body } = await capture(other, {
        area: 'Hall',
        photographs: [await photograph(), await photograph(), await photograph()].slice(round),
      });
      rejected.push(body.rejected.map(({ index }: { index: number }) => index));
      for (const { id } of body.recorded ?? []) expect((await withdraw('photographs', id)).status).toBe(200);
    }
    expect(rejected).toEqual([[2], [0, 1]]);
  });

  it('accepts a repeated message that it has recorded', async () => {
    const sessionId = randomUUID();
    const message = { area: 'Hall', messageId: 'm', observations: observations(3) };
    await recorded(sessionId, message);
    expect((await recorded(sessionId, message)).recordedFacts).toHaveLength(3);
  });

  it('holds no more after many concurrent calls', async () => {
    const sessionId = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        capture(sessionId, { area: 'Hall', remark: `Remark ${index}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(answers.filter(({ body }) => body.code === 'session_full')).toHaveLength(10);
  });

  it('holds no more photographs after many concurrent calls', async () => {
    const sessionId = randomUUID();
    const data = await photograph();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => capture(sessionId, { area: 'Hall', photographs: [data] })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    const refused = answers.filter(({ body }) => body.code === 'no_usable_photograph');
    expect(refused.map(({ body }) => body.rejected[0].code)).toEqual(Array(6).fill('session_full'));
    const { body } = await capture(sessionId, { area: 'Hall' });
    expect(body.session.pending).toBe(2);
  });

  it('accepts text up to its limit to the byte', async () => {
    const most = Math.floor(0.01 * KILOBYTE * KILOBYTE);
    await recorded(randomUUID(), { area: 'Hall', remark: 'x'.repeat(most) });
    const more = await capture(randomUUID(), { area: 'Hall', remark: 'x'.repeat(most + 1) });
    expect([more.status, more.body.code]).toEqual([409, 'session_full']);
  });

  it('accepts a change of details whose replacement fits', async () => {
    const sessionId = randomUUID();
    for (const letter of ['a', 'b'])
      await recorded(sessionId, { details: { address: letter.repeat(9 * KILOBYTE) } });
    const more = await capture(sessionId, { area: 'Hall', remark: 'x'.repeat(2 * KILOBYTE) });
    expect([more.status, more.body.code]).toEqual([409, 'session_full']);
  });

  it('counts no recorded part of a repeated message again', async () => {
    const sessionId = randomUUID();
    const data = await photograph();
    const message = { area: 'Hall', messageId: 'm', remark: 'One', observations: observations(3) };
    await recorded(sessionId, message);
    await recorded(sessionId, { remark: 'Two' });
    const { recorded: photographs } = await recorded(sessionId, { ...message, photographs: [data] });
    expect(photographs).toHaveLength(1);
  });
});
