import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestApp, type TestApp } from './support/app.js';
import { startChild } from './support/child-process.js';
import { makePlace, type TestPlace } from './support/databases.js';
import { eventually } from './support/eventually.js';
import { ServiceClient } from './support/service-client.js';

const ASYNC = { prefer: 'respond-async' };

/** A target that holds each request until the test releases all. */
let target: Server;
let held: ServerResponse[] = [];
let holds = true;
const release = () => {
  holds = false;
  for (const response of held.splice(0)) response.end('{}');
};
beforeAll(async () => {
  target = createServer((_, response) => void (holds ? held.push(response) : response.end('{}')));
  await once(target.listen(0, '127.0.0.1'), 'listening');
});
beforeEach(() => {
  holds = true;
  held = [];
});
afterAll(() => target.close().closeAllConnections());

const targetPort = () => (target.address() as AddressInfo).port;
const env = () => ({ OUTBOUND_ALLOW: `127.0.0.1:${targetPort()}`, FETCH_ALLOW_HTTP: 'true' });

/** start → wait → reply. */
const waiting = (message: string) => ({
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'wait', kind: 'http', config: { method: 'GET', url: `http://127.0.0.1:${targetPort()}/` } },
    { id: 'reply', kind: 'reply', config: { message } },
  ],
  edges: [
    { from: 'start', to: 'wait' },
    { from: 'wait', to: 'reply' },
  ],
});

/** start → ask → reply. */
const asking = (message: string) => ({
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'ask', kind: 'human-input', config: { message: 'Go on?' } },
    { id: 'reply', kind: 'reply', config: { message } },
  ],
  edges: [
    { from: 'start', to: 'ask' },
    { from: 'ask', to: 'reply', on: '0' },
  ],
});

const settings = { name: 'Versions', price: 0 };

describe('a run keeps the version it began with (contract section 9, rule 15)', () => {
  let service: TestApp;
  const client = new ServiceClient(() => service);
  const versionIn = async (id: string) => (await client.ended(id)).flowVersion as unknown;
  beforeAll(async () => {
    service = await startTestApp({ env: env() });
  });
  afterAll(() => service.close());

  const click = (chatId: string, startNodeId: string) => ({
    question: 'Proceed',
    chatId,
    humanInput: { type: 'proceed', startNodeId },
  });

  it('while a version is published during a hundred calls', async () => {
    const id = await client.flow({ ...settings, ...waiting('one') });
    const calls = Array.from({ length: 100 }, () => client.predict(id, { question: 'q' }));
    const running = async () => {
      const { body } = await client.admin('GET', `executions?flowId=${id}&status=running&limit=200`);
      return body.data.length as number;
    };
    await eventually(async () => (await running()) === 100);
    await client.admin('PUT', `flows/${id}/draft`, waiting('two'));
    expect((await client.admin('POST', `flows/${id}/publish`, {})).body.version).toBe(2);
    const later = client.predict(id, { question: 'q' });
    await eventually(async () => (await running()) === 101);
    release();
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ body }) => body.text as string))).toEqual(new Set(['one']));
    expect(await versionIn(answers[99]!.body.executionId)).toBe(1);
    const { body } = await later;
    expect([body.text, await versionIn(body.executionId)]).toEqual(['two', 2]);
  });

  it('through an approval, of a version and of a draft that is gone', async () => {
    const id = await client.flow({ ...settings, ...asking('one') });
    const first = await client.predict(id, { question: 'q', chatId: 'first' });
    await client.admin('PUT', `flows/${id}/draft`, asking('draft'));
    const run = { question: 'q', chatId: 'second', version: 'draft' };
    const second = await client.admin('POST', `flows/${id}/run`, run);
    await client.admin('DELETE', `flows/${id}/draft`);
    await client.admin('PUT', `flows/${id}`, { ...settings, ...waiting('two') });

    const answered = await client.predict(id, click('first', first.body.action.data.nodeId));
    expect([answered.body.text, await versionIn(answered.body.executionId)]).toEqual(['one', 1]);
    const tried = await client.predict(id, click('second', second.body.action.data.nodeId));
    expect([tried.body.text, await versionIn(tried.body.executionId)]).toEqual(['draft', 'draft']);
    expect(await versionIn(second.body.executionId)).toBe('draft');
  });

  it('is the one that a run from the console names', async () => {
    const id = await client.flow({ ...settings, ...asking('one') });
    const replying = (message: string) => ({
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'reply', kind: 'reply', config: { message } },
      ],
      edges: [{ from: 'start', to: 'reply' }],
    });
    const run = (body: object) => client.admin('POST', `flows/${id}/run`, { question: 'q', ...body });
    expect((await run({ version: 'draft' })).body.code).toBe('not_found');
    await client.admin('PUT', `flows/${id}`, { ...settings, ...replying('two') });
    await client.admin('PUT', `flows/${id}/draft`, replying('draft'));
    const [two, one, draft] = await Promise.all([run({}), run({ version: 1 }), run({ version: 'draft' })]);
    expect([two.body.text, one.body.text, draft.body.text]).toEqual(['two', 'Go on?', 'draft']);
    expect(await versionIn(draft.body.executionId)).toBe('draft');
    expect((await run({ version: 3 })).body.code).toBe('not_found');
    expect((await run({ version: 2 ** 31 })).body.code).toBe('invalid_request');
    for (const version of ['newest', true, 0, 1.5])
      expect((await run({ version })).body.code).toBe('invalid_request');
    expect((await run({ version: '1' })).body.text).toBe('Go on?');
    await client.admin('PUT', `flows/${id}/draft`, { nodes: [] });
    const faulty = await run({ version: 'draft' });
    expect([faulty.status, faulty.body.code]).toEqual([400, 'invalid_flow']);
  });

  it('and repeats an execution with its question, form, files and history', async () => {
    const message = '{{question}}|{{$form.city}}|{{uploads[0].name}}|{{chat_history}}';
    const flow = {
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'reply', kind: 'reply', config: { message } },
      ],
      edges: [{ from: 'start', to: 'reply' }],
    };
    const id = await client.flow({ ...settings, ...flow });
    await client.predict(id, { question: 'before', chatId: 'chat' });
    const data = `data:text/plain;base64,${Buffer.from('words').toString('base64')}`;
    const uploads = [{ type: 'file', name: 'a.txt', mime: 'text/plain', data }];
    const form = { city: 'York' };
    const history = [{ role: 'user', content: 'brought along' }];
    const first = await client.predict(id, { question: 'again', chatId: 'chat', form, uploads, history });
    expect(first.body.text).toMatch(/brought along.*before/s);
    await client.predict(id, { question: 'after', chatId: 'chat' });
    const { executionId } = first.body;
    await client.admin('PUT', `flows/${id}/draft`, flow);
    const repeated = await client.admin('POST', `flows/${id}/run`, { executionId, version: 'draft' });
    expect(repeated.body.text).toBe(first.body.text);
    expect(repeated.body.text).toContain('again|York|a.txt|');
    expect(repeated.body.text).toContain('before');
    expect(repeated.body.text).not.toContain('after');
    expect(repeated.body.chatId).not.toBe('chat');
    const edited = await client.admin('POST', `flows/${id}/run`, { executionId, question: 'edited' });
    expect(edited.body.text).toContain('edited|York|a.txt|');
    // A chat that is named has its own history.
    const inChat = await client.admin('POST', `flows/${id}/run`, { executionId, chatId: 'other' });
    expect(inChat.body.text).not.toContain('before');
    const unknown = await client.admin('POST', `flows/${id}/run`, { executionId: 'none' });
    expect(unknown.body.code).toBe('not_found');
  });
});

