import { WriteGate } from '../src/database/writes/write-gate.js';
import { IdempotentAnswers } from '../src/executions/calls/idempotency.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { Hold } from './support/fake-model.js';
import { echoFlow } from './support/flows.js';
import { smallJpeg } from './support/recorded-photographs.js';
import { type Answer, ServiceClient } from './support/service-client.js';

/** The client is gone when the record of its call is opened. */
describe('a caller who hangs up before its call has a record', () => {
  let service: TestApp;
  let flow: string;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    service = await startTestApp();
    await client.admin('POST', 'credit/default/top-ups', { amount: 100, reference: 'tests' });
    flow = await client.flow(echoFlow());
  });

  afterAll(() => service.close());

  /** The call for this figure counts too. */
  const inFlight = async () =>
    Number(/^http_requests_in_flight (\d+)/m.exec((await client.send('GET', '/metrics')).text)![1]);

  /** Makes a call while nobody can write, and hangs up; then the gate opens. */
  async function leaveEarly(path: string, body: object, headers: Record<string, string>): Promise<void> {
    const held = new Hold();
    const gate = service.app.get(WriteGate);
    const busy = gate.write(() => held.over);
    const claimed = jest.spyOn(service.app.get(IdempotentAnswers), 'claimKey');
    const leaving = new AbortController();
    const call = fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    await eventually(() => claimed.mock.calls.length === 1);
    claimed.mockRestore();
    leaving.abort();
    await expect(call).rejects.toThrow();
    await eventually(async () => (await inFlight()) === 1);
    held.letGo();
    await busy;
  }

  const recordsOf = async (chatId: string) => {
    const { body } = await client.admin('GET', `executions?chatId=${chatId}`);
    return body.data as { id: string; status: string }[];
  };

  /** Returns the first answer to the same call other than 409 `idempotency_key_in_use`. */
  async function again(call: () => Promise<Answer>): Promise<Answer> {
    let answer = await call();
    await eventually(async () => (answer = await call()).status !== 409);
    return answer;
  }

  it('has its run nevertheless, which holds neither its chat nor its key afterwards', async () => {
    const headers = { 'idempotency-key': 'left' };
    const body = { question: 'Hi', chatId: 'left' };
    await leaveEarly(`/api/v1/prediction/${flow}`, body, headers);
    const answer = await again(() => client.predict(flow, body, headers));
    expect([answer.status, answer.headers.get('idempotent-replay')]).toEqual([200, 'true']);
    expect((await client.predict(flow, { question: 'next', chatId: 'left' })).status).toBe(200);
    const first = (await recordsOf('left')).at(-1)!;
    expect(await client.ended(first.id)).toMatchObject({ status: 'succeeded', credits: 1 });
  });

  it('has its photographs recorded, once', async () => {
    const headers = { 'idempotency-key': 'left' };
    const body = {
      ...{ flowId: flow, sessionId: 'left-s', area: 'Kitchen' },
      photographs: [{ data: (await smallJpeg()).toString('base64'), mime: 'image/jpeg' }],
    };
    await leaveEarly('/api/v1/inspection/capture', body, headers);
    const answer = await again(() => client.send('POST', '/api/v1/inspection/capture', body, headers));
    expect([answer.status, answer.headers.get('idempotent-replay')]).toEqual([200, 'true']);
    expect(answer.body.session.pending).toBe(1);
    const ran = (await recordsOf('left-s')).filter(({ status }) => status !== 'rejected');
    expect(ran.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  });
});
