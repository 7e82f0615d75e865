import { startTestApp, TEST_ADMIN_KEY, type TestApp } from './support/app.js';
import { startChild } from './support/child-process.js';
import { makePlace } from './support/databases.js';
import { eventually } from './support/eventually.js';
import { defaultModel, type FakeModel, startFakeModel } from './support/fake-model.js';
import { type HeldTarget, startHeldTarget } from './support/held-target.js';
import { describeOnPostgres } from './support/on-postgres.js';
import { type Answer, ServiceClient } from './support/service-client.js';
import { postgresReachable } from './support/services.js';

const envOf = (model: FakeModel, target: HeldTarget) => ({
  OUTBOUND_ALLOW: target.host,
  ...defaultModel(model),
});

/** start → agent, whose tool needs approval. */
const paying = ({ host }: HeldTarget, method = 'POST') => ({
  name: 'Paying',
  nodes: [
    { id: 'start', kind: 'start' },
    {
      id: 'agent',
      kind: 'agent',
      label: 'Clerk',
      config: {
        tools: [
          {
            tool: 'http',
            name: 'pay',
            method,
            url: `http://${host}/pay?to={{$args.to}}`,
            parameters: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
            requiresApproval: true,
          },
        ],
      },
    },
  ],
  edges: [{ from: 'start', to: 'agent' }],
});

const call = { id: 'p1', name: 'pay', arguments: '{"to":"Ada"}' };
const actionOf = (answer: Answer) =>
  answer.body.action as { data: { nodeId: string; input: { calls: unknown } } };
const clickOn = (chatId: string, startNodeId: string, type = 'proceed', feedback?: string) => ({
  chatId,
  humanInput: { type, startNodeId, ...(feedback === undefined ? {} : { feedback }) },
});

/** Agents whose tools need approval, over HTTP (contract sections 9 and 11). */
describe('an agent whose tool needs approval', () => {
  let service: TestApp;
  let model: FakeModel;
  let target: HeldTarget;
  let flow: string;
  const client = new ServiceClient(() => service);
  let chats = 0;

  beforeAll(async () => {
    model = await startFakeModel();
    target = await startHeldTarget();
    service = await startTestApp({ env: envOf(model, target) });
    flow = await client.flow(paying(target));
  });
  afterAll(async () => {
    await service.close();
    await model.close();
    target.close();
  });
  beforeEach(() => {
    target.asked.length = 0;
    model.requests.length = 0;
  });

  const ask = async () => {
    const chatId = `agent-${++chats}`;
    model.answers.push({ tokens: ['One moment.'], toolCalls: [call] });
    const first = await client.predict(flow, { question: 'Pay Ada', chatId });
    expect([first.status, target.asked]).toEqual([200, []]);
    return { chatId, first, stop: actionOf(first).data.nodeId, record: first.body.executionId as string };
  };
  const toolMessages = () =>
    (model.requests.at(-1)!.body.messages as Record<string, unknown>[]).filter(({ role }) => role === 'tool');
  /** Waits for the trace of the agent and its calls. */
  const traced = async (record: string, count: number) => {
    const nodes = async () => (await client.ended(record)).nodes as Record<string, string>[];
    await eventually(async () => (await nodes()).length === count);
    return nodes();
  };

  it('shows the call in the approval, and makes it once after the approval', async () => {
    const { chatId, first, stop, record } = await ask();
    expect(first.body.text).toBe('One moment.\nMay "pay" be called with this?\nto: Ada');
    expect(actionOf(first).data.input).toEqual({
      humanInputEnableFeedback: true,
      calls: [{ tool: 'pay', arguments: { to: 'Ada' } }],
    });
    const click = clickOn(chatId, stop, 'proceed', 'by card');
    const second = await client.predict(flow, click);
    expect(second.body).toMatchObject({ text: 'Hello there', usage: { credits: 0 } });
    expect(target.asked).toEqual([
      { method: 'POST', url: '/pay?to=Ada', key: expect.any(String), body: expect.any(String) },
    ]);
    expect(toolMessages()).toEqual([
      {
        role: 'tool',
        tool_call_id: 'p1',
        content: expect.stringMatching(/done.*A human allowed this call\. They said: by card$/s),
      },
    ]);
    const again = await client.predict(flow, click);
    expect([again.text, target.asked.length, model.requests.length]).toEqual([second.text, 1, 2]);

    const nodes = await traced(record, 4);
    const runs = nodes.map(({ nodeId, status }) => `${nodeId} ${status}`).sort();
    expect(runs).toEqual(['agent succeeded', 'agent waiting', 'agent/pay succeeded', 'start succeeded']);
    const went = nodes.find(({ nodeId, status }) => nodeId === 'agent' && status === 'succeeded')!;
    const made = nodes.find(({ nodeId }) => nodeId === 'agent/pay')!;
    expect(made.parent).toBe(went.runId);
    expect(await client.ended(record)).toMatchObject({
      approvals: [
        {
          name: stop,
          decision: 'proceed',
          feedback: 'by card',
          decidedAt: expect.stringMatching(/Z$/),
          decidedBy: second.body.executionId,
          by: { address: '127.0.0.1' },
        },
      ],
    });
  });

  it('reports a rejection to the model, and makes no call', async () => {
    const { chatId, stop, record } = await ask();
    const second = await client.predict(flow, clickOn(chatId, stop, 'reject', 'Too dear'));
    expect([second.body.text, target.asked]).toEqual(['Hello there', []]);
    expect(toolMessages()[0]).toMatchObject({
      content: 'A human did not allow this call. They said: Too dear',
    });
    const nodes = await traced(record, 4);
    expect(nodes.find(({ nodeId }) => nodeId === 'agent/pay')).toMatchObject({ status: 'failed' });
  });

  it('streams the approval, and the result of the answer', async () => {
    const chatId = `agent-${++chats}`;
    model.answers.push({ toolCalls: [call] });
    const asking = await client.stream(flow, { question: 'Pay Ada', chatId });
    await asking.done;
    const names = asking.events.map(({ event }) => event);
    expect(names.slice(-4)).toEqual(['agentFlowEvent', 'action', 'metadata', 'end']);
    expect(asking.events.find(({ event }) => event === 'calledTools')?.data).toEqual([
      { tool: 'pay', toolInput: { to: 'Ada' }, toolOutput: '' },
    ]);
    expect(names).not.toContain('usedTools');
    const action = asking.events.at(-3)!.data as { data: { nodeId: string; input: object } };
    expect(action.data.input).toMatchObject({ calls: [{ tool: 'pay', arguments: { to: 'Ada' } }] });

    const going = await client.stream(flow, clickOn(chatId, action.data.nodeId));
    await going.done;
    const used = going.events.find(({ event }) => event === 'usedTools')?.data;
    expect(used).toEqual([expect.objectContaining({ tool: 'pay', toolInput: { to: 'Ada' } })]);
    const text = going.events.flatMap(({ event, data }) => (event === 'token' ? [data] : [])).join('');
    expect([text, target.asked.length]).toEqual(['Hello there', 1]);
    expect(going.events.slice(-3).map(({ event }) => event)).toEqual(['agentFlowEvent', 'metadata', 'end']);
  });
});

