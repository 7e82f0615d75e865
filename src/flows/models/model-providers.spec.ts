import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type FakeModel, startFakeModel } from '../../../test/support/fake-model.js';
import { collectAnswer, textIn } from '../../../test/support/model-events.js';
import { MODEL_PROVIDER_IDS, MODEL_PROVIDERS } from '../../api/model-provider-terms.js';

describe('providers that speak the OpenAI protocol', () => {
  let model: FakeModel;
  beforeAll(async () => {
    model = await startFakeModel();
  });
  afterAll(() => model.close());
  beforeEach(() => {
    model.requests.length = 0;
  });

  const speakers = MODEL_PROVIDER_IDS.filter((id) => MODEL_PROVIDERS[id].protocol === undefined);

  it.each(speakers)('%s', async (provider) => {
    const settings = { name: 'm', baseUrl: model.url, apiKey: 'k', temperature: 0.5, maxTokens: 9 };
    const events = await collectAnswer({ provider, ...settings });
    expect(textIn(events)).toBe('Hello there');
    expect(events.slice(-2)).toEqual([
      { type: 'usage', usage: { inputTokens: 7, outputTokens: 2 } },
      { type: 'finish', reason: 'stop' },
    ]);
    expect(model.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      authorization: 'Bearer k',
      body: { model: 'm', temperature: 0.5, max_tokens: 9, stream: true },
    });
  });

  it('takes no key from the environment where none is set', async () => {
    await collectAnswer({ provider: 'openai', name: 'm', baseUrl: model.url });
    expect(model.requests[0]!.authorization).toBeUndefined();
  });

  it('gives up after two retries', async () => {
    model.answers.push(...[1, 2, 3, 4].map(() => ({ error: { status: 500, message: 'down' } })));
    const asked = collectAnswer({ provider: 'openai', name: 'm', baseUrl: model.url });
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
    expect(textIn(await collectAnswer({ provider: 'openai', name: 'm', baseUrl }))).toBe('Hello there');
    expect(connections).toBe(3);
    moved.close().closeAllConnections();
    await expect(collectAnswer({ provider: 'openai', name: 'm', baseUrl })).rejects.toThrow(/ECONNREFUSED/);
  });

  it('takes a key to no other host than the one that was named', async () => {
    const moved = createServer((_request, response) => {
      response.writeHead(307, { location: `${model.url.replace('127.0.0.1', 'localhost')}/messages` }).end();
    });
    await new Promise<void>((resolve) => moved.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(moved.address() as AddressInfo).port}/v1`;
    const asked = collectAnswer({ provider: 'anthropic', name: 'm', baseUrl, apiKey: 'k' });
    await expect(asked).rejects.toThrow(/redirects to http:\/\/localhost:\d+: set that address/);
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
    const events = await collectAnswer({ provider: 'openai-compatible', name: 'm', baseUrl });
    expect([textIn(events), asked]).toEqual(['Hello', 'identity']);
    zipped.close().closeAllConnections();
  });

  it('does not wait for a retry when the run is aborted', async () => {
    model.answers.push({ error: { status: 429, message: 'wait', headers: { 'retry-after': '20' } } });
    const signal = AbortSignal.timeout(50);
    await expect(
      collectAnswer({ provider: 'openai', name: 'm', baseUrl: model.url }, signal),
    ).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });
});
