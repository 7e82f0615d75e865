import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseAway } from '../src/database/away.js';
import { RunRemains } from '../src/prediction/run/run-remains.js';
import { type TestApp, startTestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { type FakeModel, Hold, startFakeModel } from './support/fake-model.js';
import { chatFlow, echoFlow, replyFlow } from './support/flows.js';
import { openAiClient, refusalOf } from './support/openai.js';
import { ServiceClient } from './support/service-client.js';

const PICTURE = readFileSync(join(__dirname, '..', 'samples', 'photographs', 'hallway.jpg'), 'base64');

/** start → set-state, which does not stream; its text is the question. */
const silentFlow = (more: object = {}) => ({
  name: 'Silent',
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'reply', kind: 'reply', config: { message: 'Heard: {{question}}' } },
    { id: 'set', kind: 'set-state', config: { state: { heard: '{{question}}' } } },
  ],
  edges: [
    { from: 'start', to: 'reply' },
    { from: 'reply', to: 'set' },
  ],
  ...more,
});

describe('chat completions', () => {
  let service: TestApp;
  let model: FakeModel;
  let chat: string;
  let echo: string;
  const client = new ServiceClient(() => service);
  const connect = (key?: string) => openAiClient(service.url, key);
  const say = (content: string) => [{ role: 'user' as const, content }];

  beforeAll(async () => {
    service = await startTestApp({ env: { STREAM_GRACE_SECONDS: '0' } });
    model = await startFakeModel();
    await client.admin('POST', 'credit/default/top-ups', { amount: 100_000, reference: 'tests' });
    chat = await client.flow(chatFlow(model.url, { openai: true }));
    echo = await client.flow(echoFlow({ openai: true }));
  });

  afterAll(async () => {
    await service.close();
    await model.close();
  });

  it('are answered by a flow, and recorded like any prediction', async () => {
    const { openai } = connect();
    const call = openai.chat.completions.create({ model: chat, messages: say('Hi') });
    const { data, response } = await call.withResponse();
    const executionId = response.headers.get('x-execution-id')!;
    expect(data).toEqual({
      id: `chatcmpl-${executionId.replaceAll('-', '')}`,
      object: 'chat.completion',
      created: expect.any(Number),
      model: chat,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hello there', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9, credits: 1 },
      metadata: { chat_id: expect.any(String), execution_id: executionId },
    });
    expect(Math.abs(data.created - Date.now() / 1000)).toBeLessThan(60);
    expect(response.headers.get('x-request-id')).toBe(executionId);
    expect(await client.ended(executionId)).toMatchObject({
      kind: 'prediction',
      flowId: chat,
      status: 'succeeded',
      question: 'Hi',
      answer: 'Hello there',
      credits: 1,
    });
  });

  it('stream in chunks, with the usage at the end on request', async () => {
    const { openai } = connect();
    const stream = await openai.chat.completions.create({
      model: chat,
      messages: say('Hi'),
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
      { role: 'assistant', content: '' },
      { content: 'Hello' },
      { content: ' there' },
      {},
      undefined,
    ]);
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual([
      ...[null, null, null, 'stop'],
      undefined,
    ]);
    expect(chunks.map(({ usage }) => usage?.total_tokens)).toEqual([
      ...Array<undefined>(4).fill(undefined),
      9,
    ]);
    expect(
      new Set(chunks.map(({ id, created, model: name, object }) => [id, created, name, object].join())).size,
    ).toBe(1);
  });

  it("stream in the form that the client's helpers expect", async () => {
    const { openai } = connect();
    const stream = openai.chat.completions.stream({ model: chat, messages: say('Hi') });
    expect(await stream.finalContent()).toBe('Hello there');
  });

  it('end their stream with [DONE], and report no usage by default', async () => {
    const body = { model: chat, messages: say('Hi'), stream: true };
    const { text, headers } = await client.send('POST', '/api/v1/openai/chat/completions', body);
    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(text).not.toContain('usage');
    expect(text).not.toContain('id: ');
  });

  it('come in one chunk from a flow that does not stream', async () => {
    const flow = await client.flow(silentFlow({ openai: true }));
    const { openai } = connect();
    const stream = await openai.chat.completions.create({ model: flow, messages: say('Hi'), stream: true });
    const pieces = [];
    for await (const { choices } of stream) pieces.push(choices[0]?.delta.content);
    expect(pieces).toEqual(['', 'Heard: Hi', undefined]);
  });

  it('use the sent messages as memory, and drop instructions with a warning', async () => {
    const { openai } = connect();
    const answer = await openai.chat.completions.create({
      model: chat,
      messages: [
        { role: 'system', content: 'Be a pirate.' },
        { role: 'developer', content: 'Really.' },
        { role: 'user', content: 'I am Ann' },
        { role: 'assistant', content: 'Hello Ann' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Who' },
            { type: 'text', text: 'am I?' },
          ],
        },
      ],
    });
    expect(model.requests.at(-1)!.body.messages).toEqual([
      { role: 'user', content: 'I am Ann' },
      { role: 'assistant', content: 'Hello Ann' },
      { role: 'user', content: 'Who\nam I?' },
    ]);
    expect(answer).toMatchObject({
      warnings: [{ code: 'instructions_dropped', path: 'messages.0', count: 2 }],
    });
  });

  it('use the memory of metadata.chat_id, which is the chat of predictions', async () => {
    const { openai } = connect();
    const metadata = { chat_id: 'remembered' };
    const first = { model: chat, metadata, messages: say('I am Ann') };
    expect(await openai.chat.completions.create(first)).toMatchObject({ metadata });
    const more = [...say('I am Ann'), { role: 'assistant' as const, content: 'x' }, ...say('Who am I?')];
    const answer = await openai.chat.completions.create({ model: chat, metadata, messages: more });
    expect(answer).toMatchObject({ warnings: [{ code: 'history_ignored', count: 2 }] });
    await client.predict(chat, { question: 'Really?', chatId: 'remembered' });
    const contents = model.requests.at(-1)!.body.messages.map(({ content }: { content: string }) => content);
    expect(contents).toEqual(['I am Ann', 'Hello there', 'Who am I?', 'Hello there', 'Really?']);
  });

  it('show pictures of the question to the model, and none of earlier questions', async () => {
    const { openai } = connect();
    const url = `data:image/jpeg;base64,${PICTURE}`;
    const picture = { type: 'image_url' as const, image_url: { url } };
    const answer = await openai.chat.completions.create({
      model: chat,
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Before' }, picture] },
        { role: 'assistant', content: 'Nice' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And these?' },
            picture,
            { type: 'image_url', image_url: { url: 'https://example.org/a.png', detail: 'high' } },
          ],
        },
      ],
    });
    const sentMessages = model.requests.at(-1)!.body.messages;
    expect(sentMessages[0]).toEqual({ role: 'user', content: 'Before' });
    expect(sentMessages[2].content).toEqual([
      { type: 'text', text: 'And these?' },
      { type: 'image_url', image_url: { url } },
      { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
    ]);
    expect(answer).toMatchObject({
      warnings: [{ code: 'file_dropped', path: 'messages.0.content.1.image_url.url' }],
    });
  });

  it('accept recordings and files as uploads', async () => {
    const flow = await client.flow(replyFlow('{{uploads}}', { openai: true }));
    const { openai } = connect();
    const answer = await openai.chat.completions.create({
      model: flow,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
            { type: 'file', file: { filename: 'a.txt', file_data: 'data:text/plain;base64,aGk=' } },
          ],
        },
      ],
    });
    expect(JSON.parse(answer.choices[0]!.message.content!)).toMatchObject([
      { type: 'audio', mime: 'audio/wav' },
      { type: 'file', name: 'a.txt', mime: 'text/plain' },
    ]);
  });

  it('are answered once, with a warning for tools and formats that a flow does not support', async () => {
    const { openai } = connect();
    const answer = await openai.chat.completions.create({
      model: echo,
      messages: [
        ...say('x'),
        {
          role: 'assistant',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: '7' },
        ...say('Hi'),
      ],
      tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
      response_format: { type: 'json_object' },
      max_tokens: 1_000_000_000_000,
      temperature: 9,
    });
    expect(answer.choices).toHaveLength(1);
    expect((answer as unknown as { warnings: object[] }).warnings).toMatchObject([
      { code: 'message_dropped', path: 'messages.2' },
      { code: 'setting_ignored', path: 'tools' },
      { code: 'setting_ignored', path: 'response_format' },
    ]);
  });

  it('are replayed under their Idempotency-Key, as JSON and as a stream, and not on other routes', async () => {
    const { openai } = connect();
    const headers = { 'idempotency-key': 'openai-1' };
    const body = { model: echo, messages: say('Once') };
    const first = await openai.chat.completions.create(body, { headers });
    const again = await openai.chat.completions.create(body, { headers }).withResponse();
    expect(again.data).toEqual(first);
    expect(again.response.headers.get('idempotent-replay')).toBe('true');
    expect(first.id).not.toContain(again.response.headers.get('x-execution-id')!.replaceAll('-', ''));
    const stream = await openai.chat.completions.create({ ...body, stream: true }, { headers });
    const pieces = [];
    for await (const { id, choices } of stream) pieces.push([id, choices[0]?.delta.content]);
    expect(pieces).toEqual([
      [first.id, ''],
      [first.id, 'You said: Once'],
      [first.id, undefined],
    ]);
    const other = await client.predict(echo, { question: 'Other' }, headers);
    expect([other.status, other.headers.get('idempotent-replay')]).toEqual([200, null]);
    const reused = connect();
    const refused = await refusalOf(reused, () =>
      reused.openai.chat.completions.create({ ...body, messages: say('Twice') }, { headers }),
    );
    expect([refused.error.status, refused.error.code, refused.sent]).toEqual([
      422,
      'idempotency_key_reused',
      1,
    ]);
  });

  it('of a run that waits for approval return its question, with the action that answers it', async () => {
    const flow = await client.flow({
      name: 'Asks',
      openai: true,
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'ask', kind: 'human-input', config: { message: 'May I?' } },
        { id: 'yes', kind: 'reply', config: { message: 'Done' } },
      ],
      edges: [
        { from: 'start', to: 'ask' },
        { from: 'ask', to: 'yes', on: '0' },
      ],
    });
    const { openai } = connect();
    const metadata = { chat_id: 'asks' };
    const completion = await openai.chat.completions.create({ model: flow, metadata, messages: say('Go') });
    expect(completion.choices[0]).toMatchObject({ message: { content: 'May I?' }, finish_reason: 'stop' });
    const { action } = completion as unknown as { action: { data: { nodeId: string } } };
    const humanInput = { type: 'proceed', startNodeId: action.data.nodeId };
    const body = { model: flow, metadata, messages: say('Yes'), humanInput };
    const answer = await openai.chat.completions.create(body);
    expect(answer.choices[0]!.message.content).toBe('Done');
  });

  describe('that are refused', () => {
    const complete = (connection: ReturnType<typeof connect>, flow: string, more: object = {}) =>
      refusalOf(connection, () =>
        connection.openai.chat.completions.create({ model: flow, messages: say('Hi'), ...more }),
      );

    it('without a key are 401, sent once', async () => {
      const key = (await client.admin('POST', 'api-keys', { name: 'openai' })).body;
      const keyed = await client.flow(echoFlow({ access: { apiKeyId: key.id } }));
      const { error, sent } = await complete(connect('fk_wrong'), keyed);
      expect([error.status, error.code, error.type, sent]).toEqual([
        ...[401, 'invalid_api_key', 'authentication_error'],
        1,
      ]);
      const { openai } = connect(key.key as string);
      const answer = await openai.chat.completions.create({ model: keyed, messages: say('Hi') });
      expect(answer.choices[0]!.message.content).toBe('You said: Hi');
    });

    it('without credit are 402, sent once, also if a stream was requested', async () => {
      const poor = await client.flow(echoFlow({ openai: true, account: 'poor' }));
      for (const stream of [false, true]) {
        const { error, sent } = await complete(connect(), poor, { stream });
        expect([error.status, error.code, error.type, sent]).toEqual([
          ...[402, 'insufficient_credit', 'insufficient_quota'],
          1,
        ]);
      }
    });

    it('from an unlisted page are 403', async () => {
      const listed = await client.flow(
        echoFlow({ openai: true, access: { allowedDomains: ['shop.example'] } }),
      );
      const body = { model: listed, messages: say('Hi') };
      const headers = { origin: 'https://other.example' };
      const answer = await client.send('POST', '/api/v1/openai/chat/completions', body, headers);
      expect([answer.status, answer.body.error.code]).toEqual([403, 'domain_not_allowed']);
      expect(answer.headers.get('access-control-allow-origin')).toBe('https://other.example');
      expect(answer.headers.get('access-control-expose-headers')).toContain('X-Should-Retry');
    });

    it('by the rate limit are 429: retried after a short wait, and sent once if the wait is long', async () => {
      const access = { rateLimit: { limit: 1, windowSeconds: 3_600 } };
      const slow = await client.flow(echoFlow({ openai: true, access }));
      const connection = connect();
      await connection.openai.chat.completions.create({ model: slow, messages: say('Hi') });
      const { error, sent } = await complete(connection, slow);
      expect([error.status, error.code, error.type, sent]).toEqual([
        429,
        'rate_limited',
        'rate_limit_error',
        1,
      ]);
      const quick = await client.flow(
        echoFlow({ openai: true, access: { rateLimit: { limit: 1, windowSeconds: 1 } } }),
      );
      const before = connection.requests.length;
      for (let call = 0; call < 2; call++)
        await connection.openai.chat.completions.create({ model: quick, messages: say('Hi') });
      expect(connection.requests.length - before).toBeGreaterThanOrEqual(2);
    });

    it('for a failed flow are 500, sent once and refunded; the holder of the key reads the reason', async () => {
      const key = (await client.admin('POST', 'api-keys', { name: 'failing' })).body;
      const failing = chatFlow(model.url, { openai: true });
      const [open, keyed] = [
        await client.flow(failing),
        await client.flow({ ...failing, access: { apiKeyId: key.id } }),
      ];
      model.answers.push(
        { error: { status: 400, message: 'broken' } },
        { error: { status: 400, message: 'broken' } },
      );
      const { error, sent } = await complete(connect(), open);
      expect([error.status, error.code, error.type, sent]).toEqual([500, 'flow_failed', 'server_error', 1]);
      expect(error.message).not.toContain('broken');
      const { executionId } = error.error as { executionId: string };
      expect(await client.ended(executionId)).toMatchObject({ status: 'failed', credits: 0 });
      const told = await complete(connect(key.key as string), keyed);
      expect(told.error.message).toContain('broken');
      expect(told.error.error).toMatchObject({ failedNode: { id: 'llm' } });
    });

    it('because their end could not be written are 503, and not retried by the client', async () => {
      const away = jest
        .spyOn(service.app.get(RunRemains), 'store')
        .mockRejectedValue(new DatabaseAway(undefined));
      const { error, sent } = await complete(connect(), echo);
      away.mockRestore();
      expect([error.status, error.code, sent]).toEqual([503, 'overloaded', 1]);
      expect(error.message).not.toContain('Idempotency-Key');
      const { executionId } = error.error as { executionId: string };
      expect(await client.ended(executionId)).toMatchObject({ status: 'succeeded', credits: 1 });
    });

    it('after their stream opened end it with an error that the client throws', async () => {
      const held = new Hold();
      model.answers.push({ tokens: ['Hel', 'lo'], heldAfter: 1, held, streamError: { message: 'broken' } });
      const { openai } = connect();
      const stream = await openai.chat.completions.create({ model: chat, messages: say('Hi'), stream: true });
      const pieces: string[] = [];
      const reading = (async () => {
        for await (const { choices } of stream) pieces.push(choices[0]?.delta.content ?? '');
      })();
      await eventually(() => pieces.includes('Hel'));
      held.letGo();
      await expect(reading).rejects.toMatchObject({ code: 'flow_failed', type: 'server_error' });
    });
  });

  it('stop if their caller hangs up and does not come back', async () => {
    const held = new Hold();
    model.answers.push({ tokens: ['Never', ' more'], heldAfter: 1, held });
    const { openai } = connect();
    const call = openai.chat.completions.create({ model: chat, messages: say('Hi'), stream: true });
    const { data: stream, response } = await call.withResponse();
    for await (const { choices } of stream) if (choices[0]?.delta.content === 'Never') break;
    await eventually(() => model.requests.at(-1)!.aborted);
    held.letGo();
    const record = await client.ended(response.headers.get('x-execution-id')!);
    expect([record.status, record.code]).toEqual(['aborted', 'caller_left']);
  });
});
