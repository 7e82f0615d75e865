import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CaseResult, CaseRunView } from '../src/api/cases.js';
import { DatabaseReader } from '../src/database/database-reader.js';
import { EffectJournal } from '../src/executions/calls/effect-journal.js';
import { BlobStore } from '../src/storage/blob-store.js';
import { startTestApp, type TestApp } from './support/app.js';
import { startChild } from './support/child-process.js';
import { makePlace } from './support/databases.js';
import { eventually } from './support/eventually.js';
import { defaultModel, type FakeModel, Hold, startFakeModel } from './support/fake-model.js';
import { ServiceClient } from './support/service-client.js';

const tree = (...nodes: object[]) => ({
  nodes: [{ id: 'start', kind: 'start' }, ...nodes],
  edges: [{ id: 'start' }, ...(nodes as { id: string }[])].slice(0, -1).map(({ id }, index) => ({
    from: id,
    to: (nodes[index] as { id: string }).id,
  })),
});
const ask = (content: string) => ({
  id: 'ask',
  kind: 'llm',
  config: { messages: [{ role: 'user', content }], memory: { kind: 'none' } },
});
const reply = (message: string) => ({ id: 'reply', kind: 'reply', config: { message } });

/** Waits for the end of a run of cases and returns it. */
const ended = async (client: ServiceClient, location: string): Promise<CaseRunView> => {
  let view: CaseRunView | undefined;
  await eventually(async () => {
    view = (await client.admin('GET', location.replace('/api/v1/', ''))).body as CaseRunView;
    return view.status !== 'running';
  });
  return view!;
};

