import { failureOf, resultOf, tokensOf } from '../../../test/fixtures/flows/flow-runs.js';
import { runNodes } from '../../../test/fixtures/flows/run-nodes.js';
import { eventually } from '../../../test/support/eventually.js';
import { type FakeModel, type FakeRequest, startFakeModel } from '../../../test/support/fake-model.js';
import type { Json } from '../engine/json.js';

describe('llm', () => {
  let model: FakeModel;

  beforeAll(async () => {
    model = await startFakeModel();
  });
  afterAll(() => model.close());
  beforeEach(() => {
    model.requests.length = 0;
    model.answers.length = 0;
  });

  const choice = () => ({ provider: 'openai-compatible', name: 'fake', baseUrl: model.url });
  const llm = (config: Record<string, Json> = {}) => [
    { kind: 'llm', config: { model: choice(), ...config } },
  ];
  const sent = (request: FakeRequest | undefined = model.requests[0]) =>
    (request!.body.messages as { role: string; content: unknown }[]).map(({ role, content }) => [
      role,
      content,
    ]);

  it('streams the tokens of the model, counts them, and remembers the chat', async () => {
    const events = await runNodes(llm({ messages: [{ role: 'system', content: 'Be {{$vars.mood}}.' }] }), {
      vars: new Map([['mood', 'kind']]),
    });
    expect(tokensOf(events)).toEqual(['Hello', ' there']);
    expect(resultOf(events)).toMatchObject({
      text: 'Hello there',
      tokens: { inputTokens: 7, outputTokens: 2 },
    });
    expect(sent().at(0)).toEqual(['system', 'Be kind.']);
    expect(sent().slice(1, 3)).toEqual([
      ['user', 'q1'],
      ['assistant', 'a1'],
    ]);
    expect(sent().at(-1)).toEqual(['user', 'How are you?']);
  });

  it('remembers a window, or nothing', async () => {
    await runNodes(llm({ memory: { kind: 'window', size: 1 } }));
    expect(sent()).toEqual([
      ['user', 'q3'],
      ['assistant', 'a3'],
      ['user', 'How are you?'],
    ]);
    await runNodes(llm({ memory: { kind: 'none' }, userMessage: 'Translate: {{question}}' }));
    expect(sent(model.requests[1])).toEqual([['user', 'Translate: How are you?']]);
  });

  it('summarises what is older than the window', async () => {
    model.answers.push({ tokens: ['They', ' talked.'] });
    const events = await runNodes(llm({ memory: { kind: 'summary', size: 1 } }));
    expect(sent(model.requests[1])[0]).toEqual(['user', 'Summary of our conversation so far: They talked.']);
    expect(sent(model.requests[1])).toHaveLength(4);
    expect(resultOf(events).tokens).toEqual({ inputTokens: 14, outputTokens: 4 });
  });

  it('does not ask twice when the config holds the question', async () => {
    await runNodes(
      llm({ messages: [{ role: 'user', content: 'Say: {{question}}' }], memory: { kind: 'none' } }),
    );
    expect(sent()).toEqual([['user', 'Say: How are you?']]);
  });

  it('shows the pictures of the call to the model', async () => {
    const bytes = Buffer.from('picture');
    await runNodes(llm({ memory: { kind: 'none' } }), {
      uploads: [{ type: 'file', name: 'a.png', mime: 'image/png', bytes }],
    });
    expect(JSON.stringify(sent())).toContain(`data:image/png;base64,${bytes.toString('base64')}`);
  });

  it('uses DEFAULT_MODEL_* where the node names no model, and sends that key nowhere else', async () => {
    const env = {
      DEFAULT_MODEL_BASE_URL: model.url,
      DEFAULT_MODEL_NAME: 'standard',
      DEFAULT_MODEL_API_KEY: 'sk-own',
    };
    expect(resultOf(await runNodes([{ kind: 'llm', config: {} }], {}, { env })).text).toBe('Hello there');
    expect(model.requests[0]).toMatchObject({ authorization: 'Bearer sk-own', body: { model: 'standard' } });
    const elsewhere = { ...choice(), baseUrl: `${model.url}/other` };
    await runNodes(llm({ model: elsewhere }), {}, { env });
    expect(model.requests[1]!.authorization).toBeUndefined();
    expect(failureOf(await runNodes([{ kind: 'llm', config: {} }]))).toMatch(/DEFAULT_MODEL_NAME/);
  });

  it('gives structured output as json, and its members to templates', async () => {
    model.answers.push({ tokens: ['{"room":', '"Kitchen"}'] });
    const structured = llm({
      structuredOutput: [{ key: 'room', type: 'string', description: 'Which room' }],
    });
    expect(resultOf(await runNodes(structured))).toMatchObject({ json: { room: 'Kitchen' } });
    expect(model.requests[0]!.body.response_format.json_schema.schema.required).toEqual(['room']);
    model.answers.push({ tokens: ['```json\n{"room":"Hall"}\n```'] });
    const nodes = [...structured, { kind: 'reply', config: { message: 'In {{n0.output.room}}' } }];
    expect(resultOf(await runNodes(nodes)).text).toBe('In Hall');
    model.answers.push({ tokens: ['I do not know'] });
    expect(failureOf(await runNodes(structured))).toMatch(/structuredOutput/);
  });

  it('tries again after a refusal that passes', async () => {
    const headers = { 'retry-after': '0' };
    model.answers.push({ error: { status: 429, message: 'slow down', headers } });
    model.answers.push({ error: { status: 503, message: 'busy', headers } });
    expect(resultOf(await runNodes(llm())).text).toBe('Hello there');
    expect(model.requests).toHaveLength(3);
  });

  it('fails with what the provider said, but without the key', async () => {
    const env = {
      DEFAULT_MODEL_BASE_URL: model.url,
      DEFAULT_MODEL_NAME: 'm',
      DEFAULT_MODEL_API_KEY: 'sk-own',
    };
    model.answers.push({ error: { status: 401, message: 'no such key sk-own' } });
    const events = await runNodes([{ kind: 'llm', config: {} }], {}, { env });
    expect(failureOf(events)).toBe('The model answered 401: no such key [masked]');
    expect(model.requests).toHaveLength(1);
  });

  it('fails when the model breaks off or is not there', async () => {
    model.answers.push({ tokens: ['a', 'b', 'c'], breakAfter: 1, tokenMs: 5 });
    expect(failureOf(await runNodes(llm()))).toMatch(/^The model failed/);
    const gone = { ...choice(), baseUrl: 'http://127.0.0.1:1/v1' };
    expect(failureOf(await runNodes(llm({ model: gone })))).toMatch(/^The model failed/);
  });

  it('stops the model when the run is aborted', async () => {
    model.answers.push({ tokens: Array.from({ length: 1_000 }, () => 'x '), tokenMs: 5 });
    const controller = new AbortController();
    const run = runNodes(llm(), {}, { signal: controller.signal });
    await eventually(() => model.requests[0]?.firstTokenAt !== undefined);
    controller.abort('caller_left');
    expect((await run).at(-1)).toEqual({ type: 'aborted', reason: 'caller_left' });
    await eventually(() => model.requests[0]!.aborted);
  });
});
