import { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { AllowedDomainsGuard } from '../src/auth/guards/allowed-domains.guard.js';
import { RunningCalls } from '../src/executions/calls/running-calls.js';
import { startTestApp, type TestApp } from './support/app.js';
import { dataOf, openStream, tokensOf } from './support/event-source.js';
import { eventually } from './support/eventually.js';
import { type FakeModel, Hold, startFakeModel } from './support/fake-model.js';
import { chatFlow, echoFlow, replyFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';

/** Long enough to come back, also on a busy machine. */
const GRACE_MS = 5_000;

const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index} `);

describe('a streamed prediction', () => {
  let service: TestApp;
  let model: FakeModel;
  let chat: string;
  let echo: string;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    service = await startTestApp({ env: { STREAM_GRACE_SECONDS: String(GRACE_MS / 1000) } });
    model = await startFakeModel();
    await client.admin('POST', 'credit/default/top-ups', { amount: 100_000, reference: 'tests' });
    chat = await client.flow(chatFlow(model.url));
    echo = await client.flow(echoFlow());
  });

  afterAll(async () => {
    await service.close();
    await model.close();
  });

  const settledRequest = async () => {
    await eventually(() => model.requests.at(-1)!.aborted);
    return model.requests.at(-1)!;
  };

  it('names finished nodes during the run, without their inputs or outputs', async () => {
    const held = new Hold();
    model.answers.push({ held, tokens: ['So', ' be it'] });
    const stream = await client.stream(chat, { question: 'Hi', chatId: 'executed' });
    const lists = () => dataOf(stream.events, 'agentFlowExecutedData') as object[][];
    await eventually(() => lists().length === 2);
    const start = { nodeId: 'start', nodeLabel: 'start', previousNodeIds: [] };
    const llm = { nodeId: 'llm', nodeLabel: 'Think', previousNodeIds: ['start'] };
    const begun = [{ ...start, status: 'INPROGRESS' }];
    const thinking = [
      { ...start, status: 'FINISHED' },
      { ...llm, status: 'INPROGRESS' },
    ];
    expect(lists()).toEqual([begun, thinking]);
    held.letGo();
    await stream.done;
    const done = thinking.map((node) => ({ ...node, status: 'FINISHED' }));
    expect(lists()).toEqual([begun, thinking, done]);
    const names = stream.events.map(({ event }) => event);
    expect(names.indexOf('agentFlowExecutedData')).toBeLessThan(names.indexOf('token'));
    expect(names.slice(-4)).toEqual(['agentFlowExecutedData', 'agentFlowEvent', 'metadata', 'end']);
  });

  it('has the headers and the order of events that clients rely on', async () => {
    const stream = await client.stream(chat, { question: 'Hi', chatId: 'order' });
    await stream.done;
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.headers.get('cache-control')).toBe('no-cache');
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    const names = stream.events.map(({ event }) => event);
    expect(names[0]).toBe('agentFlowEvent');
    expect(names.filter((name) => name === 'start')).toEqual([]);
    expect(names.slice(-3)).toEqual(['agentFlowEvent', 'metadata', 'end']);
    expect(dataOf(stream.events, 'agentFlowEvent')).toEqual(['INPROGRESS', 'FINISHED']);
    expect(dataOf(stream.events, 'end')).toEqual(['[DONE]']);
    expect(dataOf(stream.events, 'nextAgentFlow')).toEqual([
      { nodeId: 'start', nodeLabel: 'start', status: 'INPROGRESS' },
      { nodeId: 'start', nodeLabel: 'start', status: 'FINISHED' },
      { nodeId: 'llm', nodeLabel: 'Think', status: 'INPROGRESS' },
      { nodeId: 'llm', nodeLabel: 'Think', status: 'FINISHED' },
    ]);
    expect(dataOf(stream.events, 'metadata')).toEqual([
      {
        chatId: 'order',
        chatMessageId: expect.any(String),
        question: 'Hi',
        sessionId: 'order',
        executionId: stream.headers.get('x-execution-id'),
        usage: { credits: 1, inputTokens: 7, outputTokens: 2 },
      },
    ]);
    const [token] = stream.events[0]!.id.split(':');
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    expect(stream.events.map(({ id }) => id)).toEqual(names.map((_, index) => `${token}:${index + 1}`));
  });

  it('carries the warnings of the answer, also when it is replayed', async () => {
    const flow = await client.flow(replyFlow('Hello', { vars: { fixed: { value: 'b', locked: true } } }));
    const body = { question: 'q', overrideConfig: { vars: { fixed: 'B' } } };
    const warnings = [expect.objectContaining({ code: 'variable_locked' })];
    for (const replayed of [null, 'true']) {
      const stream = await client.stream(flow, body, { 'idempotency-key': 'warned' });
      await stream.done;
      expect(stream.headers.get('idempotent-replay')).toBe(replayed);
      expect(dataOf(stream.events, 'metadata')).toEqual([expect.objectContaining({ warnings })]);
    }
  });

  it('sends the answer token by token, and their concatenation is the JSON answer', async () => {
    const tokens = ['A ', 'line\n', '“quoted” ', '\u2028', '{{x}} ', 'end'];
    model.answers.push({ tokens }, { tokens });
    const stream = await client.stream(chat, { question: 'Hi' });
    await stream.done;
    expect(dataOf(stream.events, 'token').length).toBeGreaterThan(1);
    expect(tokensOf(stream.events)).toBe((await client.predict(chat, { question: 'Hi' })).body.text);
  });

  it('opens as soon as the checks have passed, before the first token', async () => {
    const held = new Hold();
    model.answers.push({ tokens: ['late'], held });
    const stream = await client.stream(chat, { question: 'Hi' });
    await stream.until(({ event }) => event === 'agentFlowEvent');
    expect(tokensOf(stream.events)).toBe('');
    held.letGo();
    await stream.done;
    expect(tokensOf(stream.events)).toBe('late');
  });

  it('sends answers of a megabyte completely to a reading client', async () => {
    const flow = await client.flow(replyFlow('{{question}} {{question}}'));
    const question = 'word '.repeat(200_000);
    const stream = await client.stream(flow, { question });
    await stream.done;
    expect(tokensOf(stream.events)).toBe(`${question} ${question}`);
    expect(stream.events.at(-1)!.event).toBe('end');
  });

  it('does not mix two streams with one chatId', async () => {
    model.otherwise = (seen) => {
      const lastQuestion = (seen.body.messages as { content: string }[]).at(-1)!.content;
      return { tokens: words(10).map((word) => `${lastQuestion}-${word}`), tokenMs: 5 };
    };
    const streams = await Promise.all(
      ['one', 'two'].map((question) => client.stream(chat, { question, chatId: 'both' })),
    );
    await Promise.all(streams.map((stream) => stream.done));
    streams.forEach((stream, index) => {
      const lastQuestion = ['one', 'two'][index];
      expect(tokensOf(stream.events)).toBe(
        words(10)
          .map((word) => `${lastQuestion}-${word}`)
          .join(''),
      );
    });
    model.otherwise = { tokens: ['Hello', ' there'] };
  });

  describe('whose client disconnects', () => {
    it('continues for the grace period, then is aborted together with the call to the model', async () => {
      model.answers.push({ tokens: words(1000), tokenMs: 10 });
      const stream = await client.stream(chat, { question: 'Hi', chatId: 'left' });
      await stream.until(({ event }) => event === 'token');
      const left = performance.now();
      stream.leave();
      const request = await settledRequest();
      expect(request.aborted).toBe(true);
      expect(performance.now() - left).toBeGreaterThan(GRACE_MS * 0.8);
      const record = await client.ended(stream.headers.get('x-execution-id')!);
      expect(record).toMatchObject({ status: 'aborted', httpStatus: 499, code: 'caller_left', credits: 1 });
    });

    it('treats a caller of the JSON form alike', async () => {
      model.answers.push({ tokens: words(1000), tokenMs: 10 });
      const controller = new AbortController();
      const { requests } = model;
      const before = requests.length;
      const call = fetch(`${service.url}/api/v1/prediction/${chat}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ question: 'Hi', chatId: 'left-json' }),
        signal: controller.signal,
      });
      await eventually(() => requests.length > before);
      controller.abort();
      await expect(call).rejects.toThrow();
      expect((await settledRequest()).aborted).toBe(true);
      const { body } = await client.admin('GET', 'executions?chatId=left-json');
      expect(await client.ended(body.data[0].id)).toMatchObject({ status: 'aborted', code: 'caller_left' });
    });

    it('sends the missed part and the rest if the client comes back in time', async () => {
      model.answers.push({ tokens: words(60), tokenMs: 10 });
      const first = await client.stream(chat, { question: 'Hi' });
      await first.until(({ event, data }) => event === 'token' && data === 'w5 ');
      first.leave();
      await first.done;
      const seen = first.events.at(-1)!.id;
      const resumed = await openStream(`${service.url}/api/v1/prediction/${chat}/stream`, {
        headers: { 'last-event-id': seen },
      });
      await resumed.done;
      expect(tokensOf([...first.events, ...resumed.events])).toBe(words(60).join(''));
      const numbers = [...first.events, ...resumed.events].map(({ id }) => Number(id.split(':')[1]));
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      expect(resumed.headers.get('x-execution-id')).toBe(first.headers.get('x-execution-id'));
      expect(await client.ended(first.headers.get('x-execution-id')!)).toMatchObject({ status: 'succeeded' });
    });

    it('from the console is resumed with the admin key, also if the flow has its own key', async () => {
      const { id: apiKeyId } = (await client.admin('POST', 'api-keys', { name: 'of others' })).body;
      const keyed = await client.flow(chatFlow(model.url, { access: { apiKeyId } }));
      const address = `${service.url}/api/v1/flows/${keyed}/run`;
      const admin = { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/json' };
      model.answers.push({ tokens: words(60), tokenMs: 10 });
      const body = JSON.stringify({ question: 'Hi', streaming: true });
      const first = await openStream(address, { method: 'POST', headers: admin, body });
      await first.until(({ event, data }) => event === 'token' && data === 'w5 ');
      first.leave();
      await first.done;
      const seen = { 'last-event-id': first.events.at(-1)!.id };
      for (const path of [`flows/${keyed}/run/stream`, `prediction/${keyed}/stream`])
        expect((await client.send('GET', `/api/v1/${path}`, undefined, seen)).status).toBe(401);
      const resumed = await openStream(`${address}/stream`, { headers: { ...admin, ...seen } });
      await resumed.done;
      expect(tokensOf([...first.events, ...resumed.events])).toBe(words(60).join(''));
    });

    it('is aborted after the grace period if the client hangs up while it comes back', async () => {
      model.answers.push({ tokens: words(3000), tokenMs: 10 });
      const stream = await client.stream(chat, { question: 'Hi' });
      await stream.until(({ event }) => event === 'token');
      const held = new Hold();
      const check = jest.spyOn(AllowedDomainsGuard.prototype, 'check').mockReturnValueOnce(held.over);
      const leaving = new AbortController();
      const resumed = fetch(`${service.url}/api/v1/prediction/${chat}/stream`, {
        headers: { 'last-event-id': stream.events[0]!.id },
        signal: leaving.signal,
      });
      await eventually(() => check.mock.calls.length > 0);
      const left = jest.spyOn(ServerResponse.prototype, 'emit');
      leaving.abort();
      await expect(resumed).rejects.toThrow();
      await eventually(() => left.mock.calls.some(([event]) => event === 'close'));
      left.mockRestore();
      held.letGo();
      check.mockRestore();
      stream.leave();
      expect((await settledRequest()).aborted).toBe(true);
      const record = await client.ended(stream.headers.get('x-execution-id')!);
      expect(record).toMatchObject({ status: 'aborted', code: 'caller_left' });
    });

    it('returns 410 stream_expired for a stream of another flow, and 400 without Last-Event-ID', async () => {
      const stream = await client.stream(echo, { question: 'Hi' });
      await stream.done;
      const resume = (id: string | undefined, flow = echo) =>
        client.send(
          'GET',
          `/api/v1/prediction/${flow}/stream`,
          undefined,
          id === undefined ? {} : { 'last-event-id': id },
        );
      expect((await resume(stream.events[2]!.id, chat)).body.code).toBe('stream_expired');
      const other = await resume(`${'0'.repeat(32)}:1`);
      expect([other.status, other.body.code]).toEqual([410, 'stream_expired']);
      expect((await resume(undefined)).status).toBe(400);
      expect((await resume(stream.events[2]!.id)).status).toBe(200);
    });

    it('sends the end alone after a gap larger than the megabyte in the buffer', async () => {
      const tokens = Array.from({ length: 30 }, () => 'x'.repeat(100_000));
      model.answers.push({ tokens, tokenMs: 5 });
      const first = await client.stream(chat, { question: 'Hi' });
      await first.until(({ event }) => event === 'token');
      first.leave();
      await client.ended(first.headers.get('x-execution-id')!);
      const end = await openStream(`${service.url}/api/v1/prediction/${chat}/stream`, {
        headers: { 'last-event-id': first.events[0]!.id },
      });
      await end.done;
      expect(end.events.map(({ event }) => event)).toEqual(['agentFlowEvent', 'metadata', 'end']);
      expect(dataOf(end.events, 'metadata')).toEqual([expect.objectContaining({ text: tokens.join('') })]);
    });
  });

  it('disconnects a client that does not read, with bounded memory', async () => {
    const tokens = Array.from({ length: 200 }, () => 'y'.repeat(50_000));
    model.answers.push({ tokens });
    const body = { question: 'Hi', chatId: 'silent', streaming: true };
    const socket = silentReader(service.url, `/api/v1/prediction/${chat}`, body);
    const found = () => client.admin('GET', 'executions?chatId=silent');
    await eventually(async () => (await found()).body.data.length > 0);
    await client.ended((await found()).body.data[0].id);
    const over = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.resume();
    await over;
    expect(socket.bytesRead).toBeLessThan(tokens.length * 50_000);
  });

  it('is cancelled when its user aborts the chat', async () => {
    model.answers.push({ tokens: words(1000), tokenMs: 10 });
    const stream = await client.stream(chat, { question: 'Hi', chatId: 'stop+me' });
    await stream.until(({ event }) => event === 'token');
    const answer = await client.send('PUT', `/api/v1/chatmessage/abort/${chat}/stop%2Bme`);
    expect(answer.status).toBe(200);
    await stream.done;
    expect(stream.events.slice(-3).map(({ event, data }) => [event, data])).toEqual([
      ['agentFlowEvent', 'ERROR'],
      ['error', expect.stringContaining('stopped')],
      ['end', '[DONE]'],
    ]);
    expect((await settledRequest()).aborted).toBe(true);
    const record = await client.ended(stream.headers.get('x-execution-id')!);
    expect(record).toMatchObject({ status: 'aborted', code: 'stopped', credits: 1 });
    expect(record.nodes.at(-1)).toMatchObject({ nodeId: 'llm', status: 'stopped' });
  });

  it('is cancelled when an admin cancels the execution', async () => {
    model.answers.push({ tokens: words(1000), tokenMs: 10 });
    const call = client.predict(chat, { question: 'Hi', chatId: 'cancelled' });
    let id = '';
    while (id === '') {
      const { body } = await client.admin('GET', 'executions?chatId=cancelled&status=running');
      id = body.data[0]?.id ?? '';
    }
    expect((await client.admin('POST', `executions/${id}/cancel`)).status).toBe(200);
    const answer = await call;
    expect([answer.status, answer.body.code]).toEqual([499, 'aborted']);
    expect(await client.ended(id)).toMatchObject({ status: 'aborted', code: 'cancelled' });
  });

  it('leaves nothing running behind', async () => {
    const runs = service.app.get(RunningCalls);
    await eventually(() => runs.count === 0);
  });
});

/** Sends a request and reads nothing of the answer. */
function silentReader(url: string, path: string, body: object): Socket {
  const { hostname, port } = new URL(url);
  const text = JSON.stringify(body);
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
  return socket;
}
