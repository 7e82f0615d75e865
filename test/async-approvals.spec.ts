import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { STORED_BUDGET_BYTES } from '../src/common/bodies/body-budget.js';
import { Overloaded, ServiceError } from '../src/common/service-error.js';
import { DatabaseReader } from '../src/database/database-reader.js';
import type { Tx } from '../src/database/tx.js';
import { WriteGate } from '../src/database/writes/write-gate.js';
import { ApprovalUpkeep } from '../src/executions/approvals/approval-upkeep.js';
import { WaitingRuns } from '../src/executions/approvals/waiting-runs.js';
import { FirstCalls } from '../src/prediction/run/first-calls.js';
import { BlobStore } from '../src/storage/blob-store.js';
import { startTestApp, type TestApp } from './support/app.js';
import { CallbackReceiver } from './support/callback-receiver.js';
import { eventually } from './support/eventually.js';
import { type FakeModel, Hold, startFakeModel } from './support/fake-model.js';
import { chatFlow } from './support/flows.js';
import { type Answer, ServiceClient } from './support/service-client.js';
import { takenOver } from './support/taken-over.js';

const ASYNC = { prefer: 'respond-async' };

/** Async runs that wait for approval (contract sections 3 and 11). */
describe('an async run that waits for approval', () => {
  let service: TestApp;
  let model: FakeModel;
  let webhookCredentialId: string;
  const receiver = new CallbackReceiver();
  const client = new ServiceClient(() => service);
  let chats = 0;

  beforeAll(async () => {
    await receiver.listen();
    model = await startFakeModel();
    service = await startTestApp({ env: { OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}` } });
    await client.admin('POST', 'credit/default/top-ups', { amount: 1_000, reference: 'tests' });
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const credential = { name: 'Callbacks', kind: 'webhook', data: { secret } };
    webhookCredentialId = (await client.admin('POST', 'credentials', credential)).body.id as string;
  });

  beforeEach(() => {
    receiver.got.length = 0;
  });

  afterAll(async () => {
    await service.close();
    await model.close();
    receiver.close();
  });

  const callbacks = (more: object) => ({ ...more, webhookCredentialId, callbackHosts: ['127.0.0.1'] });
  /** start → ask → llm */
  const approval = () => {
    const { nodes, ...flow } = chatFlow(model.url);
    return client.flow(
      callbacks({
        ...flow,
        nodes: [...nodes, { id: 'ask', kind: 'human-input', config: { message: 'Order?' } }],
        edges: [
          { from: 'start', to: 'ask' },
          { from: 'ask', to: 'llm', on: '0' },
        ],
      }),
    );
  };
  const send = async (flowId: string, more: object = {}): Promise<Answer> => {
    const callbackUrl = `http://127.0.0.1:${receiver.port}/hook`;
    const body = { question: 'x', chatId: `waits-${++chats}`, callbackUrl, ...more };
    const answer = await client.predict(flowId, body, ASYNC);
    expect(answer.status).toBe(202);
    return answer;
  };
  const state = async (answer: Answer) => (await client.send('GET', answer.headers.get('location')!)).body;
  const received = () => receiver.got.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  /** start → llm → ask */
  const askingLast = () => {
    const { nodes, edges, ...flow } = chatFlow(model.url);
    const ask = { id: 'ask', kind: 'human-input', config: { message: 'Order?' } };
    return client.flow(
      callbacks({ ...flow, nodes: [...nodes, ask], edges: [...edges, { from: 'llm', to: 'ask' }] }),
    );
  };
  const one = <Row>(sql: string, values: string[]) => service.app.get(DatabaseReader).one<Row>(sql, values);

  /** Returns an async run that waits and has reported so by a callback. */
  const waiting = async (flowId: string) => {
    const answer = await send(flowId);
    await eventually(() => receiver.got.length === 1);
    const now = await state(answer);
    expect(now).toMatchObject({ status: 'waiting', answer: { text: 'Order?' } });
    const { chatId, action } = now.answer;
    return { answer, chatId: chatId as string, stop: action.data.nodeId as string };
  };

  it('reports by its address and a callback that the approval expired', async () => {
    const { answer } = await waiting(await approval());
    service.clock.advance(8 * 24 * 3_600_000);
    await service.app.get(ApprovalUpkeep).round();
    await eventually(() => receiver.got.length === 2);
    const end = await state(answer);
    expect(end).toMatchObject({ status: 'failed', error: { status: 410, code: 'approval_expired' } });
    expect(end).not.toHaveProperty('answer');
    expect(received()[1]).toEqual(end);
  });

  it('waits although the store was away when it was about to ask', async () => {
    const away = new Overloaded('The file storage is not available.', 1);
    jest.spyOn(service.app.get(FirstCalls), 'put').mockRejectedValueOnce(away);
    await waiting(await approval());
    jest.restoreAllMocks();
  });

  it('resumes although its call and that of the click are larger than the memory budget together', async () => {
    const flowId = await approval();
    const { chatId, stop } = await waiting(flowId);
    jest.spyOn(service.app.get(BlobStore), 'size').mockResolvedValue(STORED_BUDGET_BYTES);
    model.answers.push({ tokens: ['bought'] });
    const humanInput = { type: 'proceed', startNodeId: stop };
    const click = client.predict(flowId, { chatId, humanInput });
    const answer = await Promise.race([click, pause(15_000)]);
    jest.restoreAllMocks();
    if (answer === undefined) await client.send('PUT', `/api/v1/chatmessage/abort/${flowId}/${chatId}`);
    expect(answer?.body.text).toBe('bought');
    await eventually(() => receiver.got.length === 2);
  });

  it('reports by its address and a callback that an admin cancelled it', async () => {
    const { answer } = await waiting(await approval());
    const id = answer.body.executionId as string;
    await client.admin('POST', `executions/${id}/cancel`);
    const end = await state(answer);
    expect(end).toMatchObject({
      status: 'aborted',
      error: { status: 499, code: 'aborted', executionId: id },
    });
    expect(end).not.toHaveProperty('answer');
    await client.admin('POST', `executions/${id}/cancel`);
    await eventually(() => receiver.got.length === 2);
    expect(received()[1]).toEqual(end);
    expect(await client.ended(id)).toMatchObject({ status: 'aborted', code: 'cancelled', credits: 1 });
  });

  describe('whose flow is deleted', () => {
    const deleted = expect.objectContaining({ status: 500, code: 'flow_deleted' });
    const storedStop = (id: string) =>
      one<{ snapshot: string | null; requestKey: string | null }>(
        'SELECT snapshot, request_key AS "requestKey" FROM run_stops WHERE execution_id = ?',
        [id],
      );

    it('ends, is refunded, reports it and deletes its stored input', async () => {
      const [flowId, other] = [await approval(), await approval()];
      const { answer } = await waiting(flowId);
      const id = answer.body.executionId as string;
      const elsewhere = await client.predict(other, { question: 'x', chatId: 'elsewhere' });
      const { requestKey } = (await storedStop(id))!;
      expect((await client.admin('DELETE', `flows/${flowId}`)).status).toBe(204);
      await eventually(() => receiver.got.length === 2);
      expect(received()[1]).toEqual({ status: 'failed', error: deleted });
      const record = await client.ended(id);
      expect(record).toMatchObject({ status: 'failed', code: 'flow_deleted', refunded: 1, credits: 0 });
      expect(record.approvals).toEqual([expect.objectContaining({ decision: 'flow_deleted' })]);
      await eventually(async () => (await storedStop(id))?.requestKey === null);
      expect(await storedStop(id)).toEqual({ snapshot: null, requestKey: null });
      expect(await service.app.get(BlobStore).exists(requestKey!)).toBe(false);
      expect((await client.ended(elsewhere.body.executionId as string)).status).toBe('waiting');
    });

    it('ends before another flow is created under its id', async () => {
      const flowId = await approval();
      const { answer, chatId, stop } = await waiting(flowId);
      const {
        version: _,
        draft: _draft,
        ...definition
      } = (await client.admin('GET', `flows/${flowId}`)).body;
      // Simulates a process that dies once it has committed the deletion.
      await service.app.get(WriteGate).write(async (tx) => {
        await tx.run('DELETE FROM flows WHERE id = ?', [flowId]);
        await tx.run('DELETE FROM flow_versions WHERE flow_id = ?', [flowId]);
      });
      expect((await client.admin('POST', 'flows', definition)).status).toBe(200);
      const humanInput = { type: 'proceed', startNodeId: stop };
      const click = await client.predict(flowId, { chatId, humanInput });
      expect(click.body).toMatchObject({ code: 'already_decided', decided: { type: 'flow_deleted' } });
      const id = answer.body.executionId as string;
      expect(await client.ended(id)).toMatchObject({ status: 'failed', code: 'flow_deleted', refunded: 1 });
    });

    it('ends at a click if it began to wait once another flow had its id', async () => {
      const flowId = await askingLast();
      const { body: definition } = await client.admin('GET', `flows/${flowId}`);
      const later = { ...definition, notes: [{ text: 'Later', position: { x: 0, y: 0 } }] };
      await client.admin('PUT', `flows/${flowId}`, later);
      const held = new Hold();
      model.answers.push({ tokens: ['late'], held });
      const answer = await send(flowId);
      await eventually(() => model.answers.length === 0);
      await client.admin('DELETE', `flows/${flowId}`);
      await client.admin('POST', 'flows', definition);
      held.letGo();
      await eventually(() => receiver.got.length === 1);
      const { chatId, action } = (await state(answer)).answer;
      const humanInput = { type: 'proceed', startNodeId: action.data.nodeId };
      const click = await client.predict(flowId, { chatId, humanInput });
      expect(click.body).toMatchObject({ code: 'already_decided', decided: { type: 'flow_deleted' } });
      const id = answer.body.executionId as string;
      expect(await client.ended(id)).toMatchObject({ status: 'failed', code: 'flow_deleted', refunded: 1 });
    });

    it('ends too if it begins to wait only after that', async () => {
      const flowId = await askingLast();
      const held = new Hold();
      model.answers.push({ tokens: ['late'], held });
      const answer = await send(flowId);
      await eventually(() => model.answers.length === 0);
      await client.admin('DELETE', `flows/${flowId}`);
      await service.app.get(ApprovalUpkeep).round();
      held.letGo();
      const id = answer.body.executionId as string;
      await eventually(async () => (await storedStop(id)) !== undefined);
      await service.app.get(ApprovalUpkeep).round();
      expect(await client.ended(id)).toMatchObject({ code: 'flow_deleted', refunded: 1 });
      await eventually(() => receiver.got.length === 2);
    });

    it('resumes if a click came first', async () => {
      const flowId = await approval();
      const { answer, chatId, stop } = await waiting(flowId);
      const held = new Hold();
      model.answers.push({ tokens: ['bought'], held });
      const humanInput = { type: 'proceed', startNodeId: stop };
      const click = client.predict(flowId, { chatId, humanInput });
      await eventually(() => model.answers.length === 0);
      await client.admin('DELETE', `flows/${flowId}`);
      const id = answer.body.executionId as string;
      const end = (tx: Tx) =>
        service.app.get(WaitingRuns).end(tx, id, 'flow_deleted', new ServiceError('flow_deleted', 'x'));
      expect(await service.app.get(WriteGate).write(end)).toBe(false);
      held.letGo();
      expect((await click).body.text).toBe('bought');
      expect(await client.ended(id)).toMatchObject({ status: 'succeeded', credits: 1 });
      await eventually(() => receiver.got.length === 2);
    });
  });

  describe('that the same click has already decided', () => {
    const saying = (chatId: string, stop: string, type = 'proceed') => ({
      chatId,
      humanInput: { type, startNodeId: stop },
    });
    const asked = async (flowId: string) => {
      const chatId = `same-${++chats}`;
      const first = await client.predict(flowId, { question: 'x', chatId });
      return { chatId, stop: first.body.action.data.nodeId as string };
    };
    const path = (answer: Answer) => answer.headers.get('location')!;

    it('returns the 202 with the same address again, under a new record', async () => {
      const flowId = await approval();
      const { chatId, stop } = await asked(flowId);
      const first = await client.predict(flowId, saying(chatId, stop), ASYNC);
      const again = await client.predict(flowId, saying(chatId, stop), ASYNC);
      expect([again.status, again.text, path(again)]).toEqual([202, first.text, path(first)]);
      expect(again.headers.get('idempotent-replay')).toBe('true');
      await eventually(async () => (await state(first)).status === 'succeeded');
      const late = await client.predict(flowId, saying(chatId, stop), ASYNC);
      expect([late.status, late.text, path(late)]).toEqual([202, first.text, path(first)]);
      const id = late.headers.get('x-execution-id')!;
      await eventually(async () => (await client.admin('GET', `executions/${id}`)).status === 200);
      const record = await client.ended(id);
      expect(record).toMatchObject({ replayOf: first.body.executionId, status: 'succeeded' });
      const other = await client.predict(flowId, saying(chatId, stop, 'reject'), ASYNC);
      expect([other.status, other.body.code]).toEqual([409, 'already_decided']);
    });

    it('returns the address of the run whose click came first', async () => {
      const flowId = await approval();
      const { chatId, stop } = await asked(flowId);
      const first = await client.predict(flowId, saying(chatId, stop));
      const again = await client.predict(flowId, saying(chatId, stop), ASYNC);
      expect([again.status, again.body.executionId]).toEqual([202, first.body.executionId]);
      expect(await state(again)).toEqual({ status: 'succeeded', answer: first.body });
      const guessed = path(again).replace(/[^/]+$/, first.body.executionId as string);
      expect((await client.send('GET', guessed)).status).toBe(404);
    });

    it('reports a run that could not begin, under the key of the click too', async () => {
      const flowId = await approval();
      const { chatId, stop } = await asked(flowId);
      const read = jest
        .spyOn(service.app.get(BlobStore), 'read')
        .mockRejectedValueOnce(new Overloaded('The store is away.', 1));
      const click = () =>
        client.predict(flowId, saying(chatId, stop), { 'idempotency-key': `click-${chatId}` });
      const first = await click();
      read.mockRestore();
      expect([first.status, first.body.code]).toEqual([503, 'overloaded']);
      expect(first.body.detail).toContain('The answer was accepted.');
      await eventually(async () => (await click()).status === 200);
      const id = first.headers.get('x-execution-id')!;
      expect(await client.ended(id)).toMatchObject({ status: 'succeeded' });
    });

    it('reports a failure without the reason that only an admin may see', async () => {
      const { nodes, ...flow } = chatFlow('http://127.0.0.1:1');
      const ask = { id: 'ask', kind: 'human-input', config: { message: 'Order?' } };
      const edges = [
        { from: 'start', to: 'ask' },
        { from: 'ask', to: 'llm', on: '0' },
      ];
      const flowId = await client.flow({ ...flow, nodes: [...nodes, ask], edges });
      const { chatId, stop } = await asked(flowId);
      const byAdmin = await client.admin('POST', `flows/${flowId}/run`, saying(chatId, stop));
      expect(byAdmin.body).toMatchObject({ code: 'flow_failed', failedNode: { id: 'llm' } });
      const again = await client.predict(flowId, saying(chatId, stop), ASYNC);
      const received = (await state(again)).error;
      expect(received).toMatchObject({
        code: 'flow_failed',
        detail: expect.stringContaining('Its owner finds'),
      });
      expect(received).not.toHaveProperty('failedNode');
      const admin = { authorization: `Bearer ${service.adminKey}` };
      const whole = (await client.send('GET', path(again), undefined, admin)).body.error;
      expect(whole).toMatchObject({ failedNode: { id: 'llm' } });
    });

    it('returns the answer itself if its address can no longer be returned', async () => {
      const before = await startTestApp();
      let there = before;
      const talk = new ServiceClient(() => there);
      const ask = { id: 'ask', kind: 'human-input', config: { message: 'Order?' } };
      const nodes = [{ id: 'start', kind: 'start' }, ask];
      const flowId = await talk.flow({ name: 'Ask', nodes, edges: [{ from: 'start', to: 'ask' }] });
      const first = await talk.predict(flowId, { question: 'x', chatId: 'moved' });
      const body = saying('moved', first.body.action.data.nodeId as string);
      const decided = await talk.predict(flowId, body);
      await before.close({ keep: true });
      there = await startTestApp({
        place: before.place,
        env: { LINK_SECRET: 'another-secret-of-the-links-of-this-test' },
      });
      const again = await talk.predict(flowId, body, ASYNC);
      expect([again.status, again.text]).toEqual([200, decided.text]);
      await there.close();
    });

    it('refuses a forbidden callbackUrl, and calls only the first one', async () => {
      const flowId = await approval();
      const { chatId, stop } = await asked(flowId);
      const hook = (port: number, name: string) => ({ callbackUrl: `http://127.0.0.1:${port}/${name}` });
      const send = (more: object) => client.predict(flowId, { ...saying(chatId, stop), ...more }, ASYNC);
      const first = await send(hook(receiver.port, 'first'));
      const refused = await send({ callbackUrl: 'https://elsewhere.example/hook' });
      expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'callbackUrl']);
      const again = await send(hook(receiver.port, 'second'));
      expect([again.status, path(again)]).toEqual([202, path(first)]);
      await eventually(async () => (await state(first)).status === 'succeeded');
      const queued = await one<{ count: number }>(
        'SELECT COUNT(*) AS count FROM callbacks WHERE url LIKE ?',
        ['%/second'],
      );
      expect(Number(queued?.count)).toBe(0);
      await eventually(() => receiver.got.length === 1);
    });
  });

  it('ends with its click, and reports that, if the flow is deleted before it resumes', async () => {
    const flowId = await approval();
    const { answer, chatId, stop } = await waiting(flowId);
    const held = new Hold();
    model.answers.push({ tokens: ['never', ' told'], held });
    const humanInput = { type: 'proceed', startNodeId: stop };
    const click = await send(flowId, { chatId, humanInput });
    await eventually(() => model.answers.length === 0);
    await client.admin('DELETE', `flows/${flowId}`);
    await takenOver(service, click.body.executionId as string);
    held.letGo();
    await eventually(() => receiver.got.length === 3);
    const ended = { status: 'aborted', error: expect.objectContaining({ code: 'flow_deleted' }) };
    expect(received().slice(1)).toEqual([ended, ended]);
    const record = await client.ended(answer.body.executionId as string);
    expect(record).toMatchObject({ status: 'aborted', code: 'flow_deleted', refunded: 1 });
    const sql = `SELECT COUNT(*) AS count FROM executions WHERE flow_id = ? AND status = 'running'`;
    const left = await one<{ count: number }>(sql, [flowId]);
    expect(Number(left?.count)).toBe(0);
  });
});
