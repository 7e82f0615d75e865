import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectAnswer, noPatience, textIn } from '../../../test/support/model-events.js';
import type { ModelRequest } from './language-model.js';
import { answerMessage, askModel, resultMessage } from './model-answer.js';
import { modelOf } from './model-providers.js';

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

  it('end with an event of too many values', async () => {
    events = [{ type: 'message_start', message: Array.from({ length: 200_000 }, () => []) }];
    const settings = { provider: 'anthropic', name: 'claude', baseUrl: url(), apiKey: 'a-key' } as const;
    await expect(collectAnswer(settings)).rejects.toThrow('its answer does not end');
  });

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
    const heard = await collectAnswer({
      provider: 'anthropic',
      name: 'claude',
      baseUrl: url(),
      apiKey: 'a-key',
    });
    expect(textIn(heard)).toBe('Good day');
    expect(heard.slice(-2)).toEqual([
      { type: 'usage', usage: { inputTokens: 3, outputTokens: 2 } },
      { type: 'finish', reason: 'stop' },
    ]);
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
    const heard = await collectAnswer({
      provider: 'google',
      name: 'gemini',
      baseUrl: url(),
      apiKey: 'g-key',
    });
    expect(textIn(heard)).toBe('Good day');
    expect(seen.url).toBe('/v1/models/gemini:streamGenerateContent?alt=sse');
    expect(seen.headers['x-goog-api-key']).toBe('g-key');
  });

  const tools = [
    { name: 'weather', description: 'The weather', parameters: { type: 'object', properties: {} } },
  ];
  const ask = async (provider: 'anthropic' | 'google', request: ModelRequest) => {
    const model = modelOf({ provider, name: 'gemini', baseUrl: url(), apiKey: 'k' }, noPatience);
    return askModel(model, request, new AbortController().signal);
  };
  const question = { role: 'user' as const, content: 'Weather in Leeds?' };

  it('anthropic calls tools, and is told what they brought', async () => {
    const usage = { input_tokens: 3, output_tokens: 1 };
    const block = (index: number, id: string, ...pieces: string[]) => [
      {
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id, name: 'weather', input: {} },
      },
      ...pieces.map((partial_json) => ({
        type: 'content_block_delta',
        index,
        delta: { type: 'input_json_delta', partial_json },
      })),
      { type: 'content_block_stop', index },
    ];
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'claude', content: [], usage };
    events = [
      { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
      ...block(0, 't1', '{"city":', '"Leeds"}'),
      ...block(1, 't2', '{"city":'),
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ];
    const answer = await ask('anthropic', { messages: [question], tools });
    expect(answer).toMatchObject({
      finishReason: 'tool-calls',
      toolCalls: [
        { id: 't1', name: 'weather', arguments: { city: 'Leeds' } },
        { id: 't2', malformed: { raw: '{"city":', fault: 'its arguments are not valid JSON' } },
      ],
    });
    expect(JSON.parse(seen.body)).toMatchObject({ tools: [{ name: 'weather', description: 'The weather' }] });
    const [first, second] = answer.toolCalls;
    const results = [resultMessage(first!, 'Rain'), resultMessage(second!, 'not valid JSON', true)];
    await ask('anthropic', { messages: [question, answerMessage(answer), ...results], tools });
    expect(JSON.parse(seen.body).messages.slice(1)).toMatchObject([
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 't1', input: { city: 'Leeds' } }, { id: 't2' }],
      },
      {
        role: 'user',
        content: [
          { tool_use_id: 't1', content: 'Rain' },
          { tool_use_id: 't2', is_error: true },
        ],
      },
    ]);
  });

  it('google is given back the signature of its calls', async () => {
    const call = { functionCall: { name: 'weather', args: { city: 'Leeds' } }, thoughtSignature: 'sig' };
    events = [
      { candidates: [{ content: { role: 'model', parts: [call] }, index: 0, finishReason: 'STOP' }] },
    ];
    const answer = await ask('google', { messages: [question], tools, toolChoice: 'required' });
    expect(answer.toolCalls).toMatchObject([{ name: 'weather', arguments: { city: 'Leeds' } }]);
    const messages = [question, answerMessage(answer), resultMessage(answer.toolCalls[0]!, 'Rain')];
    await ask('google', { messages, tools });
    expect(JSON.parse(seen.body).contents[1].parts[0]).toMatchObject({
      functionCall: { name: 'weather' },
      thoughtSignature: 'sig',
    });
  });

  it('anthropic takes no recordings', async () => {
    const attachments = [{ type: 'audio' as const, mime: 'audio/wav', content: Buffer.from('RIFF') }];
    const asked = ask('anthropic', { messages: [{ ...question, attachments }] });
    await expect(asked).rejects.toMatchObject({ fault: 'unsupported' });
  });
});
