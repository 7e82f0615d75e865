import { startTestApp, type TestApp } from './support/app.js';
import { dataOf, openStream, type OpenStream } from './support/event-source.js';
import { eventually } from './support/eventually.js';
import { type FakeModel, startFakeModel } from './support/fake-model.js';
import { chatFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';

const DAY_MS = 24 * 3_600_000;

/** start → ask → sure → yes */
const asking = {
  name: 'Asking',
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'ask', kind: 'human-input', config: { message: 'Shall I?' } },
    { id: 'sure', kind: 'human-input', config: { message: 'Surely?' } },
    { id: 'yes', kind: 'reply', config: { message: 'Done.' } },
  ],
  edges: [
    { from: 'start', to: 'ask' },
    { from: 'ask', to: 'sure', on: '0' },
    { from: 'sure', to: 'yes', on: '0' },
  ],
};

describe('a client that comes back to the stream of an ended run', () => {
  let service: TestApp;
  let model: FakeModel;
  let key: { id: string; key: string };
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    service = await startTestApp();
    model = await startFakeModel();
    await client.admin('POST', 'credit/default/top-ups', { amount: 1_000, reference: 'tests' });
    key = (await client.admin('POST', 'api-keys', { name: 'office' })).body;
  });

  afterAll(async () => {
    await service.close();
    await model.close();
  });

  /** Starts another process on the same database, which has seen none of the streams. */
  const restart = async () => {
    const { place, clock } = service;
    await service.close({ keep: true });
    service = await startTestApp({ place, clock });
  };
  const streamed = async (flow: string, body: object, headers: Record<string, string> = {}) => {
    const stream = await client.stream(flow, body, headers);
    await stream.done;
    return stream;
  };
  const comeBack = async (flow: string, lastEventId: string, headers: Record<string, string> = {}) => {
    const url = `${service.url}/api/v1/prediction/${flow}/stream`;
    const stream = await openStream(url, { headers: { ...headers, 'last-event-id': lastEventId } });
    await stream.done;
    return stream;
  };
  const eventsOf = ({ events }: OpenStream) => events.map(({ event, data }) => [event, data]);
  const refusal = async (flow: string, lastEventId: string, headers: Record<string, string> = {}) => {
    const answer = await client.send('GET', `/api/v1/prediction/${flow}/stream`, undefined, {
      ...headers,
      'last-event-id': lastEventId,
    });
    return [answer.status, answer.body?.code];
  };

  it('gets the end from the record, in any process, for a day', async () => {
    const flow = await client.flow(chatFlow(model.url));
    const other = await client.flow(chatFlow(model.url));
    model.answers.push({ tokens: ['So ', 'be ', 'it'], usage: { inputTokens: 3, outputTokens: 4 } });
    const first = await streamed(flow, { question: 'Call 07700 900123?', chatId: 'ended' });
    const [metadata] = dataOf(first.events, 'metadata') as [object];
    await restart();
    const seen = first.events.find(({ event }) => event === 'token')!.id;
    const again = await comeBack(flow, seen);
    expect(eventsOf(again)).toEqual([
      ['agentFlowEvent', 'FINISHED'],
      ['metadata', { ...metadata, text: 'So be it' }],
      ['end', '[DONE]'],
    ]);
    const [token, number] = seen.split(':');
    expect(again.events.map(({ id }) => id)).toEqual([1, 2, 3].map((n) => `${token}:${Number(number) + n}`));
    expect(again.headers.get('x-execution-id')).toBe(first.headers.get('x-execution-id'));
    expect(eventsOf(await comeBack(flow, again.events.at(-1)!.id))).toEqual(eventsOf(again));

    expect(await refusal(other, seen)).toEqual([410, 'stream_expired']);
    const executionId = first.headers.get('x-execution-id')!;
    expect(await refusal(flow, `${executionId.replaceAll('-', '')}:1`)).toEqual([410, 'stream_expired']);
    await client.admin('DELETE', `executions/${executionId}`);
    expect(await refusal(flow, seen)).toEqual([410, 'stream_expired']);

    const last = await streamed(flow, { question: 'Hi', chatId: 'ended' });
    service.clock.advance(DAY_MS + 60_000);
    await restart();
    expect(await refusal(flow, last.events[0]!.id)).toEqual([410, 'stream_expired']);
  });

  it('gets the session that its call named', async () => {
    const flow = await client.flow(asking);
    const first = await streamed(flow, {
      question: 'Go',
      chatId: 'named',
      overrideConfig: { sessionId: 'inspection-7' },
    });
    const [action] = dataOf(first.events, 'action') as [{ data: { nodeId: string } }];
    const click = await streamed(flow, {
      chatId: 'named',
      overrideConfig: { sessionId: 'inspection-8' },
      humanInput: { type: 'proceed', startNodeId: action.data.nodeId },
    });
    await restart();
    for (const stream of [first, click]) {
      const again = await comeBack(flow, stream.events[0]!.id);
      const [metadata] = dataOf(stream.events, 'metadata') as [{ sessionId: string }];
      expect(dataOf(again.events, 'metadata')).toEqual([
        expect.objectContaining({ sessionId: metadata.sessionId }),
      ]);
    }
  });

  it('gets the reason of a failure, if it has the key', async () => {
    const definition = chatFlow('http://127.0.0.1:1/v1');
    const open = await client.flow(definition);
    const keyed = await client.flow({ ...definition, access: { apiKeyId: key.id } });
    const headers = { authorization: `Bearer ${key.key}` };
    const failed = [
      await streamed(open, { question: 'Hi' }),
      await streamed(keyed, { question: 'Hi' }, headers),
    ];
    const [neutral, exact] = failed.map((stream) => dataOf(stream.events, 'error')[0]);
    expect(neutral).not.toBe(exact);
    await restart();
    const ids = failed.map(({ events }) => events[0]!.id);
    const ending = (sentence: unknown) => [
      ['agentFlowEvent', 'ERROR'],
      ['error', sentence],
      ['end', '[DONE]'],
    ];
    expect(eventsOf(await comeBack(open, ids[0]!))).toEqual(ending(neutral));
    expect(eventsOf(await comeBack(keyed, ids[1]!, headers))).toEqual(ending(exact));
    expect(await refusal(keyed, ids[1]!)).toEqual([401, 'invalid_api_key']);
  });

  it('gets the question of a run that waits for approval', async () => {
    const flow = await client.flow(asking);
    const first = await streamed(flow, { question: 'Go', chatId: 'asked' });
    await restart();
    const again = await comeBack(flow, first.events[0]!.id);
    expect(again.events.map(({ event }) => event)).toEqual(['agentFlowEvent', 'action', 'metadata', 'end']);
    expect(again.events[0]!.data).toBe('STOPPED');
    expect(dataOf(again.events, 'action')).toEqual(dataOf(first.events, 'action'));
    const [metadata] = dataOf(first.events, 'metadata') as [object];
    expect(dataOf(again.events, 'metadata')).toEqual([expect.objectContaining(metadata)]);
  });

  it('gets the next question of a run that waits again after a click', async () => {
    const flow = await client.flow(asking);
    const first = await client.predict(flow, { question: 'Go', chatId: 'again' });
    const click = (action: { data: { nodeId: string } }) => ({
      chatId: 'again',
      humanInput: { type: 'proceed', startNodeId: action.data.nodeId },
    });
    const second = await streamed(flow, click(first.body.action));
    const [action] = dataOf(second.events, 'action') as [{ data: { nodeId: string } }];
    const last = await streamed(flow, click(action));
    await restart();
    const endOf = (stream: OpenStream, text: string) => {
      const [metadata] = dataOf(stream.events, 'metadata') as [object];
      return eventsOf(stream)
        .slice(stream.events.findIndex(({ data }) => data === 'STOPPED' || data === 'FINISHED'))
        .map(([event, data]) => [event, event === 'metadata' ? { ...metadata, text } : data]);
    };
    const again = await comeBack(flow, second.events[0]!.id);
    expect(again.events[0]!.data).toBe('STOPPED');
    expect(eventsOf(again)).toEqual(endOf(second, 'Surely?'));
    expect(eventsOf(await comeBack(flow, last.events[0]!.id))).toEqual(endOf(last, 'Done.'));
  });

  describe('that replayed a stored answer', () => {
    /** Streams a call twice under one key, and returns the replay once it has its record. */
    const replayed = async (flow: string, body: object, headers: Record<string, string> = {}) => {
      const keyed = { ...headers, 'idempotency-key': `replayed-${flow}` };
      const first = await streamed(flow, body, keyed);
      const again = await streamed(flow, body, keyed);
      const ids = [first, again].map((stream) => stream.headers.get('x-execution-id')!);
      expect(ids[0]).not.toBe(ids[1]);
      await eventually(async () => (await client.admin('GET', `executions/${ids[1]}`)).status === 200);
      return { again, first: ids[0]! };
    };

    it('gets the end of the execution that gave the answer', async () => {
      const flow = await client.flow(chatFlow(model.url));
      model.answers.push({ tokens: ['So ', 'be ', 'it'] });
      const { again, first } = await replayed(flow, { question: 'Hi', chatId: 'replayed' });
      const [metadata] = dataOf(again.events, 'metadata') as [object];
      await restart();
      expect(eventsOf(await comeBack(flow, again.events[0]!.id))).toEqual([
        ['agentFlowEvent', 'FINISHED'],
        ['metadata', { ...metadata, text: 'So be it' }],
        ['end', '[DONE]'],
      ]);
      await client.admin('DELETE', `executions/${first}`);
      expect(await refusal(flow, again.events[0]!.id)).toEqual([410, 'stream_expired']);
    });

    it('gets the reason of its failure, if it has the key', async () => {
      const definition = chatFlow('http://127.0.0.1:1/v1');
      const open = await client.flow(definition);
      const keyed = await client.flow({ ...definition, access: { apiKeyId: key.id } });
      const headers = { authorization: `Bearer ${key.key}` };
      const neutral = (await replayed(open, { question: 'Hi' })).again;
      const exact = (await replayed(keyed, { question: 'Hi' }, headers)).again;
      await restart();
      const again = [
        await comeBack(open, neutral.events[0]!.id),
        await comeBack(keyed, exact.events[0]!.id, headers),
      ];
      expect(again.map(({ events }) => dataOf(events, 'error'))).toEqual(
        [neutral, exact].map(({ events }) => dataOf(events, 'error')),
      );
    });

    it('gets the question that it still waits for', async () => {
      const flow = await client.flow(asking);
      const { again } = await replayed(flow, { question: 'Go', chatId: 'asked-again' });
      await restart();
      const end = await comeBack(flow, again.events[0]!.id);
      expect(end.events[0]!.data).toBe('STOPPED');
      expect(dataOf(end.events, 'action')).toEqual(dataOf(again.events, 'action'));
    });
  });
});
