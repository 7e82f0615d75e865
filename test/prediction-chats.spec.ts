import { DataSource } from 'typeorm';
import { z } from 'zod';
import { ExecutionLog } from '../src/executions/log/execution-log.js';
import { NodeKindRegistry } from '../src/flows/definition/node-kind-registry.js';
import type { NodeKind } from '../src/flows/engine/node-kind.js';
import { ChatLocks } from '../src/prediction/run/chat-locks.js';
import { startTestApp, type TestApp } from './support/app.js';
import { tokensOf } from './support/event-source.js';
import { eventually } from './support/eventually.js';
import { type FakeModel, Hold, startFakeModel } from './support/fake-model.js';
import { chatFlow, echoFlow, replyFlow } from './support/flows.js';
import { type Answer, ServiceClient } from './support/service-client.js';

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Counts its runs in flow state, without a trace in the texts of the flow. */
const toyCounter: NodeKind<object> = {
  label: 'Counter',
  icon: '',
  kind: 'toy-counter',
  config: z.object({}),
  streams: false,
  leafText: 'own',
  async run({ state }) {
    const n = Number(state['n'] ?? 0) + 1;
    return { output: n, text: String(n), state: { n } };
  },
};

describe('a chat', () => {
  let service: TestApp;
  let model: FakeModel;
  let slow: string;
  let counter: string;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    service = await startTestApp();
    model = await startFakeModel();
    await client.admin('POST', 'credit/default/top-ups', { amount: 100_000, reference: 'tests' });
    slow = await client.flow(chatFlow(model.url));
    counter = await client.flow(replyFlow('{{runtime_messages_length}}'));
  });

  afterAll(async () => {
    await service.close();
    await model.close();
  });

  /** Holds the next call to the model: from then on a run is active until the test releases it. */
  const holdNext = (text: string) => {
    const held = new Hold();
    const before = model.requests.length;
    model.answers.push({ tokens: [text], held });
    return { letGo: held.letGo, asked: () => eventually(() => model.requests.length > before) };
  };
  const running = async (chatId: string) =>
    (await client.admin('GET', `executions?chatId=${chatId}&status=running`)).body.data as {
      question: string;
      credits: number;
    }[];

  const sees = (request: { body: { messages: { role: string; content: string }[] } }) =>
    request.body.messages.map(({ role, content }) => `${role}: ${content}`);

  it('remembers earlier requests with its chatId, invisibly to other chats', async () => {
    await client.predict(slow, { question: 'My name is Ann', chatId: 'memory' });
    await client.predict(slow, { question: 'What is my name?', chatId: 'memory' });
    expect(sees(model.requests.at(-1)!)).toEqual([
      'user: My name is Ann',
      'assistant: Hello there',
      'user: What is my name?',
    ]);
    await client.predict(slow, { question: 'And mine?', chatId: 'another' });
    expect(sees(model.requests.at(-1)!)).toEqual(['user: And mine?']);
  });

  it('has no history if chatId is omitted, and can be continued under the returned one', async () => {
    const first = await client.predict(counter, { question: 'q' });
    expect(first.body.text).toBe('0');
    expect((await client.predict(counter, { question: 'q' })).body.text).toBe('0');
    const { chatId } = first.body;
    expect((await client.predict(counter, { question: 'q', chatId })).body.text).toBe('2');
  });

  it('is named by overrideConfig.sessionId if chatId is missing', async () => {
    const overrideConfig = { sessionId: 'by-session' };
    const { body } = await client.predict(counter, { question: 'q', overrideConfig });
    expect([body.chatId, body.sessionId]).toEqual(['by-session', 'by-session']);
    expect((await client.predict(counter, { question: 'q', chatId: 'by-session' })).body.text).toBe('2');
  });

  it('reads history sent by the caller before its own', async () => {
    const history = [
      { role: 'userMessage', content: 'Earlier' },
      { type: 'apiMessage', message: 'Indeed' },
    ];
    await client.predict(slow, { question: 'q', chatId: 'brought', history });
    expect(sees(model.requests.at(-1)!)).toEqual(['user: Earlier', 'assistant: Indeed', 'user: q']);
  });

  it('retains its flow state across requests', async () => {
    const flow = await client.flow({
      name: 'State',
      nodes: [
        { id: 'start', kind: 'start', config: { state: { last: 'nothing' } } },
        {
          id: 'reply',
          kind: 'reply',
          config: { message: 'Before: {{$flow.state.last}}', updateState: { last: '{{question}}' } },
        },
      ],
      edges: [{ from: 'start', to: 'reply' }],
    });
    const say = async (question: string, chatId: string) =>
      (await client.predict(flow, { question, chatId })).body.text;
    expect(await say('one', 'a')).toBe('Before: nothing');
    expect(await say('two', 'a')).toBe('Before: one');
    expect(await say('three', 'b')).toBe('Before: nothing');
  });

  it('forgets if the flow declares its memory ephemeral', async () => {
    const flow = await client.flow(
      replyFlow('{{runtime_messages_length}}', {
        nodes: [
          { id: 'start', kind: 'start', config: { ephemeralMemory: true } },
          { id: 'reply', kind: 'reply', config: { message: '{{runtime_messages_length}}' } },
        ],
      }),
    );
    await client.predict(flow, { question: 'q', chatId: 'e' });
    expect((await client.predict(flow, { question: 'q', chatId: 'e' })).body.text).toBe('0');
  });

  it('outlives the process', async () => {
    await client.predict(counter, { question: 'q', chatId: 'restart' });
    const { place } = service;
    await service.close({ keep: true });
    service = await startTestApp({ place });
    expect((await client.predict(counter, { question: 'q', chatId: 'restart' })).body.text).toBe('2');
  });

  it('runs 50 concurrent calls in sequence, each seeing all before it', async () => {
    const calls = Array.from({ length: 50 }, (_, index) =>
      client.predict(counter, { question: `q${index}`, chatId: 'fifty' }),
    );
    const texts = (await Promise.all(calls)).map(({ body }) => Number(body.text));
    expect(texts.sort((left, right) => left - right)).toEqual(
      Array.from({ length: 50 }, (_, index) => index * 2),
    );
  });

  it('delays neither another chat nor a call without chatId', async () => {
    const held = holdNext('slow');
    const first = client.predict(slow, { question: 'q', chatId: 'held' });
    await held.asked();
    expect((await client.predict(slow, { question: 'q', chatId: 'free' })).status).toBe(200);
    expect((await client.predict(slow, { question: 'q' })).status).toBe(200);
    expect(await running('held')).toHaveLength(1);
    held.letGo();
    expect((await first).body.text).toBe('slow');
  });

  it('has a running record with 0 credits for a waiting call, which is charged when it holds the lock', async () => {
    const held = holdNext('first');
    model.answers.push({ tokens: ['second'] });
    const first = client.predict(slow, { question: 'one', chatId: 'queue' });
    await held.asked();
    const second = client.stream(slow, { question: 'two', chatId: 'queue' });
    await eventually(async () => (await running('queue')).length === 2);
    expect((await running('queue')).map(({ question, credits }) => [question, credits])).toEqual([
      ['two', 0],
      ['one', 1],
    ]);
    held.letGo();
    const stream = await second;
    expect((await first).body.text).toBe('first');
    await stream.done;
    expect(tokensOf(stream.events)).toBe('second');
    expect(await client.ended(stream.headers.get('x-execution-id')!)).toMatchObject({
      credits: 1,
      status: 'succeeded',
    });
  });

  it('is 409 session_busy for a call that waited too long, also for a streaming caller', async () => {
    const turns = service.app.get(ChatLocks);
    turns.patienceMs = 200;
    const held = holdNext('slow');
    const first = client.predict(slow, { question: 'one', chatId: 'busy' });
    await held.asked();
    const late: Answer[] = await Promise.all(
      [undefined, true].map((streaming) =>
        client.predict(slow, { question: 'two', chatId: 'busy', streaming }),
      ),
    );
    for (const { status, body, headers } of late) {
      expect([status, body.code]).toEqual([409, 'session_busy']);
      expect(await client.ended(headers.get('x-execution-id')!)).toMatchObject({
        status: 'rejected',
        httpStatus: 409,
        credits: 0,
      });
    }
    turns.patienceMs = 60_000;
    held.letGo();
    expect((await first).status).toBe(200);
    expect((await client.predict(slow, { question: 'three', chatId: 'busy' })).status).toBe(200);
  });

  it('refuses for lack of credit only when the call holds the lock, with one record', async () => {
    const poor = await client.flow(chatFlow(model.url, { account: 'one-credit' }));
    await client.admin('POST', 'credit/one-credit/top-ups', { amount: 1, reference: 'r' });
    model.answers.push({ tokens: ['slow'], firstTokenMs: 300 });
    const [first, second] = await Promise.all(
      ['one', 'two'].map((question) => client.predict(poor, { question, chatId: 'poor' })),
    );
    expect([first!.status, second!.status].sort()).toEqual([200, 402]);
    const refused = [first!, second!].find(({ status }) => status === 402)!;
    expect(await client.ended(refused.headers.get('x-execution-id')!)).toMatchObject({
      status: 'rejected',
      code: 'insufficient_credit',
      credits: 0,
    });
  });

  it('cancels a waiting call when its user aborts', async () => {
    const held = holdNext('slow');
    const calls = ['one', 'two'].map((question) => client.predict(slow, { question, chatId: 'abort-all' }));
    await held.asked();
    await eventually(async () => (await running('abort-all')).length === 2);
    await client.send('PUT', `/api/v1/chatmessage/abort/${slow}/abort-all`);
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([499, 499]);
    held.letGo();
  });

  it('costs six statements a call, the first as well as later ones', async () => {
    const { logger } = service.app.get(DataSource);
    const echo = await client.flow(echoFlow());
    await client.predict(echo, { question: 'warm', chatId: 'warm' });
    const executions = service.app.get(ExecutionLog);
    const cost = async (chatId: string): Promise<number> => {
      await executions.flush();
      const statements = jest.spyOn(logger, 'logQuery');
      await client.predict(echo, { question: 'q', chatId });
      await executions.flush();
      // The polling of the service about once a second belongs to no call.
      const own = statements.mock.calls
        .map(([sql]) => sql)
        .filter((sql) => !sql.includes('cancel_requested'));
      statements.mockRestore();
      return own.length;
    };
    // The trace of a slow call is written in several batches: the fastest call shows the cost of one.
    const least = async (chatOf: (index: number) => string) => {
      const costs: number[] = [];
      for (let index = 0; index < 20; index++) costs.push(await cost(chatOf(index)));
      return Math.min(...costs);
    };
    const first = await least((index) => `counted-${index}`);
    for (let turn = 2; turn < 30; turn++) await client.predict(echo, { question: 'q', chatId: 'counted-0' });
    expect([first, await least(() => 'counted-0')]).toEqual([6, 6]);
  });

  it('stores the state written by a node kind', async () => {
    service.app.get(NodeKindRegistry).register(toyCounter);
    const flow = await client.flow({
      name: 'Counter',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'count', kind: 'toy-counter' },
      ],
      edges: [{ from: 'start', to: 'count' }],
    });
    const count = async () =>
      (await client.predict(flow, { question: 'q', chatId: 'kinds' })).body.text as string;
    expect([await count(), await count(), await count()]).toEqual(['1', '2', '3']);
  });

  it('leaves its history readable after the flow is deleted', async () => {
    const flow = await client.flow(echoFlow());
    const { body } = await client.predict(flow, { question: 'kept', chatId: 'deleted' });
    expect((await client.admin('DELETE', `flows/${flow}`)).status).toBe(204);
    expect(await client.ended(body.executionId)).toMatchObject({ question: 'kept', flowName: 'Echo' });
  });

  it('is locked across two processes on one database', async () => {
    const other = await startTestApp({ place: service.place });
    const there = new ServiceClient(() => other);
    const calls = Array.from({ length: 12 }, (_, index) =>
      (index % 2 ? client : there).predict(counter, { question: `q${index}`, chatId: 'two-processes' }),
    );
    const texts = (await Promise.all(calls)).map(({ body }) => Number(body.text));
    expect(texts.sort((left, right) => left - right)).toEqual(
      Array.from({ length: 12 }, (_, index) => index * 2),
    );
    await other.close({ keep: true });
  });
});

