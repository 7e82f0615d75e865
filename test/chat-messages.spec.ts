import { randomUUID } from 'node:crypto';
import { startTestApp, type TestApp } from './support/app.js';
import { echoFlow, replyFlow } from './support/flows.js';
import { type Answer, ServiceClient } from './support/service-client.js';

describe('the messages of a chat', () => {
  let app: TestApp;
  let key: { id: string; key: string };
  let open: string;
  let keyed: string;
  let addresses = 0;
  const client = new ServiceClient(() => app);
  const elsewhere = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` });

  beforeAll(async () => {
    app = await startTestApp({ env: { TRUST_PROXY: '1', INITIAL_CREDIT: '5000' } });
    key = (await client.admin('POST', 'api-keys', { name: 'theirs' })).body;
    open = await client.flow(echoFlow());
    keyed = await client.flow(echoFlow({ access: { apiKeyId: key.id } }));
  });
  afterAll(() => app.close());

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const read = (flow: string, query: object, headers: Record<string, string> = {}): Promise<Answer> =>
    client.send(
      'GET',
      `/api/v1/chatmessage/${flow}?${new URLSearchParams(Object.entries(query)).toString()}`,
      undefined,
      headers,
    );
  const asAdmin = (flow: string, query: object) => read(flow, query, bearer(app.adminKey));

  it('are the questions and answers, the newest first', async () => {
    const chatId = 'two-turns';
    const first = await client.predict(keyed, { question: 'One', chatId }, bearer(key.key));
    const second = await client.predict(keyed, { question: 'Two', chatId }, bearer(key.key));
    const { status, body, headers } = await read(keyed, { chatId }, bearer(key.key));
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body.nextCursor).toBeNull();
    const at = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/);
    const of = ({ body: { executionId } }: Answer) => ({ createdAt: at, executionId });
    expect(body.data).toEqual([
      { id: second.body.chatMessageId, role: 'assistant', content: 'You said: Two', ...of(second) },
      { id: expect.any(String), role: 'user', content: 'Two', ...of(second) },
      { id: first.body.chatMessageId, role: 'assistant', content: 'You said: One', ...of(first) },
      { id: expect.any(String), role: 'user', content: 'One', ...of(first) },
    ]);
    const ids = body.data.map((message: { id: string }) => message.id);
    expect(new Set(ids).size).toBe(4);
    const times = body.data.map((message: { createdAt: string }) => message.createdAt);
    expect(times).toEqual([...times].sort().reverse());
    const record = (await client.admin('GET', `executions/${second.body.executionId}`)).body;
    expect(times.slice(0, 2)).toEqual([record.finishedAt, record.startedAt]);
  });

  it.each([1, 2, 3, 5])('come in pages of %d, each message once', async (limit) => {
    const chatId = `paged-${limit}`;
    for (let turn = 1; turn <= 4; turn++) await client.predict(open, { question: `Turn ${turn}`, chatId });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Answer = await asAdmin(open, { chatId, limit, ...(cursor === null ? {} : { cursor }) });
      expect(page.body.data.length).toBeLessThanOrEqual(limit);
      expect(page.body.data.length).toBeGreaterThan(0);
      seen.push(...page.body.data.map((message: { content: string }) => message.content));
      cursor = page.body.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual([4, 3, 2, 1].flatMap((turn) => [`You said: Turn ${turn}`, `Turn ${turn}`]));
  });

  it('that are very long come a few at a time', async () => {
    const chatId = 'long';
    const flow = await client.flow(replyFlow('Read.'));
    for (let turn = 0; turn < 6; turn++)
      await client.predict(flow, { question: `${turn}`.repeat(1_000_000), chatId });
    const { body, text } = await asAdmin(flow, { chatId });
    expect(text.length).toBeLessThan(5_000_000);
    expect(body.data).toHaveLength(8);
    const next = await asAdmin(flow, { chatId, cursor: body.nextCursor });
    expect(next.body.data).toHaveLength(4);
    expect(next.body.nextCursor).toBeNull();
  });

  it('name uploaded files, without their bytes or links', async () => {
    const chatId = 'with-uploads';
    const data = `data:text/plain;base64,${Buffer.from('kept to itself').toString('base64')}`;
    const uploads = [{ type: 'file', name: 'note.txt', mime: 'text/plain', data }];
    const sent = await client.predict(open, { question: '', chatId, uploads });
    expect(sent.status).toBe(200);
    const { body, text } = await asAdmin(open, { chatId });
    expect(body.data[1]).toMatchObject({
      role: 'user',
      content: '',
      uploads: [{ type: 'file', name: 'note.txt', mime: 'text/plain' }],
    });
    expect(Object.keys(body.data[1].uploads[0])).toEqual(['type', 'name', 'mime']);
    expect(text).not.toContain('base64');
  });

  it('are empty for an unknown chat, and belong to their own flow', async () => {
    await client.predict(open, { question: 'Mine', chatId: 'of-open' });
    const none = { status: 200, body: { data: [], nextCursor: null } };
    expect(await asAdmin(open, { chatId: 'unknown' })).toMatchObject(none);
    expect(await read(keyed, { chatId: 'of-open' }, bearer(key.key))).toMatchObject(none);
    const other = await client.flow(echoFlow());
    expect(await asAdmin(other, { chatId: 'of-open' })).toMatchObject(none);
  });

  it.each([
    {},
    { chatId: '' },
    { chatId: 'x', limit: 0 },
    { chatId: 'x', limit: 201 },
    { chatId: 'x', cursor: 'y' },
  ])('are refused with 400 for %j', async (query) => {
    expect(await asAdmin(open, query)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  describe('of a keyed flow', () => {
    it('are readable with its key and the admin key, and no other', async () => {
      const other = (await client.admin('POST', 'api-keys', { name: 'other' })).body.key as string;
      const chatId = randomUUID();
      expect((await read(keyed, { chatId }, bearer(key.key))).status).toBe(200);
      expect((await asAdmin(keyed, { chatId })).status).toBe(200);
      for (const headers of [{}, bearer(other), bearer('ak_nobody')])
        expect(await read(keyed, { chatId }, headers)).toMatchObject({
          status: 401,
          body: { code: 'invalid_api_key' },
        });
    });
  });

  describe('of an open flow', () => {
    it('are readable with the admin key alone if the id is guessable', async () => {
      for (const chatId of ['447700900123', 'my-first', '0190a8d2-7b5e-7c31-8f64-3b1f2c9d4e5a']) {
        await client.predict(open, { question: 'Private', chatId });
        for (const headers of [{}, bearer(key.key)])
          expect(await read(open, { chatId }, headers)).toMatchObject({
            status: 401,
            body: { code: 'invalid_api_key' },
          });
        expect((await asAdmin(open, { chatId })).body.data).toHaveLength(2);
      }
    });

    it('are readable by anyone who knows an unguessable id', async () => {
      const chatId = randomUUID();
      await client.predict(open, { question: 'Mine', chatId });
      expect((await read(open, { chatId })).body.data).toHaveLength(2);
    });
  });

  it('obey the allowed domains, except for the admin key', async () => {
    const listed = await client.flow(echoFlow({ access: { allowedDomains: ['shop.example'] } }));
    const query = { chatId: randomUUID() };
    const evil = { origin: 'https://evil.example' };
    expect(await read(listed, query, evil)).toMatchObject({
      status: 403,
      body: { code: 'domain_not_allowed' },
    });
    const shop = await read(listed, query, { origin: 'https://shop.example' });
    expect([shop.status, shop.headers.get('access-control-allow-origin')]).toEqual([
      200,
      'https://shop.example',
    ]);
    expect((await read(listed, query, { ...evil, ...bearer(app.adminKey) })).status).toBe(200);
  });

  it('count an unknown flow once per address and id, and are closed to a blocked address', async () => {
    const from = elsewhere();
    const query = { chatId: randomUUID() };
    for (let call = 0; call < 5; call++)
      expect(await read('gone', query, from)).toMatchObject({
        status: 404,
        body: { code: 'flow_not_found' },
      });
    for (const id of ['gone-2', 'gone-3']) await read(id, query, from);
    expect(await read(open, query, from)).toMatchObject({ status: 429, body: { code: 'address_blocked' } });
    const admin = { ...from, ...bearer(app.adminKey) };
    expect((await read(open, query, admin)).status).toBe(200);
    for (let call = 0; call < 5; call++)
      expect((await read(randomUUID(), query, { ...elsewhere(), ...bearer(app.adminKey) })).status).toBe(404);
  });
});
