import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WriteGate } from '../src/database/writes/write-gate.js';
import { ClaimService } from '../src/inspection/claims/claim.service.js';
import { RenderClosing } from '../src/pdf/render/render-closing.js';
import { ChatLocks } from '../src/prediction/run/chat-locks.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { Hold, startFakeModel } from './support/fake-model.js';
import { chatFlow, echoFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';

const photograph = join(__dirname, '..', 'samples', 'photographs', 'kitchen-1.jpg');

describe('a call whose end the database did not accept', () => {
  let service: TestApp;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());
  afterEach(() => jest.restoreAllMocks());

  const key = { 'Idempotency-Key': 'late' };
  const balance = async () => (await client.admin('GET', 'credit/default')).body.balance as number;

  it('is closed, refunded and free to be retried when the database is back', async () => {
    const flow = await client.flow(echoFlow());
    const before = await balance();
    const gate = service.app.get(WriteGate);
    const write = gate.writeTogether.bind(gate);
    let away = 0;
    jest.spyOn(gate, 'writeTogether').mockImplementation((work, item) => {
      const closes = typeof item === 'object' && item !== null && 'closing' in item;
      if (!closes || ++away > 3) return write(work, item);
      return Promise.reject(new Error('the database is away'));
    });
    const answer = await client.predict(flow, { question: 'Hi' }, key);
    expect([answer.status, answer.body.code]).toEqual([500, 'internal_error']);
    const record = await client.ended(answer.headers.get('x-execution-id')!);
    expect(record).toMatchObject({ status: 'failed', code: 'internal_error', httpStatus: 500 });
    expect(await balance()).toBe(before);
    expect((await client.predict(flow, { question: 'Hi' }, key)).status).toBe(200);
  });

  it('is refused in the log too, and its key free, if it gave up waiting for its chat meanwhile', async () => {
    const model = await startFakeModel();
    const flow = await client.flow(chatFlow(model.url));
    const held = new Hold();
    model.answers.push({ tokens: ['first'], held });
    const first = client.predict(flow, { question: 'one', chatId: 'c' });
    await eventually(() => model.requests.length === 1);
    const turns = service.app.get(ChatLocks);
    turns.patienceMs = 1_000;
    const second = client.predict(flow, { question: 'two', chatId: 'c' }, key);
    const waiting = async () =>
      (await client.admin('GET', 'executions?chatId=c&status=running')).body.data.length === 2;
    await eventually(waiting);
    const away = jest.spyOn(service.app.get(WriteGate), 'write').mockRejectedValue(new Error('away'));
    const answer = await second;
    expect([answer.status, answer.body.code]).toEqual([409, 'session_busy']);
    away.mockRestore();
    const record = await client.ended(answer.headers.get('x-execution-id')!);
    expect(record).toMatchObject({ status: 'rejected', httpStatus: 409, code: 'session_busy', credits: 0 });
    held.letGo();
    expect((await first).status).toBe(200);
    turns.patienceMs = 60_000;
    const again = () => client.predict(flow, { question: 'two', chatId: 'c' }, key);
    await eventually(async () => (await again()).status === 200);
    await model.close();
  });

  it('releases the photographs of a failed render', async () => {
    const flowId = await client.flow(echoFlow());
    const data = readFileSync(photograph).toString('base64');
    const capture = { flowId, sessionId: 's', area: 'Kitchen', photographs: [{ data }] };
    await client.send('POST', '/api/v1/inspection/capture', capture);
    const away = new Error('the database is away');
    jest.spyOn(service.app.get(RenderClosing), 'store').mockRejectedValueOnce(away);
    const release = jest.spyOn(service.app.get(ClaimService), 'release').mockRejectedValueOnce(away);
    const source = { type: 'inspection', sessionId: 's', meta: {} };
    const render = () => client.send('POST', '/api/v1/pdf/render', { templateId: 'inspection', source });
    expect((await render()).status).toBe(500);
    while (release.mock.results.length < 2 || (await render()).body.file === null)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await render()).body).toMatchObject({ reason: 'nothing_pending', previousReports: [{}] });
  });
});
