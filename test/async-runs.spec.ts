import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { deserialize, serialize } from 'node:v8';
import { Webhook } from 'standardwebhooks';
import { FREE_BYTES, reserveToRead, STORED_BUDGET_BYTES } from '../src/common/bodies/body-budget.js';
import { DatabaseAway } from '../src/database/away.js';
import { DatabaseReader } from '../src/database/database-reader.js';
import { RunningCalls } from '../src/executions/calls/running-calls.js';
import { Takeover } from '../src/executions/calls/takeover.js';
import { Recovery } from '../src/executions/upkeep/recovery.js';
import { ChatMemory } from '../src/prediction/memory/chat-memory.js';
import { BlobStore } from '../src/storage/blob-store.js';
import type { DiskStore } from '../src/storage/disk-store.js';
import { startTestApp, type TestApp } from './support/app.js';
import { CallbackReceiver } from './support/callback-receiver.js';
import { eventually } from './support/eventually.js';
import { type FakeModel, Hold, startFakeModel } from './support/fake-model.js';
import { chatFlow, echoFlow } from './support/flows.js';
import { smallJpeg } from './support/recorded-photographs.js';
import { type Answer, ServiceClient } from './support/service-client.js';
import { takenOver } from './support/taken-over.js';

const ASYNC = { prefer: 'respond-async' };