describe('the cases of a flow', () => {
  let service: TestApp;
  let model: FakeModel;
  let target: Server;
  let host: string;
  let asked: number;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    model = await startFakeModel();
    target = createServer((_request, response) => {
      asked++;
      response.setHeader('content-type', 'application/json').end('{"rate":7}');
    }).listen(0, '127.0.0.1');
    await once(target, 'listening');
    host = `127.0.0.1:${(target.address() as AddressInfo).port}`;
    service = await startTestApp({ env: { OUTBOUND_ALLOW: host, ...defaultModel(model) } });
  });
  beforeEach(() => {
    asked = 0;
    model.requests.length = 0;
    model.answers.length = 0;
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await service.close();
    await model.close();
    target.close().closeAllConnections();
  });

  const rates = () =>
    tree({ id: 'get', kind: 'http', config: { url: `http://${host}/rate` } }, ask('{{question}} {{get}}'));
  const keep = async (flow: string, executionId: string, more: object = {}) =>
    (await client.admin('POST', `flows/${flow}/cases`, { name: 'Kept', executionId, ...more })).body;
  const run = async (flow: string, body: object = {}) => {
    const started = await client.admin('POST', `flows/${flow}/cases/run`, body);
    if (started.status !== 202) throw new Error(started.text);
    return ended(client, started.headers.get('location')!);
  };
  const only = async (flow: string, body: object = {}): Promise<CaseResult> =>
    (await run(flow, body)).results[0]!;
  const balance = async () => (await client.admin('GET', 'credit/default')).body.balance as number;
  const lists = async (flow: string) => {
    const paths = [`executions?flowId=${flow}`, 'inspection/sessions'];
    const answers = await Promise.all(paths.map((path) => client.admin('GET', path)));
    return answers.map(({ body }) => (body?.data as unknown[] | undefined)?.length);
  };
  /** Rows that a run of a flow leaves. */
  const rows = async () => {
    const tables = ['executions', 'execution_nodes', 'effects', 'chat_turns', 'chat_states', 'photographs'];
    const reader = service.app.get(DatabaseReader);
    const counts = tables.map((table) => reader.one(`SELECT COUNT(*) AS count FROM ${table}`, []));
    return Promise.all(counts);
  };

  it('answer as in the execution, cost nothing and leave nothing', async () => {
    const flow = await client.flow({ name: 'Rates', price: 5, ...rates() });
    model.answers.push({ tokens: ['The rate ', 'is 7'], usage: { prompt_tokens: 20, completion_tokens: 4 } });
    const { executionId } = (await client.predict(flow, { question: 'What now?', chatId: 'c' })).body;
    const checks = [
      { kind: 'contains', value: '7' },
      { kind: 'max', tokens: 10 },
      { kind: 'equals', value: 'The rate is 7' },
    ];
    const made = await keep(flow, executionId, { checks });
    expect(made).toMatchObject({ name: 'Kept', calls: 'recorded', executionId, last: null });
    const before = [await balance(), await lists(flow), await rows()];
    const result = await only(flow);
    expect(result).toMatchObject({
      caseId: made.id,
      passed: false,
      checks: [
        { passed: true },
        { passed: false, detail: expect.stringContaining('of 10 tokens') },
        { passed: true },
      ],
      answer: 'The rate is 7',
      before: 'The rate is 7',
      ...{ changed: false, requests: [], unused: [], credits: 0 },
    });
    expect([await balance(), await lists(flow), await rows(), asked, model.requests.length]).toEqual([
      ...before,
      ...[1, 1],
    ]);
    const read = (await client.admin('GET', `flows/${flow}/cases/${made.id}`)).body;
    expect(read).toMatchObject({
      question: 'What now?',
      before: 'The rate is 7',
      recorded: ['"http" of "get#1"', '"model" of "ask#1"'],
      last: { passed: false },
    });
  });

  it('report a changed request, a call that was not recorded, and one that is no longer made', async () => {
    const flow = await client.flow({ name: 'Changing', ...rates() });
    const { executionId } = (await client.predict(flow, { question: 'Hi' })).body;
    await keep(flow, executionId);
    const draft = (definition: object) => client.admin('PUT', `flows/${flow}/draft`, definition);
    await draft(
      tree({ id: 'get', kind: 'http', config: { url: `http://${host}/other` } }, ask('{{question}} {{get}}')),
    );
    const changed = await run(flow, { version: 'draft' });
    expect([changed.version, changed.results]).toMatchObject([
      'draft',
      [
        {
          passed: true,
          changed: false,
          requests: [{ node: 'get', visit: 1, after: { url: `http://${host}/other` } }],
        },
      ],
    ]);
    await draft(tree(ask('{{question}}'), reply('Said {{ask}}')));
    expect(await only(flow, { version: 'draft' })).toMatchObject({
      passed: true,
      ...{ changed: true, answer: 'Said Hello there', before: 'Hello there' },
      unused: ['"http" of "get#1"'],
    });
    await draft(tree({ ...ask('{{question}}'), id: 'another' }));
    expect(await only(flow, { version: 'draft' })).toMatchObject({
      ...{ passed: false, code: 'not_recorded', answer: null },
      error: expect.stringContaining('"model" of "another#1"'),
    });
    await draft({
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'x', kind: 'nothing' },
      ],
      edges: [],
    });
    const refused = await client.admin('POST', `flows/${flow}/cases/run`, { version: 'draft' });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_flow']);
    expect([(await run(flow, { version: 1 })).results[0]!.passed, asked]).toEqual([true, 1]);
    expect((await client.admin('POST', `flows/${flow}/cases/run`, { version: 9 })).status).toBe(404);
  });

  it('end at the question of a run that was approved, and miss none of the later calls', async () => {
    const flow = await client.flow({
      name: 'Approved',
      nodes: [
        { id: 'start', kind: 'start' },
        ask('{{question}}'),
        { id: 'sure', kind: 'human-input', config: { message: 'Order {{ask}}?' } },
        { id: 'get', kind: 'http', config: { url: `http://${host}/rate` } },
      ],
      edges: [
        { from: 'start', to: 'ask' },
        { from: 'ask', to: 'sure' },
        { from: 'sure', to: 'get', on: '0' },
      ],
    });
    model.answers.push({ tokens: ['lamps'] });
    const chat = { chatId: 'approved' };
    const { executionId, action } = (await client.predict(flow, { question: 'What?', ...chat })).body;
    const humanInput = { type: 'proceed', startNodeId: action.data.nodeId };
    await client.predict(flow, { question: 'Proceed', humanInput, ...chat });
    const { id } = await keep(flow, executionId);
    const { recorded } = (await client.admin('GET', `flows/${flow}/cases/${id}`)).body;
    expect(recorded).toContain('"http" of "get#1"');
    expect(await only(flow)).toMatchObject({
      passed: true,
      answer: 'Order lamps?',
      requests: [],
      unused: [],
    });
    expect([asked, model.requests.length]).toEqual([1, 1]);
  });

  it('repeat history, state, form and files, and outlive their execution', async () => {
    const flow = await client.flow({
      name: 'Remembering',
      nodes: [
        { id: 'start', kind: 'start', config: { state: { last: '-' } } },
        reply('{{$flow.state.last}} {{$form.colour}} {{file_attachment}} {{chat_history}}'),
        { id: 'set', kind: 'set-state', config: { state: { last: '{{question}}' } } },
      ],
      edges: [
        { from: 'start', to: 'reply' },
        { from: 'reply', to: 'set' },
      ],
    });
    await client.predict(flow, { question: 'first', chatId: 'c' });
    const said = await client.predict(flow, {
      ...{ question: 'second', chatId: 'c', form: { colour: 'red' } },
      uploads: [{ type: 'file:full', name: 'a.txt', mime: 'text/plain', data: 'A note' }],
    });
    await client.predict(flow, { question: 'third', chatId: 'c' });
    const { id } = await keep(flow, said.body.executionId);
    await client.admin('DELETE', `executions/${said.body.executionId}`);
    const result = await only(flow);
    expect(result).toMatchObject({ changed: false, answer: said.body.text });
    expect(result.answer).toContain('first red');
    expect((await client.admin('GET', `flows/${flow}/cases/${id}`)).body).toMatchObject({
      ...{ history: 2, files: [{ name: 'a.txt', bytes: 6 }], form: { colour: 'red' } },
    });
  });

  it('never write an inspection: captures are answered from the recording, or made apart', async () => {
    const flow = await client.flow({
      name: 'Capturing',
      ...tree(
        { id: 'capture', kind: 'capture', config: { area: 'Kitchen', remark: '{{question}}' } },
        reply('{{capture.output.session.pending}} pending'),
      ),
    });
    const { executionId } = (await client.predict(flow, { question: 'A scratch', chatId: 'i' })).body;
    await keep(flow, executionId);
    const sessions = async () => (await client.admin('GET', 'inspection/sessions')).body.data;
    const before = await sessions();
    for (const calls of ['recorded', 'live'])
      expect(await only(flow, { calls })).toMatchObject({ passed: true, changed: false });
    expect(await sessions()).toEqual(before);
    const fresh = await client.admin('POST', `flows/${flow}/cases`, {
      name: 'New',
      input: { question: 'A crack' },
    });
    expect(await only(flow, { caseIds: [fresh.body.id] })).toMatchObject({
      passed: true,
      answer: '0 pending',
    });
    expect(await sessions()).toEqual(before);
    expect(await only(flow, { caseIds: [fresh.body.id], calls: 'recorded' })).toMatchObject({
      ...{ passed: false, code: 'not_recorded', credits: 0 },
    });
  });

  it('with live calls are charged like runs, refunded where the flow fails, and stay out of lists', async () => {
    const flow = await client.flow({ name: 'Live', price: 3, ...rates() });
    const made = await client.admin('POST', `flows/${flow}/cases`, {
      name: 'Now',
      input: { question: 'Hi' },
    });
    expect(made.body).toMatchObject({ calls: 'live', executionId: null });
    const before = await balance();
    expect(await only(flow)).toMatchObject({
      passed: true,
      credits: 3,
      answer: 'Hello there',
      before: null,
      changed: false,
    });
    expect([before - (await balance()), asked, (await lists(flow))[0]]).toEqual([3, 1, 0]);
    const [entry] = (await client.admin('GET', 'credit/default/entries')).body.data;
    expect(entry).toMatchObject({ kind: 'charge', amount: -3, executionId: expect.stringMatching(/^case-/) });
    model.answers.push({ error: { status: 400, message: 'no' } });
    expect(await only(flow)).toMatchObject({ passed: false, code: 'flow_failed', credits: 0 });
    expect(before - (await balance())).toBe(3);
  });

  it('are judged by a model, which fails the check where it gives no verdict', async () => {
    const flow = await client.flow({ name: 'Judged', ...tree(reply('Good day, {{question}}')) });
    const judge = { kind: 'judge', rubric: 'Greets by name' };
    const made = { name: 'x', input: { question: 'Ann' }, calls: 'recorded', checks: [judge] };
    await client.admin('POST', `flows/${flow}/cases`, made);
    model.answers.push({ tokens: ['{"passed":true,"reason":"It names Ann."}'] });
    expect(await only(flow)).toMatchObject({
      passed: true,
      checks: [{ passed: true, detail: 'It names Ann.' }],
    });
    expect(JSON.stringify(model.requests[0]!.body.messages)).toContain('Good day, Ann');
    model.answers.push({ tokens: ['Certainly!'] });
    expect(await only(flow)).toMatchObject({
      passed: false,
      checks: [{ detail: expect.stringContaining('gave no verdict') }],
    });
  });

  it('keep the definition that their run began with', async () => {
    const flow = await client.flow({ name: 'Moving', ...tree(ask('{{question}}'), reply('Old {{ask}}')) });
    await client.admin('POST', `flows/${flow}/cases`, { name: 'Now', input: { question: 'Hi' } });
    const hold = new Hold();
    model.answers.push({ held: hold, tokens: ['then'] });
    const started = await client.admin('POST', `flows/${flow}/cases/run`);
    await eventually(() => model.requests.length === 1);
    await client.admin('PUT', `flows/${flow}`, { name: 'Moving', ...tree(reply('New')) });
    hold.letGo();
    const done = await ended(client, started.headers.get('location')!);
    expect(done).toMatchObject({ version: 1, results: [{ answer: 'Old then' }] });
    expect(await run(flow)).toMatchObject({ version: 2, results: [{ answer: 'New' }] });
  });

  it('compare executions without checks, and say which cannot be compared', async () => {
    const flow = await client.flow({ name: 'Comparing', ...tree(ask('{{question}}'), reply('{{ask}}!')) });
    const ids: string[] = [];
    for (const question of ['a', 'b'])
      ids.push((await client.predict(flow, { question })).body.executionId as string);
    const other = await client.flow({ name: 'Other', ...tree(reply('x')) });
    const foreign = (await client.predict(other, { question: 'x' })).body.executionId as string;
    const done = await run(flow, { executionIds: [...ids, foreign] });
    expect(done).toMatchObject({ status: 'finished', total: 3, done: 3, passed: 2 });
    expect(done.results).toMatchObject([
      { executionId: ids[0], passed: true, checks: [] },
      { executionId: ids[1], passed: true },
      { executionId: foreign, passed: false, code: 'not_comparable' },
    ]);
    await client.admin('PUT', `flows/${flow}/draft`, tree(ask('{{question}}'), reply('{{ask}}?')));
    const changed = await run(flow, { version: 'draft', executionIds: ids });
    expect(changed.results.map(({ passed, changed: differs }) => [passed, differs])).toEqual([
      [false, true],
      [false, true],
    ]);
    const many = Array.from({ length: 1_001 }, () => ids[0]);
    expect((await client.admin('POST', `flows/${flow}/cases/run`, { executionIds: many })).status).toBe(400);
  });

  it('refuse an execution that cannot be copied, and fail when their copy is damaged', async () => {
    const flow = await client.flow({ name: 'Refusing', ...tree(ask('{{question}}')) });
    const refused = await client.admin('POST', `flows/${flow}/cases`, { name: 'x', executionId: 'none' });
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ path: 'executionId' }]]);
    const bad = await client.admin('POST', `flows/${flow}/cases`, { name: 'x', input: { question: 1 } });
    expect(bad.body.errors).toMatchObject([{ path: 'input.question' }]);
    const { executionId } = (await client.predict(flow, { question: 'Hi' })).body;
    jest.spyOn(service.app.get(EffectJournal), 'sizeOf').mockResolvedValueOnce(1e9);
    expect(
      (await client.admin('POST', `flows/${flow}/cases`, { name: 'x', executionId })).body.errors,
    ).toMatchObject([{ message: expect.stringContaining('16 MB') }]);
    const { id } = await keep(flow, executionId);
    const blobs = service.app.get(BlobStore);
    for await (const { key } of blobs.blobsOf('cases')) await blobs.remove(key);
    expect(await only(flow)).toMatchObject({ caseId: id, passed: false, code: 'stored_file_damaged' });
  });

  it('are changed, listed by page, deleted one by one and with their flow', async () => {
    const flow = await client.flow({ name: 'Listing', ...tree(reply('x')) });
    const path = `flows/${flow}/cases`;
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c'])
      ids.push((await client.admin('POST', path, { name, input: { question: 'x' } })).body.id as string);
    const first = (await client.admin('GET', `${path}?limit=2`)).body;
    const second = (await client.admin('GET', `${path}?limit=2&cursor=${first.nextCursor}`)).body;
    expect([...first.data, ...second.data].map(({ id }: { id: string }) => id)).toEqual(ids);
    const put = await client.admin('PUT', `${path}/${ids[0]}`, {
      name: 'A',
      checks: [{ kind: 'equals', value: 'x' }],
    });
    expect(put.body).toMatchObject({ name: 'A', calls: 'live', checks: [{ kind: 'equals' }] });
    expect((await client.admin('DELETE', `${path}/${ids[1]}`)).status).toBe(204);
    expect((await client.admin('GET', `${path}/${ids[1]}`)).status).toBe(404);
    const started = await client.admin('POST', `${path}/run`);
    const location = started.headers.get('location')!.replace('/api/v1/', '');
    await ended(client, location);
    expect((await client.admin('DELETE', location)).status).toBe(204);
    expect((await client.admin('GET', location)).status).toBe(404);
    const left = async () => {
      const keys: string[] = [];
      for await (const { key } of service.app.get(BlobStore).blobsOf('cases')) keys.push(key);
      return keys.length;
    };
    const before = await left();
    await client.admin('DELETE', `flows/${flow}`);
    expect((await client.admin('GET', path)).status).toBe(404);
    await eventually(async () => (await left()) === before - 2);
  });
});

