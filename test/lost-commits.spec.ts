import { randomUUID } from 'node:crypto';
import type { EntityTarget, ObjectLiteral } from 'typeorm';
import { CreditLedger } from '../src/auth/credit/credit-ledger.js';
import { DatabaseAway, OutcomeUnknown } from '../src/database/away.js';
import { DatabaseReader } from '../src/database/database-reader.js';
import { WriteGate } from '../src/database/writes/write-gate.js';
import { DocumentEntity } from '../src/documents/stores/document.entity.js';
import { AsyncRunStore } from '../src/executions/async/async-run-store.js';
import { Takeover } from '../src/executions/calls/takeover.js';
import { ClaimService } from '../src/inspection/claims/claim.service.js';
import { PackPartEntity } from '../src/pdf/vault/pack-part.entity.js';
import { CaseEntity } from '../src/prediction/cases/case.entity.js';
import { ChatFile } from '../src/prediction/clients/chat-file.entity.js';
import { BlobStore } from '../src/storage/blob-store.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { type FakeEmbeddings, startFakeEmbeddings } from './support/fake-embeddings.js';
import { Hold } from './support/fake-model.js';
import { FilledStore } from './support/filled-store.js';
import { type HeldTarget, startHeldTarget } from './support/held-target.js';
import { smallJpeg } from './support/recorded-photographs.js';
import { endedCases, startCases } from './support/rehearsed-cases.js';
import { type Answer, ServiceClient } from './support/service-client.js';

const ASYNC = { prefer: 'respond-async' };

