import { randomUUID } from 'node:crypto';
import { openFlow } from './fixtures/renders.js';
import { startTestApp, type TestApp } from './support/app.js';
import { type Answer, ServiceClient } from './support/service-client.js';

const address = '14 Acacia Avenue, Leeds';

describe('the record of an inspection', () => {
  let app: TestApp;
  let flowId: string;
  const client = new ServiceClient(() => app);

  beforeAll(async () => {
    app = await startTestApp();
    flowId = await client.flow(openFlow);
  });
  afterAll(() => app.close());

  const at = (sessionId: string, query = `?flowId=${flowId}`) =>
    `/api/v1/inspection/sessions/${encodeURIComponent(sessionId)}/details${query}`;
  const read = (sessionId: string, query?: string) => client.send('GET', at(sessionId, query));
  const change = (sessionId: string, body: unknown, query?: string): Promise<Answer> =>
    client.send('PATCH', at(sessionId, query), body);

  it('is empty before its first change, and does not make a session', async () => {
    const sessionId = randomUUID();
    const answer = await read(sessionId);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ sessionId, flowId, details: {}, updatedAt: null });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await read(sessionId, '')).status).toBe(404);
  });

  it('stores members, replaces them whole, and removes those set to null', async () => {
    const sessionId = randomUUID();
    const first = await change(sessionId, {
      address,
      tenant: 'Jo',
      keyDetails: { numberOfKeys: 2, takenFrom: 'Agent' },
      areaComments: { Kitchen: ['Worn'] },
    });
    expect(first.body).toEqual({
      sessionId,
      flowId,
      details: {
        address,
        tenant: 'Jo',
        keyDetails: { numberOfKeys: 2, takenFrom: 'Agent' },
        areaComments: { Kitchen: ['Worn'] },
      },
      updatedAt: expect.stringMatching(/Z$/),
      warnings: [],
    });
    const second = await change(
      sessionId,
      { tenant: null, keyDetails: { handedTo: 'Jo' }, areaComments: null, guided: 'no', colour: 'red' },
      '',
    );
    expect(second.body.details).toEqual({ address, keyDetails: { handedTo: 'Jo' } });
    expect(second.body.warnings).toMatchObject([
      { code: 'wrong_type', path: 'details.guided' },
      { code: 'unknown_member', path: 'details.colour' },
    ]);
    expect((await read(sessionId, '')).body).toMatchObject({ flowId, details: second.body.details });
  });

  it('of one flow is invisible to another', async () => {
    const other = await client.flow(openFlow);
    const sessionId = randomUUID();
    await change(sessionId, { address });
    expect((await read(sessionId, `?flowId=${other}`)).body.details).toEqual({});
    await change(sessionId, { address: 'Elsewhere' }, `?flowId=${other}`);
    expect((await read(sessionId)).body.details).toEqual({ address });
    expect((await read(sessionId, '')).status).toBe(400);
    expect((await change(sessionId, { tenant: 'Jo' }, '')).status).toBe(400);
  });

  it('loses nothing of concurrent changes', async () => {
    const sessionId = randomUUID();
    const names = [
      'address',
      'assessor',
      'tenant',
      'company',
      'reportType',
      'propertyNo',
      'postcode',
      'logo',
    ];
    const sent = Array.from({ length: 32 }, (_, n) => [names[n % names.length]!, `value ${n}`] as const);
    const answers = await Promise.all(sent.map(([name, value]) => change(sessionId, { [name]: value })));
    expect(answers.map(({ status }) => status)).toEqual(sent.map(() => 200));
    const { details } = (await read(sessionId)).body;
    expect(Object.keys(details).sort()).toEqual([...names].sort());
    for (const name of names)
      expect(sent.filter(([each]) => each === name).map(([, value]) => value)).toContain(details[name]);
  });

  it('has at most 64 KiB, in one change or in several; a refused one changes nothing', async () => {
    const sessionId = randomUUID();
    const long = 'é'.repeat(17_000);
    expect((await change(sessionId, { address: long })).status).toBe(200);
    const second = await change(sessionId, { company: long, tenant: 'Jo' });
    expect([second.status, second.body.code]).toEqual([413, 'body_too_large']);
    for (const characters of [70_000, 1_000_000]) {
      const atOnce = await change(sessionId, { tenant: 'x'.repeat(characters) });
      expect([atOnce.status, atOnce.body.code]).toEqual([413, 'body_too_large']);
    }
    expect((await read(sessionId)).body.details).toEqual({ address: long });
  });

  it.each([[[]], ['text'], [7], [null]])('is not changed by a body that is no object: %j', async (body) => {
    const answer = await client.send('PATCH', at(randomUUID()), JSON.stringify(body), {
      'content-type': 'application/json',
    });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
  });

  it("is for callers who may read the session's own records, checked before a body is read", async () => {
    const guessed = `447700900123-${Date.now()}`;
    for (const answer of [await read(guessed), await change(guessed, 'not JSON at all')])
      expect([answer.status, answer.body.code]).toEqual([401, 'invalid_api_key']);
    const path = at(guessed).replace('/api/v1/', '');
    expect((await client.admin('PATCH', path, { address })).body.details).toEqual({ address });
    expect((await client.admin('GET', path)).body.details).toEqual({ address });
  });

  it('is changed by allowed pages', async () => {
    const preflight = await client.send('OPTIONS', at(randomUUID()), undefined, {
      origin: 'https://shop.example',
      'access-control-request-method': 'PATCH',
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
  });

  it('stores texts that a database cannot, with replacement characters', async () => {
    const sessionId = randomUUID();
    const body = '{"address":"a\\u0000b \\ud800 c","areaComments":{"\\u0000":["\\u0000"]}}';
    const answer = await client.send('PATCH', at(sessionId), body, { 'content-type': 'application/json' });
    expect(answer.status).toBe(200);
    expect((await read(sessionId)).body.details.address).toBe('a\ufffdb \ufffd c');
  });
});