describe('a service that shuts down', () => {
  it('lets active flows end, refuses new ones, and interrupts and refunds those that take too long', async () => {
    const model = await startFakeModel();
    const service = await startTestApp();
    const client = new ServiceClient(() => service);
    const flow = await client.flow(chatFlow(model.url, { account: 'stopping' }));
    await client.admin('POST', 'credit/stopping/top-ups', { amount: 5, reference: 'r' });
    const held = new Hold();
    model.answers.push({ tokens: ['in time'], held }, { tokens: ['never'], held: new Hold() });
    const inTime = client.predict(flow, { question: 'one', chatId: 'a' });
    await eventually(() => model.requests.length === 1);
    const stream = await client.stream(flow, { question: 'two', chatId: 'b' });
    await eventually(() => model.requests.length === 2);
    const closing = service.close({ keep: true });
    await sleep(50);
    // A service that no longer listens counts as a refusal.
    const refused = await client.predict(flow, { question: 'three' }).catch(() => undefined);
    if (refused) {
      expect([refused.status, refused.body.code]).toEqual([503, 'shutting_down']);
      expect(refused.headers.get('retry-after')).toBeTruthy();
    }
    held.letGo();
    expect((await inTime).body.text).toBe('in time');
    await stream.done;
    expect(stream.events.slice(-3).map(({ event, data }) => [event, data])).toEqual([
      ['agentFlowEvent', 'ERROR'],
      ['error', expect.any(String)],
      ['end', '[DONE]'],
    ]);
    await closing;
    const again = await startTestApp({ place: service.place });
    const later = new ServiceClient(() => again);
    expect(await later.ended(stream.headers.get('x-execution-id')!)).toMatchObject({
      status: 'failed',
      code: 'interrupted',
      httpStatus: 503,
    });
    expect((await later.admin('GET', 'credit/stopping')).body.balance).toBe(4);
    await again.close();
    await model.close();
  });
});
