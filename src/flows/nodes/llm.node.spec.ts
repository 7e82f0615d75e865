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

  it.each([
    ['length', /cut off at maxTokens/],
    ['content_filter', /cut off by its provider/],
  ])('warns of an answer that ends too early (%s)', async (finish, message) => {
    model.answers.push({ tokens: ['Hello', ' th'], finish });
    expect(resultOf(await runNodes(llm()))).toMatchObject({
      text: 'Hello th',
      warnings: [{ code: 'answer_cut', message: expect.stringMatching(message) }],
    });
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

  describe('asked for structured output', () => {
    const asked = () =>
      llm({ structuredOutput: [{ key: 'room', type: 'string', description: 'Which room' }] });

    it('gives it as json, and its members to templates', async () => {
      model.answers.push({ tokens: ['{"room":', '"Kitchen"}'] });
      const events = await runNodes(asked());
      expect(resultOf(events)).toMatchObject({ json: { room: 'Kitchen' } });
      expect(tokensOf(events)).toEqual(['{"room":"Kitchen"}']);
      expect(model.requests[0]!.body.response_format.json_schema.schema.required).toEqual(['room']);
      model.answers.push({ tokens: ['```json\n{"room":"Hall"}\n```'] });
      const nodes = [...asked(), { kind: 'reply', config: { message: 'In {{n0.output.room}}' } }];
      expect(resultOf(await runNodes(nodes)).text).toBe('In Hall');
    });

    it('asks once more, with what is wrong, and tells nothing of the first answer', async () => {
      model.answers.push({ tokens: ['{"room":', '17}'] }, { tokens: ['{"room":"Hall"}'] });
      const events = await runNodes(asked());
      expect(resultOf(events)).toMatchObject({
        text: '{"room":"Hall"}',
        json: { room: 'Hall' },
        tokens: { inputTokens: 14, outputTokens: 3 },
      });
      expect(tokensOf(events)).toEqual(['{"room":"Hall"}']);
      const [said, fault] = sent(model.requests[1]).slice(-2);
      expect(said).toEqual(['assistant', '{"room":17}']);
      expect(fault![1]).toMatch(/does not have the form that was asked for: room: /);
    });

    it('fails when that does not help', async () => {
      model.answers.push({ tokens: ['I do not know'] }, { tokens: ['{"kitchen":true}'] });
      expect(failureOf(await runNodes(asked()))).toMatch(
        /structuredOutput requires, nor when .* again: .*room/,
      );
      expect(model.requests).toHaveLength(2);
    });

    it('checks a schema of its own, but no pattern, which might take for ever', async () => {
      const properties = {
        code: { type: 'string', pattern: '^(a+)+$' },
        pattern: { type: 'number', minimum: 3 },
      };
      const config = { model: choice(), structuredOutput: { type: 'object', properties } };
      model.answers.push({ tokens: [`{"code":"${'a'.repeat(50)}!","pattern":4}`] });
      expect(resultOf(await runNodes([{ kind: 'llm', config }])).json).toMatchObject({ pattern: 4 });
      model.answers.push({ tokens: ['{"pattern":1}'] }, { tokens: ['{"pattern":2}'] });
      expect(failureOf(await runNodes([{ kind: 'llm', config }]))).toMatch(/pattern/);
    });

    it('fails with the words of a model that declines', async () => {
      model.answers.push({ refusal: 'I will not.' });
      expect(failureOf(await runNodes(asked()))).toBe('The model declined to answer: I will not.');
    });
  });

  it('lets a model decline in its own words', async () => {
    model.answers.push({ refusal: 'I will not.' });
    const events = await runNodes(llm());
    expect([resultOf(events).text, tokensOf(events)]).toEqual(['I will not.', ['I will not.']]);
  });

  it('plays recordings of the call to the model, and says which uploads it was not shown', async () => {
    const events = await runNodes(llm({ memory: { kind: 'none' } }), {
      uploads: [
        { type: 'audio', name: 'a.wav', mime: 'audio/wav', bytes: Buffer.from('RIFF') },
        { type: 'file', name: 'a.txt', mime: 'text/plain', bytes: Buffer.from('words') },
        { type: 'file', name: 'a.bin', mime: 'application/octet-stream', bytes: Buffer.from([0, 1]) },
      ],
    });
    expect(sent()[0]![1]).toEqual([
      { type: 'text', text: "<doc name='a.txt'>words</doc>\n\nHow are you?" },
      { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
    ]);
    expect(resultOf(events).warnings).toEqual([
      expect.objectContaining({ code: 'upload_not_shown', message: expect.stringMatching(/"a\.bin"/) }),
    ]);
  });

  it('shows the text files of the call once, whatever takes the place of the question', async () => {
    const uploads = [
      { type: 'file' as const, name: 'a.txt', mime: 'text/plain', bytes: Buffer.from('words') },
    ];
    const shown = "<doc name='a.txt'>words</doc>";
    const asked = async (config: Record<string, Json>) => {
      model.requests.length = 0;
      await runNodes(llm({ memory: { kind: 'none' }, ...config }), { uploads });
      return sent();
    };
    expect(await asked({ userMessage: 'Sum up: {{question}}' })).toEqual([
      ['user', `${shown}\n\nSum up: How are you?`],
    ]);
    expect(await asked({ messages: [{ role: 'user', content: '{{question}}' }] })).toEqual([
      ['user', `${shown}\n\nHow are you?`],
    ]);
    const system = { role: 'system', content: 'Read {{file_attachment}}' };
    expect(await asked({ messages: [system], userMessage: 'Go' })).toEqual([
      ['system', `Read ${shown}`],
      ['user', 'Go'],
    ]);
  });

  it('says so when a model takes no recordings', async () => {
    model.answers.push({ error: { status: 400, message: 'audio input is not supported' } });
    const uploads = [{ type: 'audio' as const, name: 'a', mime: 'audio/wav', bytes: Buffer.from('r') }];
    expect(failureOf(await runNodes(llm(), { uploads }))).toMatch(
      /^The model "fake" does not accept recordings/,
    );
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
    model.answers.push({ tokens: ['a', 'b', 'c'], breakAfter: 2, tokenMs: 20 });
    expect(failureOf(await runNodes(llm()))).toMatch(/^The model failed/);
    expect(model.requests).toHaveLength(1);
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
