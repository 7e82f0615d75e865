import { makePlace } from './support/databases.js';
import { ExecutionLog } from '../src/executions/execution-log.js';
import { startTestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { echoFlow } from './support/flows.js';
import { type PostgresProxy, startPostgresProxy } from './support/postgres-proxy.js';
import { smallJpeg } from './support/recorded-photographs.js';
import { postgresReachable } from './support/services.js';
import { type Answer, ServiceClient } from './support/service-client.js';

/** A service whose way to PostgreSQL can break off, with credit and a flow; undefined where there is no PostgreSQL. */
async function startBehindProxy() {
  if (!(await postgresReachable())) return undefined;
  const place = await makePlace('postgres');
  const proxy = await startPostgresProxy(place.databaseUrl);
  const service = await startTestApp({ place: { ...place, databaseUrl: proxy.url } });
  const client = new ServiceClient(() => service);
  await client.admin('POST', 'credit/default/top-ups', { amount: 1000, reference: 'tests' });
  const flow = await client.flow(echoFlow());
  const close = async () => {
    await service.close({ keep: true });
    await proxy.close();
    await place.remove();
  };
  return { proxy, service, client, flow, close };
}

type Behind = NonNullable<Awaited<ReturnType<typeof startBehindProxy>>>;

/** What is said when a commit was made and its answer got lost: the truth, as if nothing had happened. */
describe('a commit on PostgreSQL whose answer is lost', () => {
  let behind: Behind | undefined;
  let proxy: PostgresProxy;
  let client: ServiceClient;
  let flow: string;

  beforeAll(async () => {
    behind = await startBehindProxy();
    if (behind) ({ proxy, client, flow } = behind);
  });

  afterAll(() => behind?.close());

  /** Makes the call again and again, each time losing a later commit of it, until it needs no more commits. */
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

  it('is no failure of a prediction, which is charged once', async () => {
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

  it('doubles no photograph and holds no claim', async () => {
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

/** Longer than the gate asks what became of a commit. */
const OUTAGE_MS = 11_500;

describe('a commit on PostgreSQL of which nothing can be found out', () => {
  it('leaves no record running, no chat waiting and no key in use when the database is back', async () => {
    const behind = await startBehindProxy();
    if (!behind) return;
    const { proxy, service, client, flow, close } = behind;
    const balance = async () => (await client.admin('GET', 'credit/default')).body.balance as number;
    const before = await balance();
    const send = (chatId: string) =>
      client.predict(flow, { question: 'Hi', chatId }, { 'idempotency-key': chatId });
    // The first commit of a keyed call claims its key, the second one opens its record.
    for (const commit of [0, 1]) {
      const chatId = `unknown-${commit}`;
      const lost = proxy.lost;
      // What is written off the path of earlier calls has been written.
      await service.app.get(ExecutionLog).flush();
      await new Promise((resolve) => setTimeout(resolve, 300));
      proxy.loseCommitAndGoAway(commit);
      const call = send(chatId);
      await eventually(() => proxy.lost > lost);
      await new Promise((resolve) => setTimeout(resolve, OUTAGE_MS));
      proxy.comeBack();
      const answer = await call;
      expect([answer.status, answer.body.code]).toEqual([500, 'internal_error']);
      expect(await client.ended(answer.headers.get('x-execution-id')!)).toMatchObject({ httpStatus: 500 });
      await eventually(async () => (await send(chatId)).status === 200);
    }
    expect((await client.admin('GET', 'executions?status=running')).body.data).toEqual([]);
    expect(await balance()).toBe(before - 2);
    await close();
  });
});

describe('a service whose PostgreSQL cannot be reached', () => {
  it('says so, records the calls when it is back, and goes on', async () => {
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