/** A COMMIT succeeds, its answer is lost, and the database is away for longer than the service looks up the outcome. */
describe('a call whose transaction was committed without an answer', () => {
  let service: TestApp;
  let target: HeldTarget;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    target = await startHeldTarget();
    service = await startTestApp({ env: { OUTBOUND_ALLOW: target.host } });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await service.close();
    target.close();
  });

  /** Loses the answer to the next transaction that calls `mark`. */
  const loseAnswerTo = (mark: (...values: never[]) => void) => {
    const gate = service.app.get(WriteGate);
    const write = gate.write.bind(gate);
    let isMarked = false;
    let isLost = false;
    mark(...([() => (isMarked = !isLost)] as never[]));
    jest.spyOn(gate, 'write').mockImplementation(async (work, keys) => {
      const value = await write(work, keys);
      if (!isMarked) return value;
      isMarked = false;
      isLost = true;
      throw new OutcomeUnknown(undefined);
    });
  };
  const loseAnswerToOpening = () =>
    loseAnswerTo((opened: () => void) => {
      const store = service.app.get(AsyncRunStore);
      const add = store.add.bind(store);
      jest.spyOn(store, 'add').mockImplementation((...run) => add(...run).then(opened));
    });
  const book = () => {
    const path = `/${randomUUID()}`;
    const node = {
      id: 'book',
      kind: 'http',
      config: { method: 'POST', url: `http://${target.host}${path}` },
    };
    return { node, asked: () => target.asked.filter(({ url }) => url === path) };
  };
  const reply = { id: 'reply', kind: 'reply', config: { message: 'done' } };
  const balance = async () => (await client.admin('GET', 'credit/default')).body.balance as number;
  const inTurn = (...nodes: object[]) => {
    const all = [{ id: 'start', kind: 'start' }, ...nodes] as { id: string; kind: string }[];
    const edges = all.slice(1).map(({ id }, index) => {
      const { id: from, kind } = all[index]!;
      return { from, to: id, ...(kind === 'human-input' ? { on: '0' } : {}) };
    });
    return client.flow({ name: 'Lost', nodes: all, edges, price: 1 });
  };
  const status = async (accepted: Answer) =>
    (await client.send('GET', accepted.headers.get('location')!)).body.status as string;

  it('has run, once, if it was async, and its retry finds it', async () => {
    const { node, asked } = book();
    const flowId = await inTurn(node, reply);
    const headers = { ...ASYNC, 'idempotency-key': randomUUID() };
    const before = await balance();
    loseAnswerToOpening();
    expect((await client.predict(flowId, { question: 'Hi' }, headers)).status).toBe(503);
    const again = await client.predict(flowId, { question: 'Hi' }, headers);
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([202, 'true']);
    await eventually(async () => (await status(again)) === 'succeeded');
    expect([asked().length, before - (await balance())]).toEqual([1, 1]);
  });

  it('has ended, free of charge, if its retry could not find it', async () => {
    const { node, asked } = book();
    const flowId = await inTurn(node, reply);
    const before = await balance();
    loseAnswerToOpening();
    const lost = await client.predict(flowId, { question: 'Hi' }, ASYNC);
    expect([lost.status, lost.body.code]).toEqual([503, 'overloaded']);
    const record = await client.ended(lost.headers.get('x-execution-id')!);
    expect(record).toMatchObject({ status: 'failed', httpStatus: 503, credits: 0 });
    const again = await client.predict(flowId, { question: 'Hi' }, ASYNC);
    await eventually(async () => (await status(again)) === 'succeeded');
    expect([asked().length, before - (await balance())]).toEqual([1, 1]);
  });

  it('is left to the process that has taken it over meanwhile', async () => {
    const { node, asked } = book();
    const flowId = await inTurn(node, reply);
    const headers = { ...ASYNC, 'idempotency-key': randomUUID() };
    const takeover = service.app.get(Takeover);
    const giveUp = takeover.giveUp.bind(takeover);
    // The write that hands it over is committed, and repeated because its answer was lost.
    jest.spyOn(takeover, 'giveUp').mockImplementationOnce(async (tx, run) => {
      await giveUp(tx, run);
      return giveUp(tx, run);
    });
    loseAnswerToOpening();
    expect((await client.predict(flowId, { question: 'Hi' }, headers)).status).toBe(503);
    const again = await client.predict(flowId, { question: 'Hi' }, headers);
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([202, 'true']);
    await eventually(async () => (await status(again)) === 'succeeded');
    expect(asked()).toHaveLength(1);
  });

  it('has decided, and its run resumes, if it was an answer to an approval', async () => {
    const { node, asked } = book();
    const ask = { id: 'ask', kind: 'human-input', config: { message: 'Go on?' } };
    const flowId = await inTurn(ask, node, reply);
    const chatId = randomUUID();
    const before = await balance();
    const first = await client.predict(flowId, { question: 'Hi', chatId });
    const { nodeId: startNodeId } = first.body.action.data;
    const click = { chatId, humanInput: { type: 'proceed', startNodeId } };
    const key = { 'idempotency-key': randomUUID() };
    loseAnswerToOpening();
    expect((await client.predict(flowId, click, key)).status).toBe(503);
    const again = await client.predict(flowId, click, key);
    expect([again.status, again.body.text]).toEqual([200, 'done']);
    expect([asked().length, before - (await balance())]).toEqual([1, 1]);
    const record = await client.ended(first.headers.get('x-execution-id')!);
    expect(record).toMatchObject({ status: 'succeeded', credits: 1 });
  });

  it('has left nothing under its key, if it was a render that is not resumed', async () => {
    const flowId = await inTurn(reply);
    const sessionId = randomUUID();
    const photographs = [{ data: (await smallJpeg()).toString('base64') }];
    const hall = { flowId, sessionId, area: 'Hall', photographs };
    expect((await client.send('POST', '/api/v1/inspection/capture', hall)).status).toBe(200);
    const source = { type: 'inspection', flowId, sessionId, meta: {} };
    const headers = { ...ASYNC, 'idempotency-key': randomUUID() };
    const render = () =>
      client.send('POST', '/api/v1/pdf/render', { templateId: 'inspection', source }, headers);
    loseAnswerTo((claimed: () => void) => {
      const claims = service.app.get(ClaimService);
      const claim = claims.claim.bind(claims);
      jest.spyOn(claims, 'claim').mockImplementation(async (...order) => {
        const made = await claim(...order);
        claimed();
        return made;
      });
    });
    expect((await render()).status).toBe(503);
    const again = await render();
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([202, null]);
    await eventually(async () => (await status(again)) === 'succeeded');
  });

  it('has cost nothing if it was the charge of a live case, which then did not run', async () => {
    const flowId = await inTurn(reply);
    await client.admin('POST', `flows/${flowId}/cases`, { name: 'Live', input: { question: 'Hi' } });
    const before = await balance();
    loseAnswerTo((charged: () => void) => {
      const credit = service.app.get(CreditLedger);
      const charge = credit.charge.bind(credit);
      jest.spyOn(credit, 'charge').mockImplementation((...paid) => charge(...paid).then(charged));
    });
    const run = await startCases(client, flowId, { calls: 'live' });
    expect(await endedCases(client, run)).toMatchObject([{ passed: false, code: 'overloaded', credits: 0 }]);
    expect(await balance()).toBe(before);
  });

  it.each(['that a request is about to be sent', 'that it was answered'])(
    'sends a request once if the lost note was %s',
    async (which) => {
      const { node, asked } = book();
      const flowId = await inTurn(node, reply);
      const headers = { 'idempotency-key': randomUUID() };
      const gate = service.app.get(WriteGate);
      const write = gate.writeTogether.bind(gate);
      const wanted = which === 'that it was answered' ? 1 : 0;
      let lost = 0;
      jest.spyOn(gate, 'writeTogether').mockImplementation(async (work, item) => {
        const isNote = typeof item === 'object' && item !== null && 'sql' in item;
        const isLost = isNote && lost === 0 && asked().length === wanted;
        // The second note was not even committed: the retry must know of the answer nevertheless.
        const value = isLost && wanted === 1 ? undefined : await write(work, item);
        if (!isLost) return value;
        lost++;
        throw new OutcomeUnknown(undefined);
      });
      const failed = await client.predict(flowId, { question: 'Hi' }, headers);
      expect([failed.status, failed.body.code, asked().length]).toEqual([503, 'overloaded', wanted]);
      const again = await client.predict(flowId, { question: 'Hi' }, headers);
      expect([again.status, again.body.text, asked().length]).toEqual([200, 'done', 1]);
    },
  );

  it('sends a request once if the note of its answer is still being written when another branch fails', async () => {
    const [first, second] = [book(), book()];
    const nodes = [
      { id: 'start', kind: 'start' },
      { ...first.node, id: 'first' },
      { ...second.node, id: 'second' },
      reply,
    ];
    const edges = [
      { from: 'start', to: 'first' },
      { from: 'start', to: 'second' },
      { from: 'first', to: 'reply' },
    ];
    const flowId = await client.flow({ name: 'Beside', nodes, edges });
    const gate = service.app.get(WriteGate);
    const write = gate.writeTogether.bind(gate);
    const [noted, firstAnswer] = [new Hold(), new Hold()];
    const away = async (until: Hold) => {
      await until.over;
      throw new DatabaseAway(undefined);
    };
    jest.spyOn(gate, 'writeTogether').mockImplementation((work, item) => {
      const path = typeof item === 'object' && item !== null && 'values' in item ? String(item.values) : '';
      if (path.includes(',second#')) return away(noted);
      if (!path.includes(',first#') || first.asked().length === 0) return write(work, item);
      noted.letGo();
      return away(firstAnswer);
    });
    const headers = { 'idempotency-key': randomUUID() };
    const failed = await client.predict(flowId, { question: 'Hi' }, headers);
    expect([failed.status, failed.body.code]).toEqual([503, 'overloaded']);
    firstAnswer.letGo();
    jest.restoreAllMocks();
    const again = await client.predict(flowId, { question: 'Hi' }, headers);
    expect(again.status).toBe(200);
    expect([first.asked().length, second.asked().length]).toEqual([1, 1]);
  });

  it('replays the failure of a node without the details that only its first caller may see', async () => {
    const flowId = await inTurn({
      id: 'bad',
      kind: 'http',
      config: { method: 'GET', url: 'http://127.0.0.1:9/' },
    });
    const key = { 'idempotency-key': randomUUID() };
    const admin = { authorization: `Bearer ${service.adminKey}`, ...key };
    const firstAnswer = await client.send('POST', `/api/v1/flows/${flowId}/run`, { question: 'Hi' }, admin);
    expect([firstAnswer.status, firstAnswer.body.failedNode.id]).toEqual([500, 'bad']);
    const other = await client.predict(flowId, { question: 'Hi' }, key);
    expect([other.status, other.headers.get('idempotent-replay')]).toEqual([500, 'true']);
    expect(other.body.failedNode).toBeUndefined();
    expect(other.body.message).toMatch(/^The flow failed\./);
  });
});