/** Async runs (contract section 3). */
describe('an async run', () => {
  let service: TestApp;
  let model: FakeModel;
  const receiver = new CallbackReceiver();
  const client = new ServiceClient(() => service);
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  let credentialId: string;
  const env = () => ({ MAX_ASYNC_RUNS: '20', OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}` });

  beforeAll(async () => {
    await receiver.listen();
    model = await startFakeModel();
    service = await startTestApp({
      env: env(),
    });
    const credential = { name: 'Callbacks', kind: 'webhook', data: { secret } };
    credentialId = (await client.admin('POST', 'credentials', credential)).body.id as string;
  });

  beforeEach(() => {
    receiver.got.length = 0;
    receiver.answers = [];
  });

  afterAll(async () => {
    await service.close();
    await model.close();
    receiver.close();
  });

  const accepted = async (flowId: string, body: object, headers: object = {}): Promise<Answer> => {
    const answer = await client.predict(flowId, body, { ...ASYNC, ...headers });
    expect([answer.status, answer.text]).toEqual([202, expect.stringContaining('"running"')]);
    return answer;
  };
  const status = (answer: Answer) => client.send('GET', answer.headers.get('location')!);
  const ended = async (answer: Answer) => {
    await eventually(async () => (await status(answer)).body.status !== 'running');
    return (await status(answer)).body;
  };
  const balance = async () => (await client.admin('GET', 'credit/default')).body.balance as number;

  it('is answered 202 at once, charged, and returned at its address in the JSON form', async () => {
    const flowId = await client.flow(echoFlow({ price: 3 }));
    const before = await balance();
    const answer = await accepted(flowId, { question: 'Later', chatId: 'async-1' });
    const { executionId } = answer.body;
    expect(answer.headers.get('x-execution-id')).toBe(executionId);
    expect(answer.headers.get('location')).toMatch(/^\/api\/v1\/prediction\/[^/]+\/runs\/[\w-]{22}$/);
    expect(await ended(answer)).toMatchObject({
      status: 'succeeded',
      answer: { text: 'You said: Later', chatId: 'async-1', executionId, usage: { credits: 3 } },
    });
    expect(await balance()).toBe(before - 3);
    expect(await client.ended(executionId)).toMatchObject({
      status: 'succeeded',
      httpStatus: 200,
      credits: 3,
    });
  });

  it('reports a failure as the problem, and refunds the price', async () => {
    const flowId = await client.flow(chatFlow('http://127.0.0.1:9/v1'));
    const before = await balance();
    const result = await ended(await accepted(flowId, { question: 'Fail' }));
    expect(result).toMatchObject({ status: 'failed', error: { status: 500, code: 'flow_failed' } });
    expect(await balance()).toBe(before);
  });

  it('passes the checks before it is accepted', async () => {
    const flowId = await client.flow(echoFlow({ account: 'poor' }));
    expect((await client.predict(flowId, { question: 'x' }, ASYNC)).status).toBe(402);
    expect((await client.predict(flowId, {}, ASYNC)).status).toBe(400);
    expect((await client.predict('nothing-here', { question: 'x' }, ASYNC)).status).toBe(404);
  });

  it('is read by its execution id with a key alone, and through no other flow', async () => {
    const flowId = await client.flow(echoFlow());
    const answer = await accepted(flowId, { question: 'x' });
    await ended(answer);
    const byId = `/api/v1/prediction/${flowId}/runs/${answer.body.executionId}`;
    expect((await client.send('GET', byId)).status).toBe(404);
    const asAdmin = await client.send('GET', byId, undefined, {
      authorization: `Bearer ${service.adminKey}`,
    });
    expect(asAdmin.body.status).toBe('succeeded');
    const other = await client.flow(echoFlow());
    const elsewhere = answer.headers.get('location')!.replace(flowId, other);
    expect((await client.send('GET', elsewhere)).status).toBe(404);
  });

  it('waits for the lock of its chat, however long that takes', async () => {
    const flowId = await client.flow(chatFlow(model.url));
    const held = new Hold();
    model.answers.push({ tokens: ['first'], held }, { tokens: ['second'] });
    const first = client.predict(flowId, { question: '1', chatId: 'async-turn' });
    await eventually(() => model.answers.length === 1);
    const second = await accepted(flowId, { question: '2', chatId: 'async-turn' });
    expect((await status(second)).body.status).toBe('running');
    held.letGo();
    expect((await first).body.text).toBe('first');
    expect((await ended(second)).answer.text).toBe('second');
  });

  const storedCalls = async (): Promise<number> => {
    const blocked: string[] = [];
    for await (const { key } of service.app.get(BlobStore).blobs())
      if (key.startsWith('runs/')) blocked.push(key);
    return blocked.length;
  };

  const onlyStoredCall = async (text: string): Promise<string> => {
    const blobs = service.app.get<BlobStore, DiskStore>(BlobStore);
    for await (const { key } of blobs.blobs())
      if (key.startsWith('runs/') && (await blobs.read(key)).includes(text)) return blobs.pathOf(key);
    throw new Error('no stored call has this text');
  };

  it('is limited in number, and can be cancelled by an admin', async () => {
    const flowId = await client.flow(chatFlow(model.url));
    const held = new Hold();
    model.answers.push({ tokens: ['held'], held });
    const first = await accepted(flowId, { question: 'held', chatId: 'async-many' });
    const waiting = await Promise.all(
      [1, 2, 3, 4].map((n) => accepted(flowId, { question: `${n}`, chatId: 'async-many' })),
    );
    const refused = await client.predict(flowId, { question: '6', chatId: 'async-many' }, ASYNC);
    expect([refused.status, refused.body.code]).toEqual([429, 'quota_exceeded']);
    expect(refused.headers.get('retry-after')).toBe('5');
    await eventually(async () => (await storedCalls()) === 5);
    for (const { body } of [...waiting, first])
      await client.admin('POST', `executions/${body.executionId}/cancel`);
    for (const answer of [first, ...waiting])
      expect(await ended(answer)).toMatchObject({ status: 'aborted', error: { code: 'aborted' } });
    held.letGo();
  });

  it('returns the same address again under the same key, and runs once', async () => {
    const flowId = await client.flow(echoFlow());
    const body = { question: 'once', chatId: 'async-key' };
    const first = await accepted(flowId, body, { 'idempotency-key': 'async-key' });
    await ended(first);
    const again = await accepted(flowId, body, { 'idempotency-key': 'async-key' });
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect([again.headers.get('location'), again.body]).toEqual([first.headers.get('location'), first.body]);
  });

  it('has its body in the store alone while it waits, whichever process runs it', async () => {
    const flowId = await client.flow(chatFlow(model.url));
    const held = new Hold();
    model.answers.push({ tokens: ['first'], held }, { tokens: ['second'] });
    const first = await accepted(flowId, { question: '1', chatId: 'async-body' });
    const second = await accepted(flowId, { question: 'before', chatId: 'async-body' });
    const path = await onlyStoredCall('before');
    // Only the store has the call while the one before it runs.
    const stored = deserialize(await readFile(path)) as { body: { question: string } };
    await writeFile(path, serialize({ ...stored, body: { ...stored.body, question: 'out of the store' } }));
    held.letGo();
    await ended(first);
    expect((await ended(second)).answer).toMatchObject({ text: 'second', question: 'out of the store' });
  });

  it('waits until the memory budget allows its body', async () => {
    const flowId = await client.flow(echoFlow());
    const letGo = await reserveToRead(STORED_BUDGET_BYTES + FREE_BYTES, AbortSignal.timeout(60_000));
    const small = await accepted(flowId, { question: 'small', chatId: 'async-small' });
    expect(await ended(small)).toMatchObject({ status: 'succeeded' });
    const large = await accepted(flowId, { question: 'x'.repeat(2 * FREE_BYTES), chatId: 'async-large' });
    const stopped = await accepted(flowId, { question: 'x'.repeat(2 * FREE_BYTES), chatId: 'async-stopped' });
    await client.admin('POST', `executions/${stopped.body.executionId}/cancel`);
    expect(await ended(stopped)).toMatchObject({ status: 'aborted' });
    expect((await status(large)).body.status).toBe('running');
    letGo();
    expect(await ended(large)).toMatchObject({ status: 'succeeded' });
    const again = await reserveToRead(STORED_BUDGET_BYTES + FREE_BYTES, AbortSignal.timeout(5_000));
    again();
  });

  it('resumes if the database is away when it reads the state of its chat', async () => {
    const flowId = await client.flow({
      name: 'Stateful',
      nodes: [
        { id: 'start', kind: 'start', config: { state: { last: '' } } },
        { id: 'reply', kind: 'reply', config: { message: 'Noted{{$flow.state.last}}' } },
      ],
      edges: [{ from: 'start', to: 'reply' }],
    });
    jest.spyOn(service.app.get(ChatMemory), 'state').mockRejectedValueOnce(new DatabaseAway(undefined));
    const run = await accepted(flowId, { question: 'x', chatId: 'async-state' });
    expect(await ended(run)).toMatchObject({ status: 'succeeded', answer: { text: 'Noted' } });
    jest.restoreAllMocks();
  });

  it('retains its photographs until it has run', async () => {
    const nodes = [
      { id: 'start', kind: 'start' },
      { id: 'capture', kind: 'capture', config: { area: 'Hall' } },
    ];
    const flowId = await client.flow({ name: 'C', nodes, edges: [{ from: 'start', to: 'capture' }] });
    const data = `data:image/jpeg;base64,${(await smallJpeg()).toString('base64')}`;
    const uploads = [{ type: 'file', name: 'a.jpg', mime: 'image/jpeg', data }];
    const result = await ended(await accepted(flowId, { question: 'x', chatId: 'async-photo', uploads }));
    expect(JSON.parse(result.answer.text).recorded).toHaveLength(1);
  });

  describe('with a callback', () => {
    const url = () => `http://127.0.0.1:${receiver.port}/hook`;
    const flow = (more: object = {}) =>
      client.flow(echoFlow({ webhookCredentialId: credentialId, callbackHosts: ['127.0.0.1'], ...more }));

    /** Waits until this many attempts have failed and are noted. */
    const tried = (count: number) =>
      eventually(async () => {
        const sql = `SELECT 1 FROM callbacks WHERE state = 'queued' AND attempts = ?`;
        return (await service.app.get(DatabaseReader).one(sql, [count])) !== undefined;
      });

    it('signs it by Standard Webhooks; its JSON equals that of its address', async () => {
      const answer = await accepted(await flow(), { question: 'x', callbackUrl: url() });
      await eventually(() => receiver.got.length === 1);
      const [{ headers, body }] = receiver.got as [{ headers: IncomingHttpHeaders; body: string }];
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(
        await ended(answer),
      );
      expect(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)).toThrow();
    });

    it('sends it until it is accepted, under the same id, and follows no redirect', async () => {
      receiver.answers = [500, 302];
      await accepted(await flow(), { question: 'x', callbackUrl: url() });
      await tried(1);
      service.clock.advance(6_000);
      await tried(2);
      service.clock.advance(31_000);
      await eventually(() => receiver.got.length === 3);
      expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    });

    it('is not delayed by targets that do not answer', async () => {
      const slow = `http://127.0.0.1:${receiver.port}/held`;
      for (const _ of [1, 2, 3]) await accepted(await flow(), { question: 'x', callbackUrl: slow });
      await eventually(() => receiver.held.length === 3);
      await accepted(await flow(), { question: 'x', callbackUrl: url() });
      await eventually(() => receiver.got.length === 1);
      for (const response of receiver.held.splice(0)) response.end();
    });

    it('stops sending it after a 410', async () => {
      receiver.answers = [410];
      const answer = await accepted(await flow(), { question: 'x', callbackUrl: url() });
      await eventually(() => receiver.got.length === 1);
      const { executionId } = answer.body;
      const sql = 'SELECT state FROM callbacks WHERE execution_id = ?';
      const state = async () =>
        (await service.app.get(DatabaseReader).one<{ state: string }>(sql, [executionId]))!.state;
      await eventually(async () => (await state()) !== 'sending');
      expect([await state(), receiver.got.length]).toEqual(['failed', 1]);
    });

    it.each([
      ['a call that waits', {}, url, {}],
      ['a host that nobody allowed', { callbackHosts: ['example.com'] }, url, ASYNC],
      ['a flow without a credential to sign with', { webhookCredentialId: undefined }, url, ASYNC],
      ['an invalid address', {}, () => 'javascript:alert(1)', ASYNC],
    ])('is refused for %s', async (_, more, callbackUrl, headers) => {
      const flowId = await flow(more);
      const answer = await client.predict(flowId, { question: 'x', callbackUrl: callbackUrl() }, headers);
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'callbackUrl' }] } });
    });

    it('is refused before the Idempotency-Key of the call is looked up', async () => {
      const flowId = await flow();
      const keyed = { 'idempotency-key': 'async-callback-order' };
      await client.predict(flowId, { question: 'first' }, keyed);
      for (const headers of [{}, ASYNC]) {
        const body = { question: 'second', callbackUrl: 'https://elsewhere.example' };
        const answer = await client.predict(flowId, body, { ...keyed, ...headers });
        expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
        expect(answer.body.executionId).toBe(answer.headers.get('x-execution-id'));
      }
    });

    it('calls no private address that OUTBOUND_ALLOW does not name', async () => {
      const flowId = await flow({ callbackHosts: ['localhost'] });
      const callbackUrl = `http://localhost:${receiver.port}/hook`;
      await ended(await accepted(flowId, { question: 'x', callbackUrl }));
      await accepted(await flow(), { question: 'x', callbackUrl: url() });
      await eventually(() => receiver.got.length === 1);
      expect(receiver.got[0]!.headers.host).toBe(`127.0.0.1:${receiver.port}`);
    });

    it('requires a flow with a credential that signs', async () => {
      const key = { name: 'k', kind: 'api-key', data: { apiKey: randomUUID() } };
      const wrong = (await client.admin('POST', 'credentials', key)).body.id as string;
      const refused = await client.admin('POST', 'flows', echoFlow({ webhookCredentialId: wrong }));
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'webhookCredentialId' }] } });
    });
  });

  it('is handed over by a service that shuts down, and resumed by the next', async () => {
    const flowId = await client.flow(chatFlow(model.url));
    const held = new Hold();
    model.answers.push({ tokens: ['never', ' told'], held });
    const answer = await accepted(flowId, { question: 'x', chatId: 'async-stop' });
    await eventually(() => model.answers.length === 0);
    model.answers.push({ tokens: ['after all'] });
    await service.close({ keep: true });
    held.letGo();
    service = await startTestApp({ place: service.place, env: env() });
    expect(await ended(answer)).toMatchObject({ status: 'succeeded', answer: { text: 'after all' } });
    const record = await client.ended(answer.body.executionId as string);
    expect(record).toMatchObject({ status: 'succeeded', credits: 1, attempt: expect.any(Number) });
    expect(record.attempt).toBeGreaterThan(1);
  });

  it('resumes after a takeover with the effects of earlier calls under its key', async () => {
    const chat = chatFlow(model.url);
    const post = { method: 'POST', url: `http://127.0.0.1:${receiver.port}/once` };
    const flowId = await client.flow({
      ...chat,
      nodes: [...chat.nodes, { id: 'post', kind: 'http', config: post }],
      edges: [
        { from: 'start', to: 'post' },
        { from: 'post', to: 'llm' },
      ],
    });
    const [cut, handedOver] = [new Hold(), new Hold()];
    const never = (held: Hold) => ({ tokens: ['never', ' told'], held });
    model.answers.push(never(cut), never(handedOver));
    const key = { 'idempotency-key': 'async-journal' };
    const body = { question: 'x', chatId: 'async-journal' };
    const restarted = async (held: Hold) => {
      await service.close({ keep: true });
      held.letGo();
      service = await startTestApp({ place: service.place, env: env() });
    };
    const first = client.predict(flowId, body, key);
    await eventually(() => model.answers.length === 1);
    await restarted(cut);
    expect((await first).status).toBe(503);
    const answer = await accepted(flowId, body, key);
    await eventually(() => model.answers.length === 0);
    model.answers.push({ tokens: ['after all'] });
    await restarted(handedOver);
    expect(await ended(answer)).toMatchObject({ status: 'succeeded' });
    expect(receiver.got).toHaveLength(1);
  });

  it('ends and is refunded if its flow is deleted before it resumes', async () => {
    const flowId = await client.flow(chatFlow(model.url));
    const held = new Hold();
    model.answers.push({ tokens: ['never told'], held });
    const answer = await accepted(flowId, { question: 'x', chatId: 'async-gone' });
    const id = answer.body.executionId as string;
    await eventually(() => model.answers.length === 0);
    await client.admin('DELETE', `flows/${flowId}`);
    await service.close({ keep: true });
    held.letGo();
    service = await startTestApp({ place: service.place, env: env() });
    expect(await client.ended(id)).toMatchObject({ status: 'aborted', code: 'flow_deleted', refunded: 1 });
    await eventually(async () => (await storedCalls()) === 0);
  });

  it('is ended and refunded when its flow is deleted while it waits for its chat', async () => {
    const flowId = await client.flow(chatFlow(model.url));
    const held = new Hold();
    model.answers.push({ tokens: ['goes on'], held });
    const running = await accepted(flowId, { question: 'held', chatId: 'async-deleted' });
    await eventually(() => model.answers.length === 0);
    const queued = [
      await accepted(flowId, { question: '1', chatId: 'async-deleted' }),
      await accepted(flowId, { question: '2', chatId: 'async-deleted' }),
    ];
    await client.admin('DELETE', `flows/${flowId}`);
    for (const answer of queued) {
      expect(await ended(answer)).toMatchObject({ status: 'aborted', error: { code: 'flow_deleted' } });
      const record = await client.ended(answer.body.executionId as string);
      expect(record).toMatchObject({ status: 'aborted', code: 'flow_deleted', credits: 0, refunded: 1 });
    }
    await eventually(async () => (await storedCalls()) === 1);
    held.letGo();
    expect(await ended(running)).toMatchObject({ status: 'succeeded', answer: { text: 'goes on' } });
    const miss = await client.send('GET', `/api/v1/prediction/${flowId}/runs/${'x'.repeat(22)}`);
    expect([miss.status, miss.body.code]).toEqual([404, 'flow_not_found']);
    await eventually(async () => (await storedCalls()) === 0);
  });

  describe('whose processes die', () => {
    const one = <Row>(sql: string, values: string[]) => service.app.get(DatabaseReader).one<Row>(sql, values);

    /** Simulates a killed process. */
    const killed = async (id: string, nth: number): Promise<void> => {
      const context = service.app.get(RunningCalls).find(id);
      await takenOver(service, id, `999:gone-${nth}`);
      context?.cancel('interrupted');
    };
    const taken = async (flowId: string, chatId: string, body: object = {}) => {
      const held = [0, 1, 2, 3].map(() => new Hold());
      model.answers.push(...held.map((hold) => ({ tokens: ['never', ' told'], held: hold })));
      const answer = await accepted(flowId, { question: 'x', chatId, ...body });
      await eventually(() => model.answers.length === 3);
      return { answer, id: answer.body.executionId as string, held };
    };
    const letGo = (held: readonly Hold[]) => {
      model.answers.length = 0;
      for (const hold of held) hold.letGo();
    };

    it('ends after the third death, is refunded, and reports it', async () => {
      const callbackUrl = `http://127.0.0.1:${receiver.port}/hook`;
      const callbacks = { webhookCredentialId: credentialId, callbackHosts: ['127.0.0.1'] };
      const flowId = await client.flow({ ...chatFlow(model.url), ...callbacks });
      const { answer, id, held } = await taken(flowId, 'deaths', { callbackUrl });
      for (const nth of [1, 2]) {
        await killed(id, nth);
        // Each attempt calls the model once more.
        await eventually(() => model.answers.length === 3 - nth);
        expect((await status(answer)).body.status).toBe('running');
      }
      await killed(id, 3);
      const end = await ended(answer);
      expect(end).toMatchObject({
        status: 'failed',
        error: { message: expect.stringMatching(/^3 processes died/) },
      });
      expect(model.answers).toHaveLength(1);
      letGo(held);
      expect(await client.ended(id)).toMatchObject({ status: 'failed', code: 'processes_died', refunded: 1 });
      await eventually(() => receiver.got.length === 1);
      expect(JSON.parse(receiver.got[0]!.body)).toEqual(end);
    });

    it('is not ended by handovers, nor by deaths while it waits for its chat', async () => {
      const flowId = await client.flow(chatFlow(model.url));
      const { answer, id, held } = await taken(flowId, 'no-deaths');
      for (let nth = 1; nth <= 3; nth++) {
        const attempt = async () =>
          Number(
            (await one<{ attempt: number }>('SELECT attempt FROM executions WHERE id = ?', [id]))!.attempt,
          );
        const before = await attempt();
        const context = service.app.get(RunningCalls).find(id)!;
        await service.app.get(Takeover).handOver(context);
        await eventually(async () => {
          await service.app.get(Recovery).recover();
          return (await attempt()) === before + 2;
        });
        context.cancel('interrupted');
        await eventually(() => model.answers.length === 3 - nth);
      }
      const next = await accepted(flowId, { question: 'y', chatId: 'no-deaths' });
      for (const nth of [1, 2, 3]) await killed(next.body.executionId as string, nth);
      expect((await status(next)).body.status).toBe('running');
      expect((await status(answer)).body.status).toBe('running');
      for (const { body } of [next, answer])
        await client.admin('POST', `executions/${body.executionId}/cancel`);
      letGo(held);
    });
  });
});
