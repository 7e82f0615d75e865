import request from 'supertest';
import { startTestApp, type TestApp } from './support/app.js';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

const admin = () => ({ authorization: `Bearer ${test.adminKey}` });
const flows = (path = '') => `/api/v1/flows${path}`;
const send = (method: 'get' | 'put' | 'post' | 'delete', path: string) =>
  request(test.url)[method](flows(path)).set(admin());

const content = (message: string) => ({
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'reply', kind: 'reply', config: { message } },
  ],
  edges: [{ from: 'start', to: 'reply' }],
});
const greeter = (message: string, more: object = {}) => ({ name: 'Greeter', ...content(message), ...more });
const ask = async (id: string) =>
  (await request(test.url).post(`/api/v1/prediction/${id}`).send({ question: 'q' })).body;
const make = (id: string) => send('post', '').send(greeter('one', { id, price: 0 }));

describe('versions of flows (contract section 9, rules 13 and 14)', () => {
  it('begin at 1, and a draft changes nothing until it is published', async () => {
    const made = await make('steps');
    expect(made.body).toMatchObject({ version: 1, draft: false });
    expect((await send('get', '/steps/draft')).status).toBe(404);
    expect((await send('delete', '/steps/draft')).status).toBe(404);
    expect((await send('post', '/steps/publish').send({})).body.code).toBe('not_found');

    const saved = await send('put', '/steps/draft').send({ ...content('two'), author: 'Ada' });
    expect(saved.status).toBe(200);
    expect(saved.body).toMatchObject({ id: 'steps', by: 'Ada', basedOn: 1, errors: [] });
    expect((await ask('steps')).text).toBe('one');
    const read = await send('get', '/steps/draft');
    expect(read.body).toEqual(saved.body);
    expect(read.headers['etag']).toBe(`"${saved.body.revision}"`);
    const flow = await send('get', '/steps').set('if-none-match', made.headers['etag'] as string);
    expect([flow.status, flow.body.draft, flow.body.version]).toEqual([200, true, 1]);

    const published = await send('post', '/steps/publish').send({ name: 'Second', note: 'New words' });
    expect(published.body).toMatchObject({ version: 2, draft: false, price: 0, name: 'Greeter' });
    expect((await ask('steps')).text).toBe('two');
    expect((await send('get', '/steps/draft')).status).toBe(404);
    const { data } = (await send('get', '/steps/versions')).body;
    expect(data).toMatchObject([
      { version: 2, name: 'Second', note: 'New words', by: 'Ada' },
      { version: 1, by: 'admin' },
    ]);
    expect((await send('get', '/steps/versions/1')).body).toMatchObject({ version: 1, ...content('one') });
    const beyond = Buffer.from(JSON.stringify([2 ** 31])).toString('base64url');
    expect((await send('get', `/steps/versions?cursor=${beyond}`)).body.code).toBe('invalid_request');
    for (const none of ['3', '0', '1.5', 'x', '999999999999'])
      expect((await send('get', `/steps/versions/${none}`)).status).toBe(404);
  });

  it('are published at once by PUT, which leaves the draft, and not by a change of settings', async () => {
    await make('puts');
    await send('put', '/puts/draft').send(content('draft'));
    const settings = await send('put', '/puts').send(greeter('one', { price: 3, author: 'Bob' }));
    expect(settings.body).toMatchObject({ version: 1, price: 3, draft: true });
    const put = await send('put', '/puts').send(greeter('two', { price: 0 }));
    expect(put.body).toMatchObject({ version: 2, draft: true });
    expect((await send('get', '/puts/draft')).body).toMatchObject({ ...content('draft'), basedOn: 1 });
    expect((await send('get', '/puts/setting-changes')).body.data).toMatchObject([
      { setting: 'price', old: 3, new: 0, by: 'admin' },
      { setting: 'price', old: 0, new: 3, by: 'Bob' },
    ]);
    expect((await send('delete', '/puts/draft')).status).toBe(204);
    expect((await send('get', '/puts')).body.draft).toBe(false);
  });

  it('take an incomplete draft with its faults, which cannot be published', async () => {
    await make('faulty');
    const body = {
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'x', kind: 'nothing' },
      ],
      edges: 'none',
    };
    const saved = await send('put', '/faulty/draft').send({ ...body, price: 9, name: 'Other', id: 'faulty' });
    expect(saved.status).toBe(200);
    expect(saved.body).toMatchObject(body);
    expect(saved.body.errors.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(['edges', 'nodes.1.kind']),
    );
    const ignored = saved.body.warnings.filter(({ code }: { code: string }) => code === 'setting_ignored');
    expect(ignored.map(({ path }: { path: string }) => path)).toEqual(['price', 'name']);
    const refused = await send('post', '/faulty/publish').send({});
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_flow']);
    expect(refused.body.errors).toEqual(saved.body.errors);
    expect((await send('get', '/faulty')).body).toMatchObject({ price: 0, name: 'Greeter', draft: true });
    expect((await send('put', '/faulty/draft').send({})).body.errors).not.toEqual([]);
    for (const none of ['', 'null', '[1]'])
      expect((await send('put', '/faulty/draft').type('json').send(none)).status).toBe(400);
    expect((await send('put', '/no-such-flow/draft').send(content('x'))).body.code).toBe('not_found');
  });

  it('answer the second of two authors 412, with who came first', async () => {
    const made = await make('authors');
    const flowTag = made.headers['etag'] as string;
    const first = await send('put', '/authors/draft')
      .set('if-match', flowTag)
      .send({ ...content('a'), author: 'Ada' });
    expect(first.status).toBe(200);
    const second = await send('put', '/authors/draft').set('if-match', flowTag).send(content('b'));
    expect([second.status, second.body.code]).toEqual([412, 'flow_changed']);
    expect(second.body.current).toMatchObject({ by: 'Ada', revision: first.body.revision, draft: true });
    expect(second.body.message).toContain('Ada');
    const stale = `"${first.body.revision}"`;
    expect((await send('put', '/authors/draft').set('if-match', stale).send(content('c'))).status).toBe(200);
    for (const [method, path] of [
      ['post', '/authors/publish'],
      ['post', '/authors/versions/1/restore'],
      ['delete', '/authors/draft'],
    ] as const)
      expect((await send(method, path).set('if-match', stale).send({})).status).toBe(412);
    const { etag } = (await send('get', '/authors')).headers;
    expect((await send('put', '/authors').set('if-match', etag!).send(greeter('d'))).status).toBe(200);
  });

  it('restore a version whose credential was deleted as a draft with its fault', async () => {
    const credential = { name: 'Target', kind: 'header', data: { name: 'x-key', value: 'secret-value' } };
    const { body: made } = await request(test.url).post('/api/v1/credentials').set(admin()).send(credential);
    expect(made.id).toBeDefined();
    const http = {
      id: 'call',
      kind: 'http',
      config: { method: 'GET', url: 'https://example.com', credentialId: made.id },
    };
    const calling = { nodes: [{ id: 'start', kind: 'start' }, http], edges: [{ from: 'start', to: 'call' }] };
    await send('post', '').send({ id: 'restored', name: 'Calls', ...calling });
    await send('put', '/restored').send(greeter('no call'));
    await request(test.url).delete(`/api/v1/credentials/${made.id}`).set(admin());
    const draft = await send('post', '/restored/versions/1/restore').send({ author: 'Ada' });
    expect(draft.status).toBe(200);
    expect(draft.body).toMatchObject({ ...calling, by: 'Ada' });
    expect(draft.body.errors).toMatchObject([{ path: 'nodes.1.config.credentialId' }]);
    expect(draft.body.warnings).toMatchObject([
      { code: 'restored_fault', path: 'nodes.1.config.credentialId' },
    ]);
    expect((await send('post', '/restored/publish').send({})).status).toBe(400);
    expect((await send('post', '/restored/versions/9/restore').send({})).status).toBe(404);
  });

  it('take a draft of ten megabytes', async () => {
    await make('large');
    const text = 'word '.repeat(2 * 1024 * 1024);
    const saved = await send('put', '/large/draft').send(content(text));
    expect([saved.status, saved.body.errors]).toEqual([200, []]);
    expect((await send('post', '/large/publish').send({})).body.version).toBe(2);
    expect((await ask('large')).text).toHaveLength(text.length);
  });
});

