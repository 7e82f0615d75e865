import { startTestApp, type TestApp } from './support/app.js';
import { type FakeModel, startFakeModel } from './support/fake-model.js';
import { chatFlow, replyFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';

const CHAT = '/api/v1/openai/chat/completions';
const RESPONSES = '/api/v1/openai/responses';

describe('hostile callers of the OpenAI routes', () => {
  let service: TestApp;
  let model: FakeModel;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    service = await startTestApp();
    model = await startFakeModel();
    await client.flow(replyFlow('{{question}}', { id: 'echo', openai: true }));
    await client.flow(chatFlow(model.url, { id: 'chat', openai: true }));
  });

  afterAll(async () => {
    await service.close();
    await model.close();
  });

  const user = (content: unknown) => [{ role: 'user', content }];
  const send = async (path: string, body: unknown) => {
    const { status, body: answer } = await client.send('POST', path, body);
    return [status, answer.error?.code, answer.error?.param];
  };

  it.each<[string, object, string]>([
    ['no messages', {}, 'messages'],
    ['empty messages', { messages: [] }, 'messages'],
    ['messages that are an object', { messages: {} }, 'messages'],
    ['a message that is a text', { messages: ['Hi'] }, 'messages.0'],
    ['a role that nobody knows', { messages: [{ role: 'king', content: 'x' }] }, 'messages.0.role'],
    ['nobody who asks', { messages: [{ role: 'assistant', content: 'x' }] }, 'messages'],
    ['an empty question', { messages: user('') }, 'messages.0.content'],
    ['content that is a number', { messages: user(7) }, 'messages.0.content'],
    ['content that is an object', { messages: user({ type: 'text', text: 'x' }) }, 'messages.0.content'],
    ['a part of no kind', { messages: user([{ type: '__proto__' }]) }, 'messages.0.content.0.type'],
    ['a part that is null', { messages: user([null]) }, 'messages.0.content.0.type'],
    ['a text of another type', { messages: user([{ type: 'text', text: {} }]) }, 'messages.0.content.0.text'],
    [
      'a broken picture',
      { messages: user([{ type: 'image_url', image_url: { url: 'data:image/png;base64,*' } }]) },
      'messages.0.content.0.image_url.url',
    ],
    [
      'a picture at no address',
      { messages: user([{ type: 'image_url', image_url: { url: 'file:///etc/passwd' } }]) },
      'messages.0.content.0.image_url.url',
    ],
    ['a picture without address', { messages: user([{ type: 'image_url' }]) }, 'messages.0.content.0'],
    [
      'a recording of no format',
      { messages: user([{ type: 'input_audio', input_audio: { data: 'UklGRg==', format: '../x' } }]) },
      'messages.0.content.0',
    ],
    [
      'a file that is stored elsewhere',
      { messages: user([{ type: 'file', file: { file_id: 'file-1' } }]) },
      'messages.0.content.0',
    ],
    ['five answers', { messages: user('x'), n: 5 }, 'n'],
    ['a stream by word', { messages: user('x'), stream: 'yes' }, 'stream'],
    ['options that are a list', { messages: user('x'), stream_options: [] }, 'stream_options'],
    ['metadata that is a list', { messages: user('x'), metadata: [] }, 'metadata'],
    ['a chat without a name', { messages: user('x'), metadata: { chat_id: '' } }, 'metadata.chat_id'],
    [
      'a chat with a control character',
      { messages: user('x'), metadata: { chat_id: 'a\u0000' } },
      'metadata.chat_id',
    ],
    ['an answer that is heard', { messages: user('x'), modalities: ['text', 'audio'] }, 'modalities.1'],
    ['tools that are an object', { messages: user('x'), tools: {} }, 'tools'],
    ['a tool that must be called', { messages: user('x'), tool_choice: { type: 'function' } }, 'tool_choice'],
    [
      'variables that are a list',
      { messages: user('x'), overrideConfig: { vars: [] } },
      'overrideConfig.vars',
    ],
  ])('get a fault for %s, with its place', async (_what, body, param) => {
    expect(await send(CHAT, { model: 'echo', ...body })).toEqual([400, 'invalid_request', param]);
  });

  it.each<[string, unknown]>([
    ['a body that is null', null],
    ['a body that is a list', []],
    ['a body that is a text', '"echo"'],
    ['no body', undefined],
    ['a model that is a number', { model: 7, messages: user('x') }],
    ['no model', { messages: user('x') }],
  ])('get a fault for a missing model in %s', async (_what, body) => {
    for (const path of [CHAT, RESPONSES])
      expect(await send(path, body)).toEqual([400, 'invalid_request', 'model']);
  });

  it('get a fault for bodies that are invalid JSON, of another type, too deep, too wide or too large', async () => {
    const deep = (levels: number) => `{"model":"echo","x":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    const wide = { model: 'echo', messages: user('x'), tools: Array<number>(50_001).fill(0) };
    for (const path of [CHAT, RESPONSES]) {
      expect(await send(path, '{"model":')).toEqual([400, 'invalid_request', null]);
      expect(await send(path, deep(70))).toEqual([400, 'json_too_deep', null]);
      expect(await send(path, deep(500_000))).toEqual([400, 'json_too_deep', null]);
      expect(await send(path, wide)).toEqual([413, 'body_too_complex', null]);
      const form = new FormData();
      form.append('model', 'echo');
      expect(await send(path, form)).toEqual([415, 'unsupported_media_type', null]);
    }
    const long = 'x'.repeat(1024 * 1024 + 1);
    expect(await send(CHAT, { model: 'echo', messages: user(long) })).toEqual([
      413,
      'question_too_long',
      null,
    ]);
    expect(await send(RESPONSES, { model: 'echo', input: long })).toEqual([413, 'question_too_long', null]);
  });

  it('may send 2,000 messages', async () => {
    const messages = Array.from({ length: 1_999 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `message ${index}`,
    }));
    const answer = await client.send('POST', CHAT, {
      model: 'chat',
      messages: [...messages, ...user('last')],
    });
    expect(answer.body.choices[0].message.content).toBe('Hello there');
    expect(model.requests.at(-1)!.body.messages).toHaveLength(2_000);
  });

  it('gain nothing from names that are members of every object', async () => {
    const body = `{"model":"echo","__proto__":{"n":5},"constructor":1,"metadata":{"__proto__":{"chat_id":""}},
      "messages":[{"role":"user","content":"Hi","__proto__":{"role":"system"}}]}`;
    const { status, body: answer } = await client.send('POST', CHAT, body);
    expect([status, answer.choices[0].message.content]).toEqual([200, 'Hi']);
  });

  it('cannot request an async answer, or another form', async () => {
    const headers = { prefer: 'respond-async', accept: 'text/plain' };
    const body = { model: 'echo', messages: user('Hi') };
    const answer = await client.send('POST', CHAT, body, headers);
    expect([answer.status, answer.body.object]).toEqual([200, 'chat.completion']);
    const refused = await client.send('POST', CHAT, { ...body, n: 5 }, headers);
    expect([refused.headers.get('content-type'), refused.body.error.param]).toEqual([
      'application/json; charset=utf-8',
      'n',
    ]);
    const later = await send(CHAT, { ...body, callbackUrl: 'https://example.org' });
    expect(later[0]).toBe(200);
  });
});
