import { startTestApp, type TestApp } from './support/app.js';
import { echoFlow } from './support/flows.js';
import { type Answer, ServiceClient } from './support/service-client.js';

describe('feedback and leads of a flow', () => {
  let service: TestApp;
  let flow: string;
  const client = new ServiceClient(() => service);
  const rate = (messageId: string, more: object = {}) =>
    client.send('POST', `/api/v1/feedback/${flow}`, { chatId: 'rated', messageId, ...more });
  const lead = (name: string, chatflowid = flow) =>
    client.send('POST', '/api/v1/leads', { chatflowid, chatId: 'reached', name });
  const read = (list: string, query = '') => client.admin('GET', `${list}/${flow}${query}`);

  beforeAll(async () => {
    service = await startTestApp();
  });
  beforeEach(async () => {
    flow = await client.flow(echoFlow());
  });
  afterAll(() => service.close());

  it('show an admin each rating with its answer', async () => {
    const predicted = await client.predict(flow, { question: 'Größe?', chatId: 'rated' });
    const given = { rating: 'THUMBS_DOWN', content: 'Too short' };
    const { body: made } = await rate(predicted.body.chatMessageId, given);
    await rate('of-nothing');
    const { status, body, headers } = await read('feedback');
    expect([status, headers.get('cache-control'), body.nextCursor]).toEqual([200, 'no-store', null]);
    expect(body.data).toEqual([
      expect.objectContaining({ messageId: 'of-nothing', rating: null, question: null, answer: null }),
      { ...made, ...given, question: 'Größe?', answer: 'You said: Größe?' },
    ]);
  });

  it('show an admin the contact data of users', async () => {
    const { body: made } = await lead('Ann');
    expect((await read('leads')).body).toEqual({ data: [made], nextCursor: null });
  });

  it.each(['feedback', 'leads'])('come as %s in pages, newest first, of this flow alone', async (list) => {
    const leave = (name: string) => (list === 'leads' ? lead(name) : rate(name));
    for (let count = 1; count <= 5; count++) await leave(`number ${count}`);
    await lead('elsewhere', await client.flow(echoFlow()));
    const pages: string[][] = [];
    for (let cursor = ''; pages.length < 9;) {
      const { body }: Answer = await read(list, `?limit=2${cursor}`);
      pages.push(body.data.map((item: Record<string, string>) => item['name'] ?? item['messageId']));
      if (body.nextCursor === null) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(pages).toEqual([['number 5', 'number 4'], ['number 3', 'number 2'], ['number 1']]);
  });

  it.each(['feedback', 'leads'])('are %s for the admin key alone', async (list) => {
    const { body: key } = await client.admin('POST', 'api-keys', { name: 'theirs' });
    const keyed = await client.flow(echoFlow({ access: { apiKeyId: key.id } }));
    for (const headers of [{}, { authorization: `Bearer ${key.key}` }])
      expect(await client.send('GET', `/api/v1/${list}/${keyed}`, undefined, headers)).toMatchObject({
        status: 401,
        body: { code: 'invalid_admin_key' },
      });
  });

  it.each(['feedback', 'leads'])('refuse as %s an unknown flow, and an invalid cursor', async (list) => {
    expect(await client.admin('GET', `${list}/no-such-flow`)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    for (const query of ['?cursor=x', '?limit=0', '?limit=201'])
      expect(await read(list, query)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});
