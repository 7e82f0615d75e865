import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type FakeModel, startFakeModel } from '../../../test/support/fake-model.js';
import type { ModelEvent, ModelSettings } from './language-model.js';
import { ProviderLanguageModel } from './provider-language-model.js';

const collect = async (settings: ModelSettings, signal = new AbortController().signal) => {
  const events: ModelEvent[] = [];
  const model = new ProviderLanguageModel(settings, 1);
  const messages = [
    { role: 'system' as const, content: 'Be brief.' },
    { role: 'user' as const, content: 'Hello' },
  ];
  for await (const event of model.stream({ messages }, signal)) events.push(event);
  return events;
};
const textOf = (events: ModelEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');

describe('providers that speak the OpenAI protocol', () => {
  let model: FakeModel;
  beforeAll(async () => {
    model = await startFakeModel();
  });
  afterAll(() => model.close());
  beforeEach(() => {
    model.requests.length = 0;
  });

  it.each(['openai', 'openai-compatible', 'mistral', 'groq', 'ollama'] as const)('%s', async (provider) => {
    const settings = { name: 'm', baseUrl: model.url, apiKey: 'k', temperature: 0.5, maxTokens: 9 };
    const events = await collect({ provider, ...settings });
    expect(textOf(events)).toBe('Hello there');
    expect(events.at(-1)).toEqual({ type: 'usage', usage: { inputTokens: 7, outputTokens: 2 } });
    expect(model.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      authorization: 'Bearer k',
      body: { model: 'm', temperature: 0.5, max_tokens: 9, stream: true },
    });
  });

  it('takes no key from the environment where none is set', async () => {
    await collect({ provider: 'openai', name: 'm', baseUrl: model.url });
    expect(model.requests[0]!.authorization).toBe('Bearer none');
  });

  it('gives up after two retries', async () => {
    model.answers.push(...[1, 2, 3, 4].map(() => ({ error: { status: 500, message: 'down' } })));
    const asked = collect({ provider: 'openai', name: 'm', baseUrl: model.url });
    await expect(asked).rejects.toThrow('The model answered 500: down');
    expect(model.requests).toHaveLength(3);
    model.answers.length = 0;
  });

  it('tries again where no answer came, and follows a redirection', async () => {
    let connections = 0;
    const moved = createServer((_request, response) => {
      response.writeHead(308, { location: `${model.url}/chat/completions` }).end();
    });
    moved.on('connection', (socket) => void (++connections < 3 && socket.destroy()));
    await new Promise<void>((resolve) => moved.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(moved.address() as AddressInfo).port}/v1`;
    expect(textOf(await collect({ provider: 'openai', name: 'm', baseUrl }))).toBe('Hello there');
    expect(connections).toBe(3);
    moved.close().closeAllConnections();
    await expect(collect({ provider: 'openai', name: 'm', baseUrl })).rejects.toThrow(/ECONNREFUSED/);
  });

  it('takes a key to no other host than the one that was named', async () => {
    const moved = createServer((_request, response) => {
      response.writeHead(307, { location: `${model.url.replace('127.0.0.1', 'localhost')}/messages` }).end();
    });
    await new Promise<void>((resolve) => moved.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(moved.address() as AddressInfo).port}/v1`;
    const asked = collect({ provider: 'anthropic', name: 'm', baseUrl, apiKey: 'k' });
    await expect(asked).rejects.toThrow(/moved to http:\/\/localhost:\d+: give that address/);
    expect(model.requests).toHaveLength(0);
    moved.close().closeAllConnections();
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('reads an answer that came as %s, though none was asked for', async (coding, compressed) => {
    const delta = (choice: object) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`;
    const answer = `${delta({ delta: { content: 'Hello' } })}${delta({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`;
    let asked: string | undefined;
    const zipped = createServer((request, response) => {
      asked = request.headers['accept-encoding'];
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': coding });
      response.end(compressed(answer));
    });
    await new Promise<void>((resolve) => zipped.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(zipped.address() as AddressInfo).port}/v1`;
    const events = await collect({ provider: 'openai-compatible', name: 'm', baseUrl });
    expect([textOf(events), asked]).toEqual(['Hello', 'identity']);
    zipped.close().closeAllConnections();
  });

  it('does not wait for a retry when the run is aborted', async () => {
    model.answers.push({ error: { status: 429, message: 'wait', headers: { 'retry-after': '20' } } });
    const signal = AbortSignal.timeout(50);
    await expect(
      collect({ provider: 'openai', name: 'm', baseUrl: model.url }, signal),
    ).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });
});

describe('providers with a protocol of their own', () => {
  let server: Server;
  let events: object[];
  let seen: { url?: string | undefined; headers: NodeJS.Dict<string | string[]>; body: string };
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        seen = { url: request.url, headers: request.headers, body };
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.close().closeAllConnections();
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

  it('anthropic', async () => {
    const usage = { input_tokens: 3, output_tokens: 1 };
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'claude', content: [], usage };
    events = [
      { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Good' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' day' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 2 },
      },
      { type: 'message_stop' },
    ];
    const heard = await collect({ provider: 'anthropic', name: 'claude', baseUrl: url(), apiKey: 'a-key' });
    expect(textOf(heard)).toBe('Good day');
    expect(heard.at(-1)).toEqual({ type: 'usage', usage: { inputTokens: 3, outputTokens: 2 } });
    expect(seen).toMatchObject({ url: '/v1/messages', headers: { 'x-api-key': 'a-key' } });
    expect(JSON.parse(seen.body)).toMatchObject({
      model: 'claude',
      stream: true,
      system: [{ text: 'Be brief.' }],
    });
  });

  it('google', async () => {
    const part = (text: string) => ({
      candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0 }],
    });
    events = [
      part('Good'),
      { ...part(' day'), usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2 } },
    ];
    const heard = await collect({ provider: 'google', name: 'gemini', baseUrl: url(), apiKey: 'g-key' });
    expect(textOf(heard)).toBe('Good day');
    expect(seen.url).toBe('/v1/models/gemini:streamGenerateContent?alt=sse');
    expect(seen.headers['x-goog-api-key']).toBe('g-key');
  });
});
