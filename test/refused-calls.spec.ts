import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { type FakeModel, startFakeModel } from './support/fake-model.js';
import { chatFlow, echoFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';

describe('a refused call', () => {
  let app: TestApp;
  let key: { id: string; key: string };
  let keyed: string;
  let addresses = 0;
  const client = new ServiceClient(() => app);
  /** Headers of an address that no other test uses. */
  const elsewhere = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` });

  beforeAll(async () => {
    app = await startTestApp({ env: { TRUST_PROXY: '1' } });
    key = (await client.admin('POST', 'api-keys', { name: 'theirs' })).body;
    keyed = await client.flow(echoFlow({ access: { apiKeyId: key.id } }));
  });
  afterAll(() => app.close());

  const found = async (query: string) =>
    (await client.admin('GET', `executions?${query}`)).body.data as Record<string, unknown>[];

  describe('is found by its chat', () => {
    const about = (chatId: string) => ({ chatId, question: 'Why does nobody answer me?' });

    it('if it lacked its key', async () => {
      const { status } = await client.predict(keyed, about('lost-401'));
      expect(status).toBe(401);
      await eventually(async () => (await found('chatId=lost-401')).length === 1);
      expect(await found('chatId=lost-401')).toMatchObject([
        { status: 'rejected', httpStatus: 401, flowId: keyed, question: 'Why does nobody answer me?' },
      ]);
    });

    it('with the key of this service that it presented, valid for another flow or revoked', async () => {
      const other = (await client.admin('POST', 'api-keys', { name: 'another' })).body;
      const revoked = (await client.admin('POST', 'api-keys', { name: 'former' })).body;
      await client.admin('DELETE', `api-keys/${revoked.id}`);
      const presented = async (chatId: string, token?: string) => {
        const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
        const { status, headers: answered } = await client.predict(keyed, about(chatId), headers);
        const { body } = await client.admin('GET', `executions/${answered.get('x-execution-id')}`);
        return [status, body.presentedKey];
      };
      expect(await presented('presents-none')).toEqual([401, null]);
      expect(await presented('presents-nonsense', 'fk_nonsense')).toEqual([401, null]);
      expect(await presented('presents-another', other.key)).toEqual([
        401,
        { id: other.id, name: 'another', revoked: false },
      ]);
      expect(await presented('presents-former', revoked.key)).toEqual([
        401,
        { id: revoked.id, name: 'former', revoked: true },
      ]);
      expect(await presented('presents-its-own', key.key)).toEqual([200, undefined]);
    });

    it('if there was no such flow, with the requested flow', async () => {
      const searched = `gone-${'x'.repeat(120)}`;
      await client.predict(searched, about('lost-404'), elsewhere());
      await eventually(async () => (await found('chatId=lost-404')).length === 1);
      expect(await found('chatId=lost-404')).toMatchObject([{ httpStatus: 404, flowId: searched }]);
    });

    it('if its page was not listed', async () => {
      const listed = await client.flow(echoFlow({ access: { allowedDomains: ['shop.example'] } }));
      await client.predict(listed, about('lost-403'), { origin: 'https://other.example' });
      await eventually(async () => (await found('chatId=lost-403')).length === 1);
      expect(await found('chatId=lost-403')).toMatchObject([{ code: 'domain_not_allowed', flowId: listed }]);
    });

    it('if it came too soon', async () => {
      const limited = await client.flow(
        echoFlow({ access: { rateLimit: { limit: 1, windowSeconds: 3600 } } }),
      );
      await client.predict(limited, about('lost-429'));
      expect((await client.predict(limited, about('lost-429'))).status).toBe(429);
      await eventually(async () => (await found('chatId=lost-429&httpStatus=429')).length === 1);
    });

    it('if it was a form', async () => {
      const form = new FormData();
      form.set('question', 'Why does nobody answer me?');
      form.set('overrideConfig', JSON.stringify({ sessionId: 'lost-form' }));
      form.set('files', new Blob(['a photograph']), 'photograph.jpg');
      await client.predict(keyed, form);
      await eventually(async () => (await found('chatId=lost-form')).length === 1);
    });

    it('if it was a capture or a render', async () => {
      const capture = { sessionId: 'lost-capture', remark: 'Scratched' };
      await client.send('POST', `/api/v1/inspection/capture?flowId=${keyed}`, capture);
      await client.send('POST', '/api/v1/inspection/capture', { ...capture, flowId: 'gone' }, elsewhere());
      await eventually(async () => (await found('chatId=lost-capture')).length === 2);
      expect(await found('chatId=lost-capture')).toMatchObject([
        { kind: 'capture', httpStatus: 404, flowId: 'gone', question: 'Scratched' },
        { kind: 'capture', httpStatus: 401, flowId: keyed, question: 'Scratched' },
      ]);
      const source = { type: 'inspection', sessionId: 'lost-render', flowId: keyed };
      await client.send('POST', '/api/v1/pdf/render', { templateId: 'inspection', source });
      expect(await found('chatId=lost-render')).toMatchObject([
        { kind: 'render', httpStatus: 401, flowId: keyed },
      ]);
    });

    it('if its body broke the rules', async () => {
      await client.predict(await client.flow(echoFlow()), { chatId: 'lost-400', question: 7 });
      expect(await found('chatId=lost-400')).toMatchObject([{ httpStatus: 400 }]);
    });
  });

  it('stores the first kibibyte of its question, and no secret in it', async () => {
    const question = `Bearer ${'s'.repeat(40)} ${'é'.repeat(2000)}`;
    await client.predict(keyed, { chatId: 'long', question });
    await eventually(async () => (await found('chatId=long')).length === 1);
    const [record] = await found('chatId=long');
    expect(record!['question']).toMatch(/^Bearer \[masked\] é+$/);
    expect(Buffer.byteLength(record!['question'] as string)).toBeLessThanOrEqual(1024);
  });

  it.each([
    ['is larger than 64 KiB', { chatId: 'unread', question: 'x'.repeat(65 * 1024) }],
    ['is nested too deep', `{"chatId":"unread","question":"x","a":${'['.repeat(65)}${']'.repeat(65)}}`],
    ['is no JSON', '{"chatId":"unread",'],
  ])('has a record without texts if its body %s', async (_, body) => {
    const { headers } = await client.predict(keyed, body);
    const id = headers.get('x-execution-id')!;
    await pause(100);
    const record = (await client.admin('GET', `executions/${id}`)).body;
    expect(record).toMatchObject({ httpStatus: 401, chatId: null, flowId: keyed });
  });

  it('is answered before its body has arrived, and reads it for up to a second', async () => {
    const { port } = new URL(app.url);
    const call = async (chatId: string, pauseMs: number) => {
      const body = JSON.stringify({ chatId, question: 'Late' });
      const socket = connect(Number(port), '127.0.0.1');
      let answer = '';
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.write(
        `POST /api/v1/prediction/${keyed} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
      );
      await eventually(async () => answer.includes('invalid_api_key'));
      await pause(pauseMs);
      socket.write(body.slice(5));
      // The connection is still usable: the late body was discarded.
      answer = '';
      socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
      await eventually(async () => answer.includes('200 OK'));
      socket.destroy();
    };
    await call('late', 200);
    await eventually(async () => (await found('chatId=late')).length === 1);
    await call('too-late', 1300);
    await pause(100);
    expect(await found('chatId=too-late')).toEqual([]);
  });

  it('of an address records at most a hundred texts an hour, and more in the next', async () => {
    const from = elsewhere();
    const calls = Array.from({ length: 103 }, () => client.predict(keyed, { chatId: 'flood' }, from));
    await Promise.all(calls);
    const texts = async () => (await found('chatId=flood&limit=200')).length;
    await eventually(async () => (await texts()) === 100);
    await pause(200);
    expect(await texts()).toBe(100);
    app.clock.advance(3_600_000);
    await client.predict(keyed, { chatId: 'flood' }, from);
    await eventually(async () => (await texts()) === 101);
  });

  it('of a blocked address is not read', async () => {
    const from = elsewhere();
    for (let miss = 0; miss < 3; miss++) await client.predict(randomUUID(), { chatId: 'struck' }, from);
    expect((await client.predict(keyed, { chatId: 'struck' }, from)).body.code).toBe('address_blocked');
    await eventually(async () => (await found('chatId=struck')).length === 3);
    await pause(200);
    expect((await found('chatId=struck')).map((record) => record['httpStatus'])).toEqual([404, 404, 404]);
  });

  it.each([
    ['GET', 'prediction/some-flow', { kind: 'prediction', flowId: 'some-flow' }],
    ['PUT', 'inspection/capture?flowId=some-flow', { kind: 'capture', flowId: 'some-flow' }],
    ['DELETE', 'pdf/render', { kind: 'render' }],
  ])('by its method %s %s leaves a record too', async (method, path, record) => {
    const { status, headers, body } = await client.send(method, `/api/v1/${path}`);
    expect(status).toBe(405);
    const id = headers.get('x-execution-id');
    expect(body).toMatchObject({ code: 'method_not_allowed', executionId: id });
    expect((await client.admin('GET', `executions/${id}`)).body).toMatchObject({
      ...record,
      status: 'rejected',
      httpStatus: 405,
      code: 'method_not_allowed',
    });
  });

  it('is found by its answer, and by a telephone number in any notation', async () => {
    await client.predict(keyed, { chatId: 'whatsapp:+44 7700 900987', question: 'x' });
    await eventually(async () => (await found('chatId=447700900987')).length === 1);
    for (const searched of ['07700900987', '+44 (0)7700 900-987', '0044.7700.900987'])
      expect(await found(`chatId=${encodeURIComponent(searched)}`)).toHaveLength(1);
    expect(await found('chatId=00900987')).toEqual([]);
    expect(await found('q=the+api+KEY+of&chatId=447700900987')).toHaveLength(1);
    expect((await client.admin('GET', 'executions/stats?chatId=07700900987')).body.totals.count).toBe(1);
  });
});

