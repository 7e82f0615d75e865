import { FlowiseClient } from 'flowise-sdk';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startTestApp, type TestApp } from './support/app.js';
import { type FakeModel, startFakeModel } from './support/fake-model.js';
import { chatFlow, echoFlow, replyFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';

const photograph = readFileSync(join(resolve(__dirname, '..'), 'samples', 'photographs', 'kitchen-1.jpg'));

interface StreamEvent {
  event: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  data: any;
}

/** npm `flowise-sdk`, unmodified, on real sockets (contract section 7). */
describe('the published SDK', () => {
  let service: TestApp;
  let model: FakeModel;
  const client = new ServiceClient(() => service);
  const sdk = (apiKey?: string) =>
    new FlowiseClient({ baseUrl: service.url, ...(apiKey === undefined ? {} : { apiKey }) });

  beforeAll(async () => {
    model = await startFakeModel();
    service = await startTestApp();
  });
  afterAll(async () => {
    await service.close();
    await model.close();
  });

  /** Collects all events of a streamed answer. */
  async function streamed(chatflowId: string, more: object = {}, apiKey?: string): Promise<StreamEvent[]> {
    const data = { chatflowId, question: 'Hi', ...more, streaming: true as const };
    const events: StreamEvent[] = [];
    for await (const event of await sdk(apiKey).createPrediction(data)) events.push(event);
    return events;
  }
  const ask = (chatflowId: string, more: object = {}, apiKey?: string) =>
    sdk(apiKey).createPrediction({ chatflowId, question: 'Hi', ...more }) as Promise<Record<string, unknown>>;
  const named = (events: StreamEvent[], name: string) =>
    events.filter(({ event }) => event === name).map(({ data }) => data);

  it('reads an answer as JSON', async () => {
    const flow = await client.flow(echoFlow());
    expect(await ask(flow, { chatId: 'one' })).toMatchObject({ text: 'You said: Hi', chatId: 'one' });
  });

  it('reads a stream, token by token, to its end', async () => {
    model.answers.push({ tokens: ['Good', ' day', ' \n\ndata: x ', '🙂'] });
    const events = await streamed(await client.flow(chatFlow(model.url)), { chatId: 'two' });
    expect(named(events, 'token')).toEqual(['Good', ' day', ' \n\ndata: x ', '🙂']);
    expect(named(events, 'agentFlowEvent')).toEqual(['INPROGRESS', 'FINISHED']);
    expect(named(events, 'metadata')).toMatchObject([{ chatId: 'two', question: 'Hi' }]);
    expect(events.at(-1)).toEqual({ event: 'end', data: '[DONE]' });
  });

  it('continues a chat, with the variables of the call', async () => {
    const flow = await client.flow(
      replyFlow('{{$vars.greeting}}, {{question}}, after {{chat_history}}', {
        vars: { greeting: { value: 'Hello' } },
      }),
    );
    const overrideConfig = { sessionId: 'three', vars: { greeting: 'Moin' } };
    await ask(flow, { overrideConfig });
    const { text } = await ask(flow, { overrideConfig, question: 'again' });
    expect(text).toMatch(/^Moin, again, after [^]*Hi/);
  });

  it('gets JSON if a flow does not stream, whatever it requested', async () => {
    const flow = await client.flow({
      ...echoFlow(),
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'note', kind: 'set-state', config: { state: { said: '{{question}}' } } },
      ],
      edges: [{ from: 'start', to: 'note' }],
    });
    expect(await ask(flow, { streaming: true })).toMatchObject({ text: '', question: 'Hi' });
  });

  it('sends its key', async () => {
    const { id, key } = (await client.admin('POST', 'api-keys', { name: 'sdk' })).body;
    const flow = await client.flow(echoFlow({ access: { apiKeyId: id } }));
    expect(await ask(flow, {}, key)).toMatchObject({ text: 'You said: Hi' });
    expect(named(await streamed(flow, {}, key), 'token').join('')).toBe('You said: Hi');
  });

  it('sends pictures and documents', async () => {
    const flow = await client.flow(
      replyFlow('{{uploads.0.name}} {{uploads.0.size}}, {{uploads.1.name}}: {{file_attachment}}'),
    );
    const data = `data:image/jpeg;base64,${photograph.toString('base64')}`;
    const uploads = [
      { type: 'file', name: 'kitchen.jpg', mime: 'image/jpeg', data },
      { type: 'file:full', name: 'letter.txt', mime: 'text/plain', data: 'Dear tenant' },
    ];
    const { text } = await ask(flow, { uploads });
    expect(text).toBe(
      `kitchen.jpg ${photograph.length}, letter.txt: <doc name='letter.txt'>Dear tenant</doc>`,
    );
  });

  describe('and a refused call', () => {
    const exhausted = async () => {
      const rateLimit = { limit: 1, windowSeconds: 3600, message: 'Come back tomorrow.' };
      const flow = await client.flow(echoFlow({ access: { rateLimit } }));
      await client.predict(flow, { question: 'first' });
      return flow;
    };
    const keyed = async () => {
      const { id } = (await client.admin('POST', 'api-keys', { name: 'other' })).body;
      return client.flow(echoFlow({ access: { apiKeyId: id } }));
    };

    it.each([
      [401, 'invalid_api_key', keyed],
      [402, 'insufficient_credit', () => client.flow(echoFlow({ account: 'empty' }))],
      [
        403,
        'domain_not_allowed',
        () => client.flow(echoFlow({ access: { allowedDomains: ['shop.example'] } })),
      ],
      [429, 'rate_limited', exhausted],
    ])('reports its status %d, and its code without a stream', async (status, code, refusing) => {
      // A page in a browser sends its own origin.
      const { fetch } = globalThis;
      const fromPage = jest.spyOn(globalThis, 'fetch').mockImplementation((to, given) => {
        const headers = {
          ...(given?.headers as Record<string, string>),
          origin: 'https://elsewhere.example',
        };
        return fetch(to, { ...given, headers });
      });
      try {
        const flow = await refusing();
        const { message, ...problem } = await ask(flow);
        expect(problem).toMatchObject({ status, code });
        expect(message).toEqual(expect.any(String));
        await expect(streamed(flow)).rejects.toThrow(`HTTP error! status: ${status}`);
      } finally {
        fromPage.mockRestore();
      }
    });

    it('gets JSON for an unknown flow, although it requested a stream', async () => {
      expect(await ask('no-such-flow', { streaming: true })).toMatchObject({ code: 'flow_not_found' });
    });

    it('gets the failure of its flow in the open stream', async () => {
      const failing = { error: { status: 400, message: 'the model is on holiday' } };
      const flow = await client.flow(chatFlow(model.url));
      model.answers.push(failing);
      expect(await ask(flow)).toMatchObject({ status: 500, code: 'flow_failed' });
      model.answers.push(failing);
      const events = await streamed(flow);
      expect(named(events, 'error')).toEqual([expect.stringContaining('The flow failed')]);
      expect(named(events, 'agentFlowEvent')).toEqual(['INPROGRESS', 'ERROR']);
      expect(events.at(-1)).toEqual({ event: 'end', data: '[DONE]' });
    });
  });
});
