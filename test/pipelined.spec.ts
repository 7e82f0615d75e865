import { connect, type Socket } from 'node:net';
import { RunningCalls } from '../src/executions/calls/running-calls.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { type FakeModel, Hold, startFakeModel } from './support/fake-model.js';
import { chatFlow, echoFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';

describe('pipelined calls behind another one', () => {
  let service: TestApp;
  let model: FakeModel;
  let slow: string;
  let echo: string;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    service = await startTestApp({ env: { MAX_IN_FLIGHT: '40', STREAM_GRACE_SECONDS: '1' } });
    model = await startFakeModel();
    slow = await client.flow(chatFlow(model.url));
    echo = await client.flow(echoFlow());
  });

  afterAll(async () => {
    await service.close();
    await model.close();
  });

  const post = (path: string, body: string) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const inFlight = async () =>
    Number(/^http_requests_in_flight (\d+)/m.exec((await client.send('GET', '/metrics')).text)![1]);

  /** Sends these calls behind a held one, and breaks the connection once all have arrived. */
  async function breakOff(calls: readonly string[]): Promise<void> {
    const held = new Hold();
    model.answers.push({ tokens: ['late'], held });
    const { hostname, port } = new URL(service.url);
    const socket: Socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(post(`/api/v1/prediction/${slow}`, JSON.stringify({ question: 'q' })) + calls.join(''));
    await eventually(async () => (await inFlight()) === calls.length + 2);
    socket.resetAndDestroy();
    await eventually(async () => (await inFlight()) === 1);
    held.letGo();
    await eventually(() => service.app.get(RunningCalls).count === 0);
  }

  it('are no longer counted when it breaks', async () => {
    for (let round = 0; round < 4; round++)
      await breakOff(Array.from({ length: 15 }, () => get(`/api/v1/chatflows-streaming/${echo}`)));
    expect((await client.predict(echo, { question: 'still' })).status).toBe(200);
  });

  it('release the budget of their bodies when it breaks', async () => {
    const body = JSON.stringify({ question: 'x', filler: 'y'.repeat(15 * 1024 * 1024) });
    model.otherwise = () => ({ tokens: ['never'], held: new Hold() });
    for (let round = 0; round < 20; round++) await breakOff([post(`/api/v1/prediction/${slow}`, body)]);
    expect((await client.predict(echo, { question: 'q'.repeat(1024 * 1024) })).status).toBe(200);
  });

  it('are answered in order if it lasts', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    let answers = '';
    socket.on('data', (chunk: Buffer) => (answers += chunk.toString()));
    const ask = (question: string) => post(`/api/v1/prediction/${echo}`, JSON.stringify({ question }));
    socket.write(ask('one') + ask('two') + get('/health/live'));
    await eventually(() => answers.includes('"live"'));
    expect(answers.match(/"text":"[^"]*"/g)).toHaveLength(2);
    expect(answers.indexOf('one')).toBeLessThan(answers.indexOf('two'));
    socket.destroy();
    await eventually(async () => (await inFlight()) === 1);
  });
});
