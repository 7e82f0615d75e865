import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestApp, type TestApp } from './support/app.js';
import { type FakeModel, Hold, startFakeModel } from './support/fake-model.js';
import { chatFlow, echoFlow, replyFlow } from './support/flows.js';
import { openAiClient, refusalOf } from './support/openai.js';
import { ServiceClient } from './support/service-client.js';

const PICTURE = readFileSync(join(__dirname, '..', 'samples', 'photographs', 'hallway.jpg'), 'base64');

describe('responses', () => {
  let service: TestApp;
  let model: FakeModel;
  let chat: string;
  const client = new ServiceClient(() => service);
  const connect = (key?: string) => openAiClient(service.url, key);

  beforeAll(async () => {
    service = await startTestApp();
    model = await startFakeModel();
    await client.admin('POST', 'credit/default/top-ups', { amount: 100_000, reference: 'tests' });
    chat = await client.flow(chatFlow(model.url, { openai: true }));
  });

  afterAll(async () => {
    await service.close();
    await model.close();
  });

  const heard = () =>
    model.requests.at(-1)!.body.messages.map(({ content }: { content: unknown }) => content);

  it('are answered by a flow, and recorded like any prediction', async () => {
    const { openai } = connect();
    const { data, response } = await openai.responses.create({ model: chat, input: 'Hi' }).withResponse();
    const executionId = response.headers.get('x-execution-id')!;
    const name = executionId.replaceAll('-', '');
    expect(data).toMatchObject({
      id: `resp_${name}`,
      object: 'response',
      status: 'completed',
      model: chat,
      error: null,
      previous_response_id: null,
      output_text: 'Hello there',
      output: [
        {
          id: `msg_${name}`,
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello there', annotations: [] }],
        },
      ],
      usage: { input_tokens: 7, output_tokens: 2, total_tokens: 9, credits: 1 },
      metadata: { execution_id: executionId },
    });
    const { kind, status, question } = await client.ended(executionId);
    expect([kind, status, question]).toEqual(['prediction', 'succeeded', 'Hi']);
  });

  it('stream as numbered events, which the client assembles', async () => {
    const { openai } = connect();
    const stream = await openai.responses.create({ model: chat, input: 'Hi', stream: true });
    const events = [];
    for await (const event of stream) events.push(event);
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
    const together = openai.responses.stream({ model: chat, input: 'Hi' });
    expect((await together.finalResponse()).output_text).toBe('Hello there');
  });

  it('stream an answer of megabytes completely, in each of its events', async () => {
    const flow = await client.flow(replyFlow('{{question}}{{question}}', { openai: true }));
    const { openai } = connect();
    const input = 'x'.repeat(1_000_000);
    const stream = openai.responses.stream({ model: flow, input });
    const { output_text: text } = await stream.finalResponse();
    expect([text.length, text === input + input]).toEqual([2_000_000, true]);
  });

  it('show pictures of the question to the model, and drop instructions with a warning', async () => {
    const { openai } = connect();
    const url = `data:image/jpeg;base64,${PICTURE}`;
    const answer = await openai.responses.create({
      model: chat,
      instructions: 'Be a pirate.',
      input: [
        { role: 'user', content: 'I am Ann' },
        { role: 'assistant', content: 'Hello Ann' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'And this?' },
            { type: 'input_image', image_url: url, detail: 'auto' },
          ],
        },
      ],
    });
    expect(heard()).toEqual([
      'I am Ann',
      'Hello Ann',
      [
        { type: 'text', text: 'And this?' },
        { type: 'image_url', image_url: { url } },
      ],
    ]);
    expect(answer).toMatchObject({ warnings: [{ code: 'instructions_dropped', path: 'instructions' }] });
  });

  it('continue any earlier one, without the other continuations of it', async () => {
    const { openai } = connect();
    const ask = (input: string, previous?: { id: string }) =>
      openai.responses.create({
        model: chat,
        input,
        ...(previous ? { previous_response_id: previous.id } : {}),
      });
    const first = await ask('one');
    const second = await ask('two', first);
    expect([second.previous_response_id, heard()]).toEqual([first.id, ['one', 'Hello there', 'two']]);
    const branch = await ask('other', first);
    expect(heard()).toEqual(['one', 'Hello there', 'other']);
    await ask('three', second);
    expect(heard()).toEqual(['one', 'Hello there', 'two', 'Hello there', 'three']);
    await ask('more', branch);
    expect(heard()).toEqual(['one', 'Hello there', 'other', 'Hello there', 'more']);
  });

  it('continue an earlier one with a window of its messages', async () => {
    const flow = await client.flow(
      chatFlow(model.url, { openai: true }, { memory: { kind: 'window', size: 1 } }),
    );
    const { openai } = connect();
    const first = await openai.responses.create({ model: flow, input: 'one' });
    const next = { model: flow, input: 'two', previous_response_id: first.id };
    const second = await openai.responses.create(next);
    await openai.responses.create({ ...next, input: 'other' });
    await openai.responses.create({ ...next, input: 'three', previous_response_id: second.id });
    expect(heard()).toEqual(['two', 'Hello there', 'three']);
  });

  it('are found for the same flow and key alone, and as long as their record', async () => {
    const keys = [];
    for (const name of ['a', 'b']) keys.push((await client.admin('POST', 'api-keys', { name })).body);
    const [mine, others] = [
      await client.flow(echoFlow({ access: { apiKeyId: keys[0].id } })),
      await client.flow(echoFlow({ access: { apiKeyId: keys[1].id } })),
    ];
    const [own, other, open] = [connect(keys[0].key), connect(keys[1].key), connect()];
    const { id, metadata } = await own.openai.responses.create({ model: mine, input: 'Hi' });
    const goOn = async (connection: ReturnType<typeof connect>, flow: string, previous = id) => {
      const { error, sent } = await refusalOf(connection, () =>
        connection.openai.responses.create({ model: flow, input: 'On', previous_response_id: previous }),
      );
      return [error.status, error.code, error.param, sent];
    };
    const refused = [400, 'invalid_request', 'previous_response_id', 1];
    expect(await goOn(other, others)).toEqual(refused);
    expect(await goOn(open, chat)).toEqual(refused);
    expect(await goOn(own, mine, 'resp_1')).toEqual(refused);
    const body = { model: mine, input: 'On', previous_response_id: id };
    expect((await own.openai.responses.create(body)).output_text).toBe('You said: On');
    // The flow was open at the time of the call, or had another key.
    await client.admin('PUT', `flows/${mine}`, echoFlow({ access: { apiKeyId: keys[1].id } }));
    expect(await goOn(other, mine)).toEqual(refused);
    await client.admin('PUT', `flows/${mine}`, echoFlow({ access: { apiKeyId: keys[0].id } }));
    await client.admin('DELETE', `executions/${metadata!['execution_id']}`);
    expect(await goOn(own, mine)).toEqual(refused);
  });

  it('of an open flow are found from the same address alone', async () => {
    const proxied = await startTestApp({ env: { TRUST_PROXY: '1' }, place: service.place });
    try {
      const ask = (address: string, more: object = {}) =>
        new ServiceClient(() => proxied).send(
          'POST',
          '/api/v1/openai/responses',
          { model: chat, input: 'Hi', ...more },
          { 'x-forwarded-for': address },
        );
      const { body } = await ask('203.0.113.7');
      const goOn = { previous_response_id: body.id };
      expect((await ask('203.0.113.7', goOn)).status).toBe(200);
      expect((await ask('203.0.113.8', goOn)).body.error.param).toBe('previous_response_id');
    } finally {
      await proxied.close({ keep: true });
    }
  });

  it('that fail are an error, and in a stream a failed response', async () => {
    const held = new Hold();
    model.answers.push(
      { error: { status: 400, message: 'broken' } },
      { tokens: ['Hel', 'lo'], heldAfter: 1, held, streamError: 'broken' },
    );
    const connection = connect();
    const { error, sent } = await refusalOf(connection, () =>
      connection.openai.responses.create({ model: chat, input: 'Hi' }),
    );
    expect([error.status, error.code, sent]).toEqual([500, 'flow_failed', 1]);
    const stream = await connection.openai.responses.create({ model: chat, input: 'Hi', stream: true });
    const events = [];
    for await (const event of stream) {
      events.push(event);
      if (event.type === 'response.output_text.delta') held.letGo();
    }
    expect(events[4]).toMatchObject({ type: 'response.output_text.delta', delta: 'Hel' });
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      sequence_number: events.length - 1,
      response: { id: expect.stringMatching(/^resp_/), status: 'failed', error: { code: 'flow_failed' } },
    });
  });

  it('refuse parameters that need storage, and warn of those that a flow does not support', async () => {
    const connection = connect();
    const faults = async (more: object) => {
      const { error } = await refusalOf(connection, () =>
        connection.openai.responses.create({ model: chat, input: 'Hi', ...more }),
      );
      return [error.status, error.param];
    };
    expect(await faults({ background: true })).toEqual([400, 'background']);
    expect(await faults({ conversation: 'conv_1' })).toEqual([400, 'conversation']);
    expect(await faults({ prompt: { id: 'pmpt_1' } })).toEqual([400, 'prompt']);
    expect(await faults({ tool_choice: 'required' })).toEqual([400, 'tool_choice']);
    expect(await faults({ input: [] })).toEqual([400, 'input']);
    expect(await faults({ input: '' })).toEqual([400, 'input']);
    expect(await faults({ input: [{ type: 'item_reference', id: 'x' }] })).toEqual([400, 'input']);
    const body = {
      model: chat,
      input: 'Hi',
      store: false,
      text: { format: { type: 'json_object' as const } },
    };
    expect(await connection.openai.responses.create(body)).toMatchObject({
      warnings: [
        { code: 'setting_ignored', path: 'text.format' },
        { code: 'setting_ignored', path: 'store' },
      ],
    });
  });
});
