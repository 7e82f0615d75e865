import { ExecutionLog } from '../src/executions/log/execution-log.js';
import { type BehindProxy, startBehindProxy } from './support/behind-proxy.js';
import { eventually } from './support/eventually.js';
import { Hold, startFakeModel } from './support/fake-model.js';
import { chatFlow, echoFlow } from './support/flows.js';
import { describeOnPostgres } from './support/on-postgres.js';
import type { PostgresProxy } from './support/postgres-proxy.js';
import { smallJpeg } from './support/recorded-photographs.js';
import type { Answer, ServiceClient } from './support/service-client.js';

/** A commit whose answer was lost: callers get the true outcome, as if nothing had happened. */
describeOnPostgres('a commit on PostgreSQL whose answer is lost', () => {
  let behind: BehindProxy | undefined;
  let proxy: PostgresProxy;
  let client: ServiceClient;
  let flow: string;

  beforeAll(async () => {
    behind = await startBehindProxy();
    if (behind) ({ proxy, client, flow } = behind);
  });

  afterAll(() => behind?.close());

  /** Repeats the call, each time losing the answer to a later commit of it, until it needs no more commits. */
  async function losingEach(call: (turn: number) => Promise<Answer>): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (let turn = 0; turn < 10; turn++) {
      const before = proxy.lost;
      proxy.loseCommit(turn);
      answers.push(await call(turn));
      await client.ended(answers.at(-1)!.headers.get('x-execution-id')!);
      if (proxy.lost === before) return answers;
    }
    throw new Error('a call that never stops to commit');
  }

  const balance = async () => (await client.admin('GET', 'credit/default')).body.balance as number;
  const running = async () => (await client.admin('GET', 'executions?status=running')).body.data as unknown[];

  it('does not fail a prediction, which is charged once', async () => {
    if (!behind) return;
    const before = await balance();
    const answers = await losingEach((turn) => client.predict(flow, { question: 'Hi', chatId: `p${turn}` }));
    expect(answers.length).toBeGreaterThan(2);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await balance()).toBe(before - answers.length);
    expect(await running()).toEqual([]);
  });

  it('leaves no Idempotency-Key in use', async () => {
    if (!behind) return;
    const keyed = (turn: number) =>
      client.predict(flow, { question: 'Hi', chatId: `k${turn}` }, { 'idempotency-key': `key-${turn}` });
    const answers = await losingEach(keyed);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const [turn, { body }] of answers.entries()) {
      const again = await keyed(turn);
      expect([again.headers.get('idempotent-replay'), again.body]).toEqual(['true', body]);
    }
  });

  it.each([
    ['nothing of it was heard', 0],
    ['no more of it was heard than that it had begun', 1],
  ])('does not fail a call that was counted alone, though %s', async (_, heard) => {
    if (!behind) return;
    const rateLimit = { limit: 5, windowSeconds: 600 };
    const limited = await client.flow(echoFlow({ access: { rateLimit } }));
    proxy.loseAnswersWith(heard);
    const before = proxy.lost;
    const { status, headers } = await client.predict(limited, { question: 'Hi' });
    expect([status, proxy.lost - before]).toEqual([200, 1]);
    expect(Number(headers.get('ratelimit-remaining'))).toBeGreaterThanOrEqual(3);
  });

  it('duplicates no photograph and holds no claim', async () => {
    if (!behind) return;
    const photographs = [{ data: (await smallJpeg()).toString('base64'), mime: 'image/jpeg' }];
    const captures = await losingEach((turn) =>
      client.send('POST', '/api/v1/inspection/capture', {
        ...{ flowId: flow, sessionId: `s${turn}`, area: 'Kitchen', photographs },
      }),
    );
    expect(captures.map(({ status, body }) => [status, body.session?.pending])).toEqual(
      captures.map(() => [200, 1]),
    );
    let rendered = -1;
    const renders = await losingEach(() =>
      client.send('POST', '/api/v1/pdf/render', {
        templateId: 'inspection',
        source: { type: 'inspection', flowId: flow, sessionId: `s${++rendered % captures.length}`, meta: {} },
      }),
    );
    expect(renders.map(({ status }) => status)).toEqual(renders.map(() => 200));
    expect(await running()).toEqual([]);
  });
});

/** Longer than the gate tries to look up a commit. */
const OUTAGE_MS = 11_500;