describeOnPostgres('an agent whose process is killed during an approved call', () => {
  it('resumes in another process: a GET is sent again under its key, the outcome of a POST is unknown', async () => {
    if (!(await postgresReachable())) return;
    const place = await makePlace('postgres');
    const [model, target] = [await startFakeModel(), await startHeldTarget()];
    const env = envOf(model, target);
    const { child, firstLine, exit } = startChild('service-child.ts', [
      ...[place.dataDir, place.databaseUrl, JSON.stringify(env)],
    ]);
    const dying = { url: await firstLine, adminKey: TEST_ADMIN_KEY };
    const there = new ServiceClient(() => dying);
    const second = await startTestApp({ place, database: 'postgres', env });
    const here = new ServiceClient(() => second);
    try {
      const runs = new Map<string, string>();
      target.holds = true;
      for (const method of ['GET', 'POST']) {
        const flow = await there.flow(paying(target, method));
        model.answers.push({ toolCalls: [call] });
        const first = await there.predict(flow, { question: 'Pay', chatId: method });
        expect(actionOf(first).data.input.calls).toHaveLength(1);
        void there.predict(flow, clickOn(method, actionOf(first).data.nodeId)).catch(() => undefined);
        await eventually(() => target.asked.some((request) => request.method === method));
        runs.set(method, first.body.executionId as string);
      }
      target.holds = false;
      child.kill('SIGKILL');
      await exit;

      const got = await here.ended(runs.get('GET')!);
      expect(got).toMatchObject({ status: 'succeeded', answer: 'Hello there' });
      const posted = await here.ended(runs.get('POST')!);
      expect(posted).toMatchObject({ status: 'failed', code: 'effect_unknown', refunded: 1 });
      const keys = (method: string) =>
        target.asked.filter((request) => request.method === method).map(({ key }) => key);
      expect(keys('GET')).toEqual([expect.any(String), keys('GET')[0]]);
      expect(keys('POST')).toHaveLength(1);
      expect(posted.failedNode).toMatchObject({ id: 'agent' });
      const rounds = model.requests.map(({ body }) => (body.messages as { role: string }[]).at(-1)!.role);
      expect(rounds.sort()).toEqual(['tool', 'user', 'user']);
    } finally {
      child.kill('SIGKILL');
      await second.close();
      await model.close();
      target.close();
    }
  });
});
