import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { defaultModel, type FakeModel, Hold, startFakeModel } from './support/fake-model.js';
import { ServiceClient } from './support/service-client.js';

/** A resumed agent run neither pays nor acts twice (contract section 11). */
describe('an agent whose call is retried under its key', () => {
  let service: TestApp;
  let model: FakeModel;
  let target: Server;
  let host: string;
  let flowId: string;
  let paid: (string | undefined)[];
  let holds: ServerResponse[] | undefined;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    model = await startFakeModel();
    target = createServer((request, response) => {
      paid.push(request.headers['idempotency-key'] as string | undefined);
      if (holds) holds.push(response);
      else response.setHeader('content-type', 'application/json').end('{"paid":true}');
    }).listen(0, '127.0.0.1');
    await once(target, 'listening');
    host = `127.0.0.1:${(target.address() as AddressInfo).port}`;
    service = await startTestApp({
      env: {
        OUTBOUND_ALLOW: host,
        STREAM_GRACE_SECONDS: '0',
        ...defaultModel(model),
      },
    });
    const pay = { tool: 'http', name: 'pay', method: 'POST', url: `http://${host}/pay` };
    flowId = await client.flow({
      name: 'Paying',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'agent', kind: 'agent', config: { tools: [pay] } },
      ],
      edges: [{ from: 'start', to: 'agent' }],
    });
  });
  afterAll(async () => {
    await service.close();
    await model.close();
    target.close().closeAllConnections();
  });
  beforeEach(() => {
    paid = [];
    holds = undefined;
    model.requests.length = 0;
  });

  /** Hangs up once `there` holds, waits until the run has ended, and retries the call. */
  const leaveAndComeBack = async (there: () => boolean, between: () => void) => {
    const [chatId, key] = [randomUUID(), randomUUID()];
    const leaving = new AbortController();
    const call = fetch(`${service.url}/api/v1/prediction/${flowId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ question: 'Pay', chatId }),
      signal: leaving.signal,
    }).catch(() => undefined);
    await eventually(there);
    leaving.abort();
    await call;
    await eventually(async () => {
      const { body } = await client.admin('GET', `executions?chatId=${chatId}`);
      return (body.data as { status: string }[]).every(({ status }) => status !== 'running');
    });
    between();
    return client.predict(flowId, { question: 'Pay', chatId }, { 'idempotency-key': key });
  };

  it('reuses stored answers and calls, and requests only the rest', async () => {
    const held = new Hold();
    model.answers.push({ toolCalls: [{ name: 'pay', arguments: '{}' }] }, { tokens: ['late'], held });
    const again = await leaveAndComeBack(
      () => model.requests.length === 2,
      () => held.letGo(),
    );
    expect(again.body).toMatchObject({ text: 'Hello there', usage: { credits: 0 } });
    expect(again.body.warnings).toEqual([expect.objectContaining({ code: 'effect_kept' })]);
    expect(paid).toEqual([expect.any(String)]);
    // One question of the first round, which is not repeated, and two of the second.
    expect(model.requests).toHaveLength(3);
    const roles = model.requests.map(({ body }) => (body.messages as { role: string }[]).at(-1)!.role);
    expect(roles).toEqual(['user', 'tool', 'tool']);
  });

  it('fails with effect_unknown if the outcome of a call that must not be repeated is lost', async () => {
    holds = [];
    model.answers.push({ toolCalls: [{ name: 'pay', arguments: '{}' }] });
    const again = await leaveAndComeBack(
      () => paid.length === 1,
      () => {
        for (const response of holds!) response.destroy();
        holds = undefined;
      },
    );
    expect(again.status).toBe(500);
    const record = await client.ended(again.body.executionId as string);
    expect(record).toMatchObject({ status: 'failed', code: 'effect_unknown' });
    expect(paid).toHaveLength(1);
    expect(model.requests).toHaveLength(1);
  });
});
