import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { startTestApp, type TestApp } from './support/app.js';
import { Hold, type FakeModel, startFakeModel } from './support/fake-model.js';
import { chatFlow } from './support/flows.js';
import { smallJpeg } from './support/recorded-photographs.js';
import { ServiceClient } from './support/service-client.js';

/**
 * A client that requests only the headers of a stream gets them and holds nothing: the next call of its connection is
 * answered.
 */
describe('a HEAD request gets only the headers of the stream of', () => {
  let service: TestApp;
  let model: FakeModel;
  let flowId: string;
  const client = new ServiceClient(() => service);
  const oneConnection = new Agent({ keepAlive: true, maxSockets: 1 });

  beforeAll(async () => {
    model = await startFakeModel();
    service = await startTestApp();
    flowId = await client.flow(chatFlow(model.url));
  });

  afterAll(async () => {
    oneConnection.destroy();
    await service.close();
    await model.close();
  });

  const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const Authorization = `Bearer ${service.adminKey}`;
    const call = request(service.url + path, {
      method,
      agent: oneConnection,
      headers: { Authorization, ...headers },
    });
    call.end();
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    return answer;
  };
  const expectHeadersOf = async (path: string, headers?: Record<string, string>) => {
    const head = await ask('HEAD', path, headers);
    expect([head.statusCode, head.headers['content-type']]).toEqual([
      200,
      expect.stringMatching(/^text\/event-stream/),
    ]);
    expect((await ask('GET', '/health/live')).statusCode).toBe(200);
  };

  it('a run, which is unaffected', async () => {
    const held = new Hold();
    model.answers.push({ tokens: ['to', ' the', ' end'], held });
    const stream = await client.stream(flowId, { question: 'Hi' });
    await stream.until(({ id }) => id !== '');
    const headers = { 'Last-Event-ID': stream.events[0]!.id };
    await expectHeadersOf(`/api/v1/prediction/${flowId}/stream`, headers);
    await expectHeadersOf(`/api/v1/flows/${flowId}/run/stream`, headers);
    held.letGo();
    await stream.done;
    expect(stream.events.at(-1)!.event).toBe('end');
  });

  it('executions', () => expectHeadersOf('/api/v1/executions/stream'));

  it('a session and of a render', async () => {
    const photographs = [{ data: (await smallJpeg()).toString('base64') }];
    await client.send('POST', '/api/v1/inspection/capture', {
      flowId,
      sessionId: 'heads',
      area: 'Hall',
      photographs,
    });
    await expectHeadersOf('/api/v1/inspection/sessions/heads/stream');
    const source = { type: 'inspection', sessionId: 'heads', meta: {} };
    const { headers } = await client.send(
      'POST',
      '/api/v1/pdf/render',
      { templateId: 'inspection', source },
      { Prefer: 'respond-async' },
    );
    await expectHeadersOf(new URL(headers.get('location')!, service.url).pathname, {
      Accept: 'text/event-stream',
    });
  });
});