describe('the record of a failed run', () => {
  let app: TestApp;
  let model: FakeModel;
  const client = new ServiceClient(() => app);

  beforeAll(async () => {
    model = await startFakeModel();
    app = await startTestApp({ env: { INITIAL_CREDIT: '10' } });
  });
  afterAll(() => Promise.all([app.close(), model.close()]));

  it('states that its credit was refunded, and a replay of it counts as failed', async () => {
    const flow = await client.flow(chatFlow(model.url, { price: 3 }));
    model.answers.push({ error: { status: 400, message: 'no' } });
    const call = () => client.predict(flow, { question: 'x', chatId: 'fails' }, { 'idempotency-key': 'k' });
    const [first, again] = [await call(), await call()];
    expect([first.status, again.status]).toEqual([500, 500]);
    expect(await client.ended(first.body.executionId)).toMatchObject({ credits: 0, refunded: 3 });
    const replay = await client.ended(again.headers.get('x-execution-id')!);
    expect(replay).toMatchObject({ status: 'failed', httpStatus: 500, code: 'flow_failed', credits: 0 });
    expect(replay.replayOf).toBe(first.body.executionId);
    const { totals } = (await client.admin('GET', `executions/stats?flowId=${flow}`)).body;
    expect(totals).toMatchObject({ count: 2, credits: 0, byStatus: { failed: 2 } });
  });
});
