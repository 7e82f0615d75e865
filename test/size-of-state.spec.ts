import { startTestApp, type TestApp } from './support/app.js';
import { ServiceClient } from './support/service-client.js';

const MOST = 4 * 1024 * 1024;
const MILLION = 1_000_000;

/** Flow state of a chat is bounded (contract section 3, Sessions). */
describe('the state of a chat', () => {
  let app: TestApp;
  const client = new ServiceClient(() => app);

  beforeAll(async () => {
    app = await startTestApp();
    await client.admin('POST', 'credit/default/top-ups', { amount: 1_000, reference: 'tests' });
  });

  afterAll(() => app.close());

  const edges = [
    { from: 'start', to: 'step' },
    { from: 'step', to: 'reply' },
  ];
  const reply = { id: 'reply', kind: 'reply', config: { message: '{{$flow.state.log}}' } };
  const start = { id: 'start', kind: 'start', config: { state: { log: '' } } };
  const log = { log: '{{$flow.state.log}}{{question}}' };
  const recordOf = async (id: string) => (await client.admin('GET', `executions/${id}`)).body;

  it.each([
    ['a set-state', { kind: 'set-state', config: { state: log } }],
    ['any node’s updateState', { kind: 'reply', config: { message: 'x', updateState: log } }],
  ])('grows by %s up to its bound; beyond, the node fails and the stored state stays', async (_, step) => {
    const flow = await client.flow({ name: 'Log', nodes: [start, { id: 'step', ...step }, reply], edges });
    const say = (question: string) => client.predict(flow, { question, chatId: 'c' });
    for (let n = 1; n <= 4; n++) expect((await say('a'.repeat(MILLION))).body.text).toHaveLength(n * MILLION);
    const refused = await say('a'.repeat(MILLION));
    expect([refused.status, refused.body.code]).toEqual([500, 'flow_failed']);
    const record = await recordOf(refused.body.executionId);
    expect(record).toMatchObject({ credits: 0, failedNode: { id: 'step' } });
    expect(record.error).toContain(`would have ${5 * MILLION + 5} characters; at most ${MOST} are stored`);
    expect((await say('b')).body.text).toBe(`${'a'.repeat(4 * MILLION)}b`);
  });

  it('has one budget for a flow and a called flow in the same chat', async () => {
    const inner = await client.flow({
      name: 'Inner',
      nodes: [start, { id: 'step', kind: 'set-state', config: { state: { more: '{{question}}' } } }, reply],
      edges,
    });
    const config = { flowId: inner, question: '{{question}}', chat: 'same' };
    const outer = await client.flow({
      name: 'Outer',
      nodes: [start, { id: 'step', kind: 'execute-flow', config }, reply],
      edges,
    });
    const startState = { log: 'a'.repeat(MOST - MILLION) };
    const call = { question: 'a'.repeat(MILLION), chatId: 'c', overrideConfig: { startState } };
    const { body } = await client.predict(outer, call);
    expect(body.code).toBe('flow_failed');
    expect((await recordOf(body.executionId)).error).toContain('With "more" the flow state would have');
  });

  it('keeps what other messages changed while a run waited for approval, which reads its own', async () => {
    const nodes = [
      { id: 'start', kind: 'start', config: { state: { sum: 0, seen: '' } } },
      { id: 'step', kind: 'set-state', config: { state: { sum: '{{question}}' } } },
      { id: 'ask', kind: 'human-input', config: { message: 'Pay {{$flow.state.sum}}?' } },
      { id: 'paid', kind: 'set-state', config: { state: { seen: 'paid {{$flow.state.sum}}' } } },
      { id: 'reply', kind: 'reply', config: { message: '{{$flow.state.seen}}' } },
    ];
    const ways = [
      ...[edges[0], { from: 'step', to: 'ask' }, { from: 'ask', to: 'paid', on: '0' }],
      { from: 'paid', to: 'reply' },
    ];
    const flow = await client.flow({ name: 'Pay', nodes, edges: ways });
    const call = { chatId: 'c' };
    const { action } = (await client.predict(flow, { ...call, question: '50' })).body;
    await client.predict(flow, { ...call, question: '70' });
    const humanInput = { type: 'proceed', startNodeId: action.data.nodeId };
    expect((await client.predict(flow, { ...call, humanInput })).body.text).toBe('paid 50');
    const [start] = nodes;
    const show = {
      id: 'reply',
      kind: 'reply',
      config: { message: '{{$flow.state.sum}} {{$flow.state.seen}}' },
    };
    const shown = { name: 'Pay', nodes: [start, show], edges: [{ from: 'start', to: 'reply' }] };
    await client.admin('PUT', `flows/${flow}`, shown);
    expect((await client.predict(flow, { ...call, question: '?' })).body.text).toBe('70 paid 50');
  });

  it('does not grow by startState either, call by call', async () => {
    const flow = await client.flow({
      name: 'Reads',
      nodes: [start, reply],
      edges: [{ from: 'start', to: 'reply' }],
    });
    const call = (startState: object) =>
      client.predict(flow, { question: 'Hi', chatId: 'c', overrideConfig: { startState } });
    const alone = await call({ log: 'a'.repeat(MOST + 1) });
    expect([alone.status, alone.body.errors[0].path]).toEqual([400, 'overrideConfig.startState']);
    for (const name of ['one', 'two'])
      expect((await call({ [name]: 'a'.repeat(2 * MILLION) })).status).toBe(200);
    const third = await call({ three: 'a'.repeat(2 * MILLION) });
    expect([third.status, third.body.code]).toEqual([500, 'flow_failed']);
    const record = await recordOf(third.body.executionId);
    expect(record).toMatchObject({ credits: 0, failedNode: { id: 'start' } });
    expect(record.error).toContain('With startState the flow state would have');
    expect((await call({ one: 'short', log: 'still here' })).body.text).toBe('still here');
  });
});
