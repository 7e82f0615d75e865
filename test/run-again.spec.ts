import { randomUUID } from 'node:crypto';
import { Overloaded } from '../src/common/service-error.js';
import { DatabaseAway } from '../src/database/away.js';
import { WriteGate } from '../src/database/writes/write-gate.js';
import { RunRemains } from '../src/prediction/run/run-remains.js';
import { BlobStore } from '../src/storage/blob-store.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { defaultModel, type FakeModel, startFakeModel } from './support/fake-model.js';
import { type HeldTarget, startHeldTarget } from './support/held-target.js';
import { smallJpeg } from './support/recorded-photographs.js';
import { ServiceClient } from './support/service-client.js';

interface Node {
  id: string;
  kind: string;
  config?: object;
}

/** A run that the service failed, not its flow, leaves no answer to replay: a retry under its key resumes it. */
describe('a run that the service could not finish', () => {
  let service: TestApp;
  let model: FakeModel;
  let target: HeldTarget;
  let uploads: object[];
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    target = await startHeldTarget();
    model = await startFakeModel();
    service = await startTestApp({ env: { OUTBOUND_ALLOW: target.host, ...defaultModel(model) } });
    const data = `data:image/jpeg;base64,${(await smallJpeg()).toString('base64')}`;
    uploads = [{ type: 'file', name: 'a.jpg', mime: 'image/jpeg', data }];
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await service.close();
    await model.close();
    target.close();
  });

  const inTurn = (...nodes: Node[]) => {
    const all = [{ id: 'start', kind: 'start' }, ...nodes];
    const edges = all.slice(1).map(({ id }, index) => ({ from: all[index]!.id, to: id }));
    return client.flow({ name: 'Again', nodes: all, edges, price: 1 });
  };
  const book = (path: string): Node => ({
    ...{ id: path.slice(1), kind: 'http' },
    config: { method: 'POST', url: `http://${target.host}${path}` },
  });
  const requestsTo = (path: string) => target.asked.filter(({ url }) => url === path);
  const capture: Node = { id: 'capture', kind: 'capture', config: { area: 'Hall' } };
  const reply: Node = { id: 'reply', kind: 'reply', config: { message: 'done' } };
  const balance = async () => (await client.admin('GET', 'credit/default')).body.balance as number;
  const pending = async (chatId: string) =>
    (await client.admin('GET', `inspection/sessions/${chatId}`)).body.pending as number;
  const storeIsFull = () =>
    jest.spyOn(service.app.get(BlobStore), 'keep').mockRejectedValue(new Overloaded('No room.', 60));

  /** Fails the call while something is unavailable, and retries it when it is back: done once, charged once. */
  const failsThenGoesOn = async (flowId: string, path: string, away: () => { mockRestore(): void }) => {
    const body = { question: 'Both', chatId: randomUUID(), uploads };
    const key = { 'idempotency-key': body.chatId };
    const before = await balance();
    const broken = away();
    const failed = await client.predict(flowId, body, key);
    broken.mockRestore();
    expect(await balance()).toBe(before);
    expect(await pending(body.chatId).catch(() => 0)).toBeFalsy();
    const again = await client.predict(flowId, body, key);
    expect([again.status, again.body.text]).toEqual([200, 'done']);
    expect(requestsTo(path)).toHaveLength(1);
    expect(await balance()).toBe(before - 1);
    expect(await pending(body.chatId)).toBe(1);
    const first = failed.headers.get('x-execution-id')!;
    expect(await client.ended(again.body.executionId as string)).toMatchObject({ retryOf: first });
    return { failed, record: await client.ended(first) };
  };

  it('returns 503, its chat and Retry-After, and resumes: a request is not sent twice', async () => {
    const flowId = await inTurn(book('/full'), capture, reply);
    const { failed, record } = await failsThenGoesOn(flowId, '/full', storeIsFull);
    expect([failed.status, failed.body.code]).toEqual([503, 'overloaded']);
    expect(failed.headers.get('retry-after')).toBe('60');
    expect(failed.body.message).toContain('Idempotency-Key');
    expect(record).toMatchObject({ status: 'failed', code: 'overloaded', failedNode: { id: 'capture' } });
  });

  it('within a called flow, too', async () => {
    const inner = await inTurn(book('/inner'), capture, reply);
    const run = { flowId: inner, question: '{{question}}', chat: 'same' };
    const flowId = await inTurn({ id: 'run', kind: 'execute-flow', config: run }, reply);
    const { failed, record } = await failsThenGoesOn(flowId, '/inner', storeIsFull);
    expect([failed.status, failed.body.code]).toEqual([503, 'overloaded']);
    expect(record).toMatchObject({ failedNode: { id: 'run' } });
  });

  it('with a tool of an agent, whose model does not get a failure of the tool', async () => {
    const agent: Node = { id: 'agent', kind: 'agent', config: { tools: [{ tool: 'capture' }] } };
    const flowId = await inTurn(book('/tool'), agent);
    const call = { id: 'a', name: 'capture', arguments: '{"area":"Hall"}' };
    model.answers.push({ toolCalls: [call] }, { tokens: ['done'] });
    const { failed } = await failsThenGoesOn(flowId, '/tool', storeIsFull);
    expect([failed.status, failed.body.code]).toEqual([503, 'overloaded']);
    expect(model.requests).toHaveLength(2);
  });

  it('stays in the chat that the service had named for it: a report has the photographs captured before', async () => {
    const flowId = await inTurn(capture, { id: 'report', kind: 'render', config: {} }, reply);
    const key = { 'idempotency-key': randomUUID() };
    const store = service.app.get(BlobStore);
    const keep = store.keep.bind(store);
    let count = 0;
    const broken = jest
      .spyOn(store, 'keep')
      .mockImplementation((...blob) =>
        count++ === 0 ? keep(...blob) : Promise.reject(new Overloaded('No room.', 60)),
      );
    const failed = await client.predict(flowId, { question: 'Report', uploads }, key);
    expect([failed.status, failed.body.code]).toEqual([503, 'overloaded']);
    broken.mockRestore();
    const again = await client.predict(flowId, { question: 'Report', uploads }, key);
    expect([again.status, again.body.text]).toEqual([200, 'done']);
    const first = await client.ended(failed.headers.get('x-execution-id')!);
    const { chatId, sessionId } = again.body as { chatId: string; sessionId: string };
    expect([chatId, sessionId]).toEqual([first.chatId, first.chatId]);
    const reports = await client.admin('GET', `pdf/reports?sessionId=${sessionId}`);
    expect(reports.body.data).toHaveLength(1);
    expect(await pending(sessionId)).toBe(0);
  });

  it('and waits for the lock of that chat: the next message there waits behind it', async () => {
    const flowId = await inTurn(capture, book('/turn'), reply);
    const key = { 'idempotency-key': randomUUID() };
    const broken = storeIsFull();
    const failed = await client.predict(flowId, { question: 'Turn', uploads }, key);
    broken.mockRestore();
    const { chatId } = await client.ended(failed.headers.get('x-execution-id')!);
    target.holds = true;
    const again = client.predict(flowId, { question: 'Turn', uploads }, key);
    await eventually(() => requestsTo('/turn').length === 1);
    const next = client.predict(flowId, { question: 'Next', chatId, uploads });
    const records = async () =>
      (await client.admin('GET', `executions?chatId=${chatId}&status=running`)).body.data as object[];
    await eventually(async () => (await records()).length === 2);
    // A waiting run has not been charged.
    const credits = [expect.objectContaining({ credits: 0 }), expect.objectContaining({ credits: 1 })];
    expect(await records()).toEqual(expect.arrayContaining(credits));
    expect(requestsTo('/turn')).toHaveLength(1);
    await client.send('PUT', `/api/v1/chatmessage/abort/${flowId}/${chatId as string}`);
    expect([(await again).status, (await next).status]).toEqual([499, 499]);
    target.holds = false;
  });

  it('because its database was unreachable', async () => {
    const flowId = await inTurn(book('/database'), capture, reply);
    const write = service.app.get(WriteGate);
    const { failed } = await failsThenGoesOn(flowId, '/database', () => {
      const real = write.write.bind(write);
      return jest
        .spyOn(write, 'write')
        .mockImplementation((work, keys) =>
          requestsTo('/database').length > 0 ? Promise.reject(new DatabaseAway(undefined)) : real(work, keys),
        );
    });
    expect([failed.status, failed.body.code]).toEqual([503, 'overloaded']);
  });

  it('need not fail if its database is back in time for the note that a request was answered', async () => {
    const flowId = await inTurn(book('/noted'), reply);
    const gate = service.app.get(WriteGate);
    const write = gate.writeTogether.bind(gate);
    let away = 0;
    jest.spyOn(gate, 'writeTogether').mockImplementation((work, item) => {
      const notes = typeof item === 'object' && item !== null && 'sql' in item;
      const isAnswered = notes && requestsTo('/noted').length > 0 && ++away <= 2;
      return isAnswered ? Promise.reject(new DatabaseAway(undefined)) : write(work, item);
    });
    const body = { question: 'Hi', chatId: randomUUID() };
    expect((await client.predict(flowId, body, { 'idempotency-key': body.chatId })).status).toBe(200);
    expect([requestsTo('/noted').length, away]).toEqual([1, expect.any(Number)]);
    expect(away).toBeGreaterThan(2);
  });

  it('because its end could not be written for a fault of the service', async () => {
    const flowId = await inTurn(book('/end'), reply);
    const body = { question: 'Hi', chatId: randomUUID() };
    const key = { 'idempotency-key': body.chatId };
    jest.spyOn(service.app.get(RunRemains), 'store').mockRejectedValueOnce(new Error('a fault'));
    const failed = await client.predict(flowId, body, key);
    expect([failed.status, failed.body.code]).toEqual([500, 'internal_error']);
    expect((await client.predict(flowId, body, key)).status).toBe(200);
    expect(requestsTo('/end')).toHaveLength(1);
  });

  it('is not resumed once its user cancelled the resumed run: the next under its key is another, and paid', async () => {
    const flowId = await inTurn(book('/stopped'), capture, book('/held'), reply);
    const body = { question: 'Both', chatId: randomUUID(), uploads };
    const key = { 'idempotency-key': body.chatId };
    const before = await balance();
    const broken = storeIsFull();
    expect((await client.predict(flowId, body, key)).status).toBe(503);
    broken.mockRestore();
    target.holds = true;
    const second = client.predict(flowId, body, key);
    await eventually(() => requestsTo('/held').length === 1);
    await client.send('PUT', `/api/v1/chatmessage/abort/${flowId}/${body.chatId}`);
    expect((await second).status).toBe(499);
    target.holds = false;
    const third = await client.predict(flowId, body, key);
    expect([third.status, third.body.usage]).toEqual([200, { credits: 1 }]);
    expect((await client.ended(third.body.executionId as string)).retryOf).toBeUndefined();
    expect(requestsTo('/stopped')).toHaveLength(2);
    expect(await balance()).toBe(before - 2);
  });

  it('does not promise to resume if its call has no key', async () => {
    const flowId = await inTurn(capture, reply);
    storeIsFull();
    const failed = await client.predict(flowId, { question: 'Hi', chatId: randomUUID(), uploads });
    expect([failed.status, failed.body.code]).toEqual([503, 'overloaded']);
    expect(failed.body.message).not.toContain('Idempotency-Key');
  });

  it('resumes by itself if its click has begun a run of its own, whose end every click gets', async () => {
    const ask: Node = { id: 'ask', kind: 'human-input', config: { message: 'Go on?' } };
    const all = [{ id: 'start', kind: 'start' }, ask, capture, reply];
    const edges = [
      { from: 'start', to: 'ask' },
      { from: 'ask', to: 'capture', on: '0' },
      { from: 'capture', to: 'reply' },
    ];
    const flowId = await client.flow({ name: 'Asks', nodes: all, edges });
    const chatId = randomUUID();
    const waiting = await client.predict(flowId, { question: 'Hi', chatId, uploads });
    const startNodeId = waiting.body.action.data.nodeId as string;
    const click = { chatId, humanInput: { type: 'proceed', startNodeId } };
    storeIsFull();
    const clicked = () => client.predict(flowId, click, { 'idempotency-key': chatId });
    const failed = await clicked();
    expect([failed.status, failed.body.code]).toEqual([503, 'overloaded']);
    expect(failed.body.message).toContain('resumes by itself');
    jest.restoreAllMocks();
    await eventually(async () => (await clicked()).status === 200);
    expect([(await clicked()).body.text, await pending(chatId)]).toEqual(['done', 1]);
  });

  describe('and is async', () => {
    const accept = async (flowId: string) => {
      const body = { question: 'Both', chatId: randomUUID(), uploads };
      const { headers, body: accepted } = await client.predict(flowId, body, { prefer: 'respond-async' });
      const state = async () => (await client.send('GET', headers.get('location')!)).body;
      const id = accepted.executionId as string;
      const attempt = async () => (await client.admin('GET', `executions/${id}`)).body.attempt as number;
      return { chatId: body.chatId, id, state, attempt };
    };

    it('resumes by itself when the store is back: done once, paid once', async () => {
      const flowId = await inTurn(book('/later'), capture, reply);
      const before = await balance();
      storeIsFull();
      const { chatId, id, state, attempt } = await accept(flowId);
      await eventually(async () => (await attempt()) > 2);
      expect(await state()).toEqual({ status: 'running' });
      jest.restoreAllMocks();
      await eventually(async () => (await state()).status === 'succeeded');
      expect([requestsTo('/later').length, await pending(chatId), await balance()]).toEqual([
        1,
        1,
        before - 1,
      ]);
      expect(await client.ended(id)).toMatchObject({ status: 'succeeded', credits: 1 });
    });

    it('remembers then a request whose answer could not be noted', async () => {
      const flowId = await inTurn(book('/unnoted'), reply);
      const gate = service.app.get(WriteGate);
      const write = gate.writeTogether.bind(gate);
      jest.spyOn(gate, 'writeTogether').mockImplementation((work, item) => {
        const notes = typeof item === 'object' && item !== null && 'sql' in item;
        const isAnswered = notes && requestsTo('/unnoted').length > 0;
        return isAnswered ? Promise.reject(new DatabaseAway(undefined)) : write(work, item);
      });
      const { state, attempt } = await accept(flowId);
      await eventually(async () => (await attempt()) > 1);
      jest.restoreAllMocks();
      await eventually(async () => (await state()).status === 'succeeded');
      expect(requestsTo('/unnoted')).toHaveLength(1);
    });

    it('is cancelled by an admin while it waits for the store, and ends after many attempts', async () => {
      const flowId = await inTurn(capture, reply);
      storeIsFull();
      const stopped = await accept(flowId);
      await eventually(async () => (await stopped.attempt()) > 1);
      await client.admin('POST', `executions/${stopped.id}/cancel`);
      await eventually(async () => (await stopped.state()).status === 'aborted');
      const before = await balance();
      const tired = await accept(flowId);
      await service.app
        .get(WriteGate)
        .write((tx) => tx.run(`UPDATE executions SET attempt = attempt + 100 WHERE id = ?`, [tired.id]));
      await service.app
        .get(WriteGate)
        .write((tx) => tx.run(`UPDATE executions SET process_id = '' WHERE id = ?`, [tired.id]));
      await eventually(async () => (await tired.state()).status === 'failed');
      expect((await tired.state()).error).toMatchObject({ status: 503, code: 'overloaded' });
      expect(await balance()).toBe(before);
    });
  });

  it('but whose flow failed stores that failure', async () => {
    const flowId = await inTurn({
      id: 'bad',
      kind: 'http',
      config: { method: 'GET', url: 'http://127.0.0.1:9/' },
    });
    const body = { question: 'Hi', chatId: randomUUID() };
    const key = { 'idempotency-key': body.chatId };
    const failed = await client.predict(flowId, body, key);
    expect([failed.status, failed.body.code]).toEqual([500, 'flow_failed']);
    const again = await client.predict(flowId, body, key);
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([500, 'true']);
  });
});