describe('a flow that is switched off (contract section 9, rule 6)', () => {
  const asking = (more: object = {}) => ({
    id: 'switched',
    name: 'Asks',
    price: 0,
    access: { public: true },
    nodes: [
      { id: 'start', kind: 'start' },
      { id: 'ask', kind: 'human-input', config: { message: 'Order?' } },
      { id: 'yes', kind: 'reply', config: { message: 'Ordered' } },
    ],
    edges: [
      { from: 'start', to: 'ask' },
      { from: 'ask', to: 'yes', on: '0' },
    ],
    ...more,
  });
  const post = (path: string, body: object) => request(test.url).post(`/api/v1/${path}`).send(body);
  const refusal = (answer: { status: number; body: { code?: string } }) => [answer.status, answer.body.code];
  const DISABLED = [503, 'flow_disabled'];

  it('refuses calls and the chat page; approvals and admin routes go on', async () => {
    await send('post', '').send(asking());
    const waiting = await post('prediction/switched', { question: 'q', chatId: 'chat' });
    const off = await send('put', '/switched').send(asking({ enabled: false }));
    expect(off.body).toMatchObject({ enabled: false, version: 1 });

    expect(refusal(await post('prediction/switched', { question: 'q' }))).toEqual(DISABLED);
    expect(refusal(await post('inspection/capture', { flowId: 'switched', remark: 'r' }))).toEqual(DISABLED);
    for (const path of [
      'chat/switched',
      'api/v1/public-chatbotConfig/switched',
      'api/v1/chatflows-streaming/switched',
    ])
      expect([path, (await request(test.url).get(`/${path}`)).status]).toEqual([path, 503]);
    const { startNodeId } = { startNodeId: waiting.body.action.data.nodeId as string };
    const humanInput = { type: 'proceed', startNodeId };
    const clicked = await post('prediction/switched', { question: 'Proceed', chatId: 'chat', humanInput });
    expect([clicked.status, clicked.body.text]).toEqual([200, 'Ordered']);
    expect((await send('post', '/switched/run').send({ question: 'q' })).status).toBe(200);

    expect((await send('put', '/switched').send(asking({ enabled: true }))).body.version).toBe(1);
    expect((await post('prediction/switched', { question: 'q' })).status).toBe(200);
    expect((await send('get', '/switched/setting-changes')).body.data).toMatchObject([
      { setting: 'enabled', old: false, new: true },
      { setting: 'enabled', old: null, new: false },
    ]);
  });

  it('refuses a body that cannot be read, with the rate limit, while an approval waits', async () => {
    const access = { public: true, rateLimit: { limit: 2, windowSeconds: 60 } };
    await send('post', '').send(asking({ id: 'limited', access }));
    await post('prediction/limited', { question: 'q', chatId: 'chat' });
    await send('put', '/limited').send(asking({ id: 'limited', access, enabled: false }));
    for (const body of ['{', '{}', '{"question":5}', '{"question":"q"}']) {
      const refused = await request(test.url)
        .post('/api/v1/prediction/limited')
        .set('Content-Type', 'application/json')
        .send(body);
      expect([body, ...refusal(refused), refused.headers['ratelimit-remaining']]).toEqual([
        body,
        ...DISABLED,
        '1',
      ]);
    }
  });

  it('refuses before its approvals are looked at only when it has none', async () => {
    await send('post', '').send(greeter('one', { id: 'quiet', price: 0, enabled: false }));
    const click = { question: 'q', chatId: 'c', humanInput: { type: 'proceed', startNodeId: 'x' } };
    expect(refusal(await post('prediction/quiet', click))).toEqual(DISABLED);
  });
});