describe('a file whose row was committed without an answer', () => {
  let service: TestApp;
  const client = new ServiceClient(() => service);

  beforeAll(async () => (service = await startTestApp()));
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  /** Loses the answer to the transaction that is the given one in writing rows of this entity. */
  const loseAnswerToRowsOf = (entity: EntityTarget<ObjectLiteral>, given = 1) => {
    const gate = service.app.get(WriteGate);
    const write = gate.write.bind(gate);
    let left = given;
    jest.spyOn(gate, 'write').mockImplementation(async (work, keys) => {
      let isWriting = false;
      const value = await write((tx) => {
        const repository = tx.repository.bind(tx);
        jest.spyOn(tx, 'repository').mockImplementation((target) => {
          isWriting ||= target === entity;
          return repository(target);
        });
        return work(tx);
      }, keys);
      if (isWriting && --left === 0) throw new OutcomeUnknown(undefined);
      return value;
    });
  };
  const chatting = () =>
    client.flow({
      name: 'Lost files',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'reply', kind: 'reply', config: { message: 'done' } },
      ],
      edges: [{ from: 'start', to: 'reply' }],
    });

  it('is in the pack that the next request gets', async () => {
    const [flowId, sessionId] = [await chatting(), randomUUID()];
    const photographs = [{ data: (await smallJpeg()).toString('base64') }];
    await client.send('POST', '/api/v1/inspection/capture', { flowId, sessionId, area: 'Hall', photographs });
    const source = { type: 'inspection', flowId, sessionId, meta: {} };
    const { file } = (await client.send('POST', '/api/v1/pdf/render', { templateId: 'inspection', source }))
      .body;
    loseAnswerToRowsOf(PackPartEntity);
    expect((await client.admin('POST', `pdf/reports/${file.id}/pack`, {})).status).toBe(503);
    const { parts } = (await client.admin('POST', `pdf/reports/${file.id}/pack`, {})).body;
    expect((await fetch(parts[0].url)).status).toBe(200);
  });

  it('is what its case was recorded from', async () => {
    const flow = await chatting();
    const { executionId } = (await client.predict(flow, { question: 'x' })).body;
    loseAnswerToRowsOf(CaseEntity);
    const made = await client.admin('POST', `flows/${flow}/cases`, { name: 'Lost', executionId });
    expect(made.status).toBe(503);
    const [{ id }] = (await client.admin('GET', `flows/${flow}/cases`)).body.data;
    expect((await client.admin('GET', `flows/${flow}/cases/${id}`)).status).toBe(200);
  });

  it('is attached to its chat', async () => {
    const flow = await chatting();
    const form = new FormData();
    form.append('files', new Blob(['a note'], { type: 'text/plain' }), 'a.txt');
    loseAnswerToRowsOf(ChatFile);
    expect((await client.send('POST', `/api/v1/attachments/${flow}/c`, form)).status).toBe(503);
    const [row] = await service.app.get(DatabaseReader).repository(ChatFile).findBy({ flowId: flow });
    expect(await service.app.get(BlobStore).exists(row!.blobKey)).toBe(true);
  });

  describe('of a document', () => {
    let model: FakeEmbeddings;
    let store: FilledStore;
    beforeAll(async () => (model = await startFakeEmbeddings()));
    beforeEach(async () => (store = await FilledStore.of(() => service, model.url)));
    afterAll(() => model.close());

    it.each([
      ['was added', 1],
      ['was read', 2],
    ])('is there when the document %s', async (_when, given) => {
      loseAnswerToRowsOf(DocumentEntity, given);
      await store.call('POST', '/documents', { name: 'manual.md', text: 'The meter is in the cellar.' });
      const [document] = await store.documents();
      expect(await store.becomes(document!.id, 'ready')).toMatchObject({ chunks: 1 });
    });
  });
});