describe('a run of cases whose process is killed', () => {
  it('ends as interrupted, with its unfinished charge refunded', async () => {
    const place = await makePlace(undefined, { migrated: true });
    const hold = new Hold();
    const model = await startFakeModel({ held: hold });
    const { child, firstLine, exit } = startChild('service-child.ts', [
      place.dataDir,
      place.databaseUrl,
      JSON.stringify(defaultModel(model)),
    ]);
    let service = { url: await firstLine, adminKey: 'ak_test_admin_key_of_the_suite' };
    const client = new ServiceClient(() => service);
    const flow = await client.flow({ name: 'Killed', price: 4, ...tree(ask('{{question}}')) });
    await client.admin('POST', `flows/${flow}/cases`, { name: 'x', input: { question: 'Hi' } });
    const started = await client.admin('POST', `flows/${flow}/cases/run`);
    await eventually(() => model.requests.length === 1);
    expect((await client.admin('GET', 'credit/default')).body.balance).toBe(996);
    child.kill('SIGKILL');
    await exit;
    const next = await startTestApp({ place });
    service = next;
    const done = await ended(client, started.headers.get('location')!);
    expect(done).toMatchObject({
      status: 'interrupted',
      error: expect.stringContaining('Run them again'),
      done: 0,
    });
    expect((await client.admin('GET', 'credit/default')).body.balance).toBe(1_000);
    hold.letGo();
    await next.close();
    await model.close();
  });
});
