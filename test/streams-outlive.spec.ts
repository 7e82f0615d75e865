import { createClient } from '@redis/client';
import { FrameGroups } from '../src/prediction/redis-stream/frame-groups.js';
import { startTestApp, TEST_ADMIN_KEY, type TestApp } from './support/app.js';
import { dataOf, followToEnd, openStream, type OpenStream, tokensOf } from './support/event-source.js';
import { eventually } from './support/eventually.js';
import { type FakeModel, startFakeModel } from './support/fake-model.js';
import { startFakeRedis } from './support/fake-redis.js';
import { chatFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';
import { type ServiceProcess, startService } from './support/service-process.js';
import { redisReachable, redisUrl } from './support/services.js';

/** Long enough to come back, also on a busy machine. */
const GRACE_SECONDS = '20';

/** Characters that could break an event. */
const words = (count: number) =>
  Array.from({ length: count }, (_, index) => `w${index} "é\n\n\u2028😀" data: `);

const numberOf = (id: string) => Number(id.split(':')[1]);

/** Contract section 13: with `REDIS_URL` a stream outlives the process that runs it. */
describe('the stream of a process that has died', () => {
  const client = new ServiceClient(() => first);
  const processes: ServiceProcess[] = [];
  const redis = createClient({ url: redisUrl });
  let isThere = false;
  let first: TestApp;
  let model: FakeModel;
  let flow: string;

  beforeAll(async () => {
    isThere = await redisReachable();
    if (isThere) await redis.connect();
    first = await startTestApp({ env: { STREAM_GRACE_SECONDS: GRACE_SECONDS, REDIS_URL: redisUrl } });
    model = await startFakeModel();
    await client.admin('POST', 'credit/default/top-ups', { amount: 1_000, reference: 'tests' });
    flow = await client.flow(chatFlow(model.url));
  });

  afterAll(async () => {
    for (const owner of processes) await owner.kill();
    if (isThere) redis.destroy();
    await first.close();
    await model.close();
  });

  /** Runs only with Redis; a missing one has been reported. */
  const withRedis = (name: string, run: () => Promise<void>) =>
    it(name, async () => (isThere ? run() : undefined));
  const startOwner = async (env: Record<string, string> = {}) => {
    const { databaseUrl, dataDir } = first.place;
    const owner = startService({
      ...{ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ADMIN_API_KEY: TEST_ADMIN_KEY },
      ...{ STREAM_GRACE_SECONDS: GRACE_SECONDS, REDIS_URL: redisUrl, ...env },
    });
    processes.push(owner);
    return { owner, url: (await owner.ready)! };
  };
  const begin = (url: string, tokens: string[], tokenMs = 10) => {
    model.answers.push({ tokens, tokenMs });
    return openStream(`${url}/api/v1/prediction/${flow}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ question: 'Hi', streaming: true }),
    });
  };
  const until = (stream: OpenStream, word: string) =>
    stream.until(({ event, data }) => event === 'token' && String(data).startsWith(`${word} `));
  const resume = ({ url }: { url: string }, lastEventId: string) =>
    openStream(`${url}/api/v1/prediction/${flow}/stream`, { headers: { 'last-event-id': lastEventId } });
  const resumed = (lastEventId: string) => followToEnd((seen) => resume(first, seen), lastEventId);
  const keyOf = (stream: OpenStream) =>
    first.app.get(FrameGroups).streamKey(stream.events[0]!.id.split(':')[0]!);
  /** Returns all events that the stream has sent so far, including those sent during the query. */
  const inRedis = async (stream: OpenStream) => {
    const newest = await redis.xRevRange(keyOf(stream), '+', '-', { COUNT: 1 });
    return newest?.[0] ? Number.parseInt(newest[0].id) : 0;
  };
  const expectEnding = (events: OpenStream['events'], seen: number) => {
    expect(events.map(({ id }) => numberOf(id))).toEqual(events.map((_, index) => seen + 1 + index));
    expect(events.slice(-3).map(({ event }) => event)).toEqual(['agentFlowEvent', 'error', 'end']);
    expect(dataOf(events, 'agentFlowEvent')).toEqual(['ERROR']);
    expect(dataOf(events, 'end')).toHaveLength(1);
  };

  withRedis('continues in another, frame by frame, and ends like the record', async () => {
    const { owner, url } = await startOwner();
    const stream = await begin(url, words(3_000));
    await until(stream, 'w60');
    await eventually(async () => (await inRedis(stream)) >= 60);
    const stored = await redis.xRange(keyOf(stream), '-', '+', { COUNT: 1 });
    expect(JSON.stringify(stored)).not.toMatch(/token|w1 /);
    expect(keyOf(stream)).not.toContain(stream.events[0]!.id.split(':')[0]);
    expect(await redis.pTTL(keyOf(stream))).toBeGreaterThan(60_000);
    await owner.kill();
    await stream.done.catch(() => undefined);

    // Resumes at once: its record does not know yet that its process died.
    const again = await resume(first, stream.events[4]!.id);
    expect([again.status, again.headers.get('x-execution-id')]).toEqual([
      200,
      stream.headers.get('x-execution-id'),
    ]);
    await again.done.catch(() => undefined);
    // The process counts as dead some seconds later; until then a reader gets 503.
    const rest = again.events.at(-1)?.event === 'end' ? [] : await resumed(again.events.at(-1)!.id);
    const missed = [...again.events, ...rest];
    expectEnding(missed, 5);
    const both = [...stream.events.slice(0, 5), ...missed];
    const received = tokensOf(both);
    expect(words(3_000).join('').startsWith(received)).toBe(true);
    expect(dataOf(both, 'token').length).toBeGreaterThanOrEqual(55);
    const common = Math.min(stream.events.length, both.length - 3);
    expect(both.slice(0, common)).toEqual(stream.events.slice(0, common));

    const last = both.length - 3;
    const beyond = await resumed(`${both[0]!.id.split(':')[0]}:${last + 40}`);
    expectEnding(beyond, last + 40);
    expect(beyond).toHaveLength(3);
    const amid = await resumed(missed.at(-4)!.id);
    expectEnding(amid, last);
    expect(amid).toHaveLength(3);
    // A living process that does not know of the interruption adds nothing.
    expect(await inRedis(stream)).toBe(Number.MAX_SAFE_INTEGER);
  });

  withRedis('is replayed up to the first missing frame, and then ends', async () => {
    const { owner, url } = await startOwner();
    const stream = await begin(url, words(3_000));
    await until(stream, 'w20');
    await eventually(async () => (await inRedis(stream)) >= 15);
    await redis.del(keyOf(stream));
    await until(stream, 'w80');
    await eventually(async () => (await inRedis(stream)) >= 80);
    const entries = (await redis.xRange(keyOf(stream), '-', '+'))!;
    const middle = Math.floor(entries.length / 2);
    // The entry after the flush shows its position.
    const seen = Number.parseInt(entries[0]!.id);
    const before = Number.parseInt(entries[middle - 1]!.id);
    await redis.xDel(keyOf(stream), entries[middle]!.id);
    await owner.kill();
    await stream.done.catch(() => undefined);

    const early = await resumed(stream.events[2]!.id);
    expectEnding(early, 3);
    expect(early).toHaveLength(3);
    const later = await resumed(stream.events[seen - 1]!.id);
    expectEnding(later, seen);
    expect(later.slice(0, -3)).toEqual(stream.events.slice(seen, before));
    expect(later).toHaveLength(before - seen + 3);
  });

  withRedis('takes no more memory in Redis than a megabyte, however long it is', async () => {
    const stream = await begin(
      first.url,
      Array.from({ length: 10_000 }, (_, index) => `w${index} ${'x'.repeat(1_000)}`),
      0,
    );
    await stream.done;
    expect(stream.events.at(-1)!.event).toBe('end');
    // The end is in the record.
    await eventually(async () => (await inRedis(stream)) === stream.events.length - 3);
    const bytes = (await redis.memoryUsage(keyOf(stream)))!;
    expect(bytes).toBeGreaterThan(500_000);
    expect(bytes).toBeLessThan(1_500_000);
    await eventually(async () => (await redis.pTTL(keyOf(stream))) <= Number(GRACE_SECONDS) * 1_000);
  });

  withRedis('is closed by the process that reports its end: nothing is written after that', async () => {
    const stream = await begin(first.url, words(3_000));
    await until(stream, 'w20');
    await redis.xAdd(keyOf(stream), `${Number.MAX_SAFE_INTEGER}-0`, { end: '' });
    const length = await redis.xLen(keyOf(stream));
    await until(stream, 'w60');
    expect(await redis.xLen(keyOf(stream))).toBe(length);
    stream.leave();
  });

  it('costs nothing else if Redis is absent, hangs or refuses writes', async () => {
    const fake = await startFakeRedis();
    for (const [mode, address] of [
      ['takes', 'redis://127.0.0.1:1'],
      ['refuses', fake.url],
      ['hangs', fake.url],
    ] as const) {
      fake.mode = mode;
      const { owner, url } = await startOwner({ REDIS_URL: address });
      const whole = await begin(url, words(100));
      await whole.done;
      expect(tokensOf(whole.events)).toBe(words(100).join(''));
      expect((await fetch(`${url}/health/ready`)).status).toBe(200);
      if (mode !== 'takes') expect(fake.commands).toContain('XADD');
      const stream = await begin(url, words(3_000));
      await until(stream, 'w20');
      await owner.kill();
      await stream.done.catch(() => undefined);
      const events = await resumed(stream.events[4]!.id);
      expectEnding(events, 5);
      expect(events).toHaveLength(3);
    }
    await fake.close();
  });
});