describe('an async run whose process is killed', () => {
  let place: TestPlace;
  let service: Pick<TestApp, 'url' | 'adminKey'>;
  const client = new ServiceClient(() => service);
  beforeAll(async () => {
    place = await makePlace(undefined, { migrated: true });
  });
  afterAll(() => place.remove());

  it('goes on in its version, or its draft, in another process', async () => {
    const { child, firstLine, exit } = startChild('service-child.ts', [
      ...[place.dataDir, place.databaseUrl, JSON.stringify(env())],
    ]);
    const adminKey = 'ak_test_admin_key_of_the_suite';
    service = { url: await firstLine, adminKey };
    const id = await client.flow({ ...settings, ...waiting('one') });
    const running = await client.predict(id, { question: 'q', chatId: 'chat' }, ASYNC);
    await eventually(() => held.length === 1);
    const queued = await client.predict(id, { question: 'q', chatId: 'chat' }, ASYNC);
    await client.admin('PUT', `flows/${id}/draft`, waiting('draft'));
    const tried = await client.send(
      'POST',
      `/api/v1/flows/${id}/run`,
      { question: 'q', version: 'draft' },
      { ...ASYNC, authorization: `Bearer ${adminKey}` },
    );
    await client.admin('DELETE', `flows/${id}/draft`);
    await client.admin('PUT', `flows/${id}`, { ...settings, ...waiting('two') });
    child.kill('SIGKILL');
    await exit;

    release();
    const next = await startTestApp({ env: env(), place });
    service = next;
    try {
      const textOf = async ({ headers, body }: typeof running) => {
        const { flowVersion } = await client.ended(body.executionId);
        const state = await client.send('GET', headers.get('location')!);
        return [state.body.answer?.text, flowVersion];
      };
      expect(await textOf(running)).toEqual(['one', 1]);
      expect(await textOf(queued)).toEqual(['one', 1]);
      expect(await textOf(tried)).toEqual(['draft', 'draft']);
      expect((await client.predict(id, { question: 'q' })).body.text).toBe('two');
    } finally {
      await next.close({ keep: true });
    }
  });
});