describeOnPostgres('a commit on PostgreSQL whose outcome cannot be found out', () => {
  it('leaves no record running, no chat locked and no key in use when the database is back', async () => {
    const behind = await startBehindProxy();
    if (!behind) return;
    const { proxy, service, client, flow, close } = behind;
    const balance = async () => (await client.admin('GET', 'credit/default')).body.balance as number;
    const before = await balance();
    const send = (chatId: string) =>
      client.predict(flow, { question: 'Hi', chatId }, { 'idempotency-key': chatId });
    // The first commit of a keyed call claims its key, the second opens its record, the third ends it.
    for (const commit of [0, 1, 2]) {
      const chatId = `unknown-${commit}`;
      const lost = proxy.lost;
      // Late writes of earlier calls, and of a service whose database is back, would count as commits.
      await service.app.get(ExecutionLog).flush();
      await proxy.quiet(1_500);
      proxy.loseCommitAndGoAway(commit);
      const call = send(chatId);
      await eventually(() => proxy.lost > lost);
      await new Promise((resolve) => setTimeout(resolve, OUTAGE_MS));
      proxy.comeBack();
      const answer = await call;
      expect([answer.status, answer.body.code]).toEqual([503, 'overloaded']);
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      const record = async () => client.ended(answer.headers.get('x-execution-id')!);
      await eventually(async () => (await record()).httpStatus === 503);
      expect((await record()).status).toBe(['rejected', 'failed', 'succeeded'][commit]);
      await eventually(async () => (await send(chatId)).status === 200);
    }
    expect((await client.admin('GET', 'executions?status=running')).body.data).toEqual([]);
    expect(await balance()).toBe(before - 3);
    await close();
  });

  it('is not looked up for longer if every open connection is silent', async () => {
    const behind = await startBehindProxy();
    if (!behind) return;
    const { proxy, client, flow, balance, close } = behind;
    await Promise.all(Array.from({ length: 4 }, () => client.predict(flow, { question: 'Hi' })));
    const before = await balance();
    const { lost } = proxy;
    // The second commit ends the run.
    proxy.loseCommitAndFreeze(1);
    const answer = await client.predict(flow, { question: 'Hi' });
    expect(proxy.lost).toBe(lost + 1);
    expect([200, 503]).toContain(answer.status);
    proxy.comeBack();
    const record = await client.ended(answer.headers.get('x-execution-id')!);
    expect(record).toMatchObject({ status: 'succeeded', credits: 1 });
    expect(await balance()).toBe(before - 1);
    await close();
  });
});

describeOnPostgres('a service whose PostgreSQL is unreachable', () => {
  it('writes the end of a finished run when it is back, and returns the answer to a retry', async () => {
    const behind = await startBehindProxy();
    if (!behind) return;
    const { proxy, client, balance, close } = behind;
    const model = await startFakeModel();
    const held = new Hold();
    model.answers.push({ tokens: ['All', ' done'], held });
    const flow = await client.flow(chatFlow(model.url));
    const before = await balance();
    const send = () => client.predict(flow, { question: 'Hi', chatId: 'c' }, { 'idempotency-key': 'late' });
    const call = send();
    await eventually(() => model.requests.length === 1);
    proxy.goAway();
    held.letGo();
    const delayed = await call;
    expect([delayed.status, delayed.body.code]).toEqual([503, 'overloaded']);
    expect(delayed.headers.get('retry-after')).toMatch(/^\d+$/);
    proxy.comeBack();
    const id = delayed.headers.get('x-execution-id')!;
    await eventually(async () => (await client.admin('GET', `executions/${id}`)).body.status !== 'running');
    expect(await client.ended(id)).toMatchObject({
      ...{ status: 'succeeded', httpStatus: 503, answer: 'All done', credits: 1 },
    });
    const again = await send();
    expect([again.status, again.headers.get('idempotent-replay'), again.body.text]).toEqual([
      ...[200, 'true', 'All done'],
    ]);
    expect(model.requests).toHaveLength(1);
    expect(await balance()).toBe(before - 1);
    await model.close();
    await close();
  });

  it('reports that, records the calls when it is back, and continues', async () => {
    const behind = await startBehindProxy();
    if (!behind) return;
    const { proxy, client, flow, close } = behind;
    proxy.goAway();
    const refused = await client.predict(flow, { question: 'Hi' });
    expect([refused.status, refused.body.code]).toEqual([503, 'overloaded']);
    expect(refused.headers.get('retry-after')).toBe('2');
    proxy.comeBack();
    await eventually(async () => (await client.predict(flow, { question: 'Hi' })).status === 200);
    expect(await client.ended(refused.headers.get('x-execution-id')!)).toMatchObject({
      status: 'rejected',
      httpStatus: 503,
      code: 'overloaded',
    });
    await close();
  });
});
