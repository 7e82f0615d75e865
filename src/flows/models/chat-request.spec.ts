import { ModelTrial, never, question } from '../../../test/fixtures/models/model-trial.js';
import { askModel } from './model-answer.js';

describe('a request in the chat protocol', () => {
  const asked = new ModelTrial();

  it('pictures and recordings beside the words', async () => {
    const attachments = [
      { type: 'image' as const, mime: 'image/png', content: Buffer.from('p') },
      { type: 'image' as const, mime: 'image/png', content: new URL('https://example.com/a.png') },
      { type: 'audio' as const, mime: 'audio/mpeg', content: Buffer.from('r') },
    ];
    await asked.ask({ tokens: ['Yes'] }, { messages: [{ ...question, attachments }] });
    expect(asked.sent.messages[0].content).toEqual([
      { type: 'text', text: 'Hello' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,cA==' } },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'input_audio', input_audio: { data: 'cg==', format: 'mp3' } },
    ]);
    const webm = [{ type: 'audio' as const, mime: 'audio/webm;codecs=opus', content: Buffer.from('r') }];
    const refused = asked.ask({}, { messages: [{ ...question, attachments: webm }] }, { provider: 'openai' });
    await expect(refused).rejects.toMatchObject({
      fault: 'unsupported',
      message: expect.stringMatching(/WAV or MP3/),
    });
    expect(asked.fake.requests).toHaveLength(1);
  });

  it('a schema strictly where the model can be held to it', async () => {
    const strict = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    };
    await asked.ask({ tokens: ['{}'] }, { schema: strict });
    expect(asked.sent.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema: strict, strict: true },
    });
    await asked.ask({ tokens: ['{}'] }, { schema: { type: 'object', properties: { a: strict } } });
    expect(asked.sent.response_format.json_schema.strict).toBe(false);
  });

  it('the form of the answer in words where the model knows no other way, and remembers that', async () => {
    const refused = { error: { status: 400, message: 'This response_format type is unavailable now' } };
    const own = asked.open();
    const request = { messages: [question], schema: { type: 'object' } };
    asked.fake.answers.push(refused, refused, { tokens: ['{}'] }, { tokens: ['{}'] });
    await askModel(own, request, never);
    expect(asked.fake.requests.map(({ body }) => body.response_format?.type)).toEqual([
      'json_schema',
      'json_object',
      undefined,
    ]);
    expect(asked.sent.messages[0].content).toMatch(/JSON Schema[^]*\{"type":"object"\}/);
    await askModel(own, request, never);
    expect(asked.fake.requests).toHaveLength(4);
  });

  it('the limit and the count of tokens as each model takes them', async () => {
    await asked.ask({ tokens: ['a'] }, { maxTokens: 5 }, { provider: 'openai', name: 'gpt-5-mini' });
    expect(asked.sent).toMatchObject({ max_completion_tokens: 5 });
    await asked.ask({ tokens: ['a'] }, {}, { provider: 'mistral' });
    expect(asked.sent.stream_options).toBeUndefined();
    const said = "Unsupported value: 'temperature' does not support 0.5 with this model.";
    asked.fake.answers.push({ error: { status: 400, message: said } });
    expect((await asked.ask({ tokens: ['a'] }, { temperature: 0.5 })).text).toBe('a');
    expect(asked.fake.requests.slice(-2).map(({ body }) => body.temperature)).toEqual([0.5, undefined]);
  });

  it('the next request on the connection of the last', async () => {
    const own = asked.open();
    const connections = new Set<unknown>();
    asked.fake.onConnection = (socket) => connections.add(socket);
    for (let call = 0; call < 5; call++) await askModel(own, { messages: [question] }, never);
    expect(connections.size).toBeLessThan(2);
    asked.fake.onConnection = undefined;
  });
});
