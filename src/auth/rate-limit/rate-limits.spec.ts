import { setTimeout as pause } from 'node:timers/promises';
import { databases } from '../../../test/support/databases.js';
import { postgresReachable } from '../../../test/support/services.js';
import { StoppedClock } from '../../../test/support/stopped-clock.js';
import { openTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { Clock } from '../../common/clock.js';
import { RateLimits } from './rate-limits.js';

let buckets = 0;
const rateOf = (limit: number, windowMs = 60_000) => ({ bucket: `bucket ${++buckets}`, limit, windowMs });

const limitsOf = ({ gate, reader, logger }: TestDatabase, clock: Clock) =>
  new RateLimits(gate, reader, clock, logger);

/** The largest number of instants that any window of this length holds, both ends included. */
function fullestWindow(instants: readonly number[], windowMs: number): number {
  const sorted = [...instants].sort((a, b) => a - b);
  let fullest = 0;
  let first = 0;
  for (let last = 0; last < sorted.length; last++) {
    while (sorted[last]! - sorted[first]! > windowMs) first++;
    fullest = Math.max(fullest, last - first + 1);
  }
  return fullest;
}

it('the checker of these tests finds a window that is too full', () => {
  expect(fullestWindow([0, 5, 10, 100, 104, 109, 110, 300], 10)).toBe(4);
});

describe.each(databases)('the rate limit on %s', (kind) => {
  let database: TestDatabase | undefined;
  let clock: StoppedClock;
  let limits: RateLimits;

  const onDatabase = (name: string, test: () => Promise<void>) =>
    it(name, async () => {
      if (database) await test();
    });
  const take = (rate: ReturnType<typeof rateOf>, on = limits) => on.take(rate, clock.now());

  beforeAll(async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    database = await openTestDatabase(kind);
  });

  beforeEach(() => {
    clock = new StoppedClock();
    if (database) limits = limitsOf(database, clock);
  });

  afterAll(() => database?.close());

  onDatabase('of 500 calls at once exactly 20 are accepted', async () => {
    const rate = rateOf(20);
    const states = await Promise.all(Array.from({ length: 500 }, () => take(rate)));
    expect(states.filter((state) => state.accepted)).toHaveLength(20);
    expect(states.filter((state) => state.accepted).map((state) => state.remaining)).toEqual(
      Array.from({ length: 20 }, (_, call) => 19 - call),
    );
  });

  onDatabase('is one limit over two replicas', async () => {
    const rate = rateOf(20);
    const second = await openTestDatabase(kind, { place: database!.place });
    const there = limitsOf(second, clock);
    const states = await Promise.all(
      Array.from({ length: 200 }, (_, call) => take(rate, call % 2 ? limits : there)),
    );
    expect(states.filter((state) => state.accepted)).toHaveLength(20);
    await second.close({ keep: true });
  });

  onDatabase('slides: a place comes free when the oldest call leaves the window, not before', async () => {
    const rate = rateOf(2);
    await take(rate);
    clock.advance(20_000);
    await take(rate);
    const refusal = await take(rate);
    expect(refusal).toMatchObject({ accepted: false, remaining: 0, resetMs: 40_000 });
    clock.advance(40_000);
    expect((await take(rate)).accepted).toBe(false);
    clock.advance(1);
    expect(await take(rate)).toMatchObject({ accepted: true, remaining: 0 });
    expect(await take(rate)).toMatchObject({ accepted: false, resetMs: 19_999 });
  });

  onDatabase('a refused call does not count', async () => {
    const rate = rateOf(1);
    await take(rate);
    for (let call = 0; call < 30; call++) {
      clock.advance(2_000);
      expect((await take(rate)).accepted).toBe(false);
    }
    clock.advance(1);
    expect((await take(rate)).accepted).toBe(true);
  });

  onDatabase('tells how many calls are left, and looking does not count', async () => {
    const rate = rateOf(3);
    expect(await limits.peek(rate)).toMatchObject({ accepted: true, remaining: 3 });
    expect(await take(rate)).toMatchObject({ limit: 3, remaining: 2 });
    expect(await limits.peek(rate)).toMatchObject({ remaining: 2, resetMs: 60_000 });
    expect(await take(rate)).toMatchObject({ remaining: 1 });
  });

  onDatabase('a lowered limit holds at once, a raised one lets more in', async () => {
    const rate = rateOf(5);
    for (let call = 0; call < 5; call++) {
      await take(rate);
      clock.advance(1_000);
    }
    expect(await take({ ...rate, limit: 2 })).toMatchObject({ accepted: false, resetMs: 58_000 });
    expect((await take({ ...rate, limit: 6 })).accepted).toBe(true);
    expect((await take({ ...rate, limit: 6 })).accepted).toBe(false);
  });

  onDatabase('two buckets do not share a budget', async () => {
    const [one, other] = [rateOf(1), rateOf(1)];
    expect((await take(one)).accepted).toBe(true);
    expect((await take(other)).accepted).toBe(true);
  });

  onDatabase('counts a call that waited for its turn against the window of its arrival', async () => {
    const rate = rateOf(1, 1_000);
    const arrivedAt = clock.now();
    await limits.take(rate, arrivedAt);
    clock.advance(1_500);
    expect((await limits.take(rate, arrivedAt + 900)).accepted).toBe(false);
    expect((await limits.take(rate, arrivedAt + 1_001)).accepted).toBe(true);
  });

  onDatabase('a clock that is behind another does not win a window back', async () => {
    const rate = rateOf(2, 1_000);
    await take(rate);
    clock.advance(-500);
    await take(rate);
    clock.advance(1_500);
    expect((await take(rate)).accepted).toBe(false);
  });

  onDatabase('a clock that is set back keeps a full window full for its length, and no longer', async () => {
    const rate = rateOf(2);
    for (let call = 0; call < 3; call++) await take(rate);
    clock.advance(-3_600_000);
    expect(await take(rate)).toMatchObject({ accepted: false, resetMs: 60_000 });
    clock.advance(60_001);
    expect(await take(rate)).toMatchObject({ accepted: true, remaining: 1 });
    expect((await take(rate)).accepted).toBe(true);
    expect((await take(rate)).accepted).toBe(false);
  });

  onDatabase('a clock that was ahead for a while counts what it noted as of now', async () => {
    const rate = rateOf(2);
    clock.advance(3_600_000);
    await take(rate);
    clock.advance(-3_600_000);
    expect((await take(rate)).accepted).toBe(true);
    expect((await take(rate)).accepted).toBe(false);
    clock.advance(60_001);
    expect((await take(rate)).accepted).toBe(true);
  });

  /** Resolves when the sweep that a call has begun is over: a unit without keys waits for all before it. */
  const swept = () => database!.gate.write(async () => undefined);

  onDatabase('keeps a call for as long as any window may hold it, and no longer', async () => {
    const rate = rateOf(3);
    const kept = async () => {
      await take(rateOf(1));
      await swept();
      const sql = 'SELECT nth FROM rate_limit_hits WHERE bucket = ?';
      return (await database!.reader.all(sql, [rate.bucket])).length;
    };
    await take(rate);
    await swept();
    clock.advance(180_000);
    expect(await kept()).toBe(1);
    clock.advance(9_999);
    expect(await kept()).toBe(1);
    clock.advance(1);
    expect(await kept()).toBe(0);
  });

  onDatabase('loses no call to a replica whose clock is a minute ahead', async () => {
    const rate = rateOf(1);
    const arrivedAt = clock.now();
    await take(rate);
    clock.advance(119_000);
    const ahead = new StoppedClock(clock.now() + 60_000);
    await limitsOf(database!, ahead).take(rateOf(1), ahead.now());
    await swept();
    expect((await limitsOf(database!, clock).take(rate, arrivedAt + 60_000)).accepted).toBe(false);
  });

  if (kind === 'postgres')
    onDatabase('answers while its sweep waits for somebody else', async () => {
      await take(rateOf(1));
      await swept();
      clock.advance(200_000);
      const runner = database!.dataSource.createQueryRunner();
      await runner.query('BEGIN READ WRITE');
      await runner.query('SELECT nth FROM rate_limit_hits FOR UPDATE');
      expect((await take(rateOf(1))).accepted).toBe(true);
      await pause(50);
      expect(database!.gate.lanesInUse).toBe(1);
      expect((await take(rateOf(1))).accepted).toBe(true);
      await runner.query('ROLLBACK');
      await runner.release();
      await swept();
    });

  onDatabase('no window of a long, uneven log holds more than the limit', async () => {
    const rate = rateOf(20, 150);
    const real = new Clock();
    const second = await openTestDatabase(kind, { place: database!.place });
    const replicas = [database!, second].map((replica) => limitsOf(replica, real));
    const arrivals: number[] = [];
    const call = async (replica: RateLimits) => {
      const arrivedAt = real.now();
      if (!(await replica.take(rate, arrivedAt)).accepted) return;
      arrivals.push(arrivedAt);
    };
    for (let burst = 0; burst < 60; burst++) {
      await Promise.all(Array.from({ length: 1 + ((burst * 7) % 40) }, (_, n) => call(replicas[n % 2]!)));
      if (burst % 3 === 0) await pause((burst * 13) % 40);
    }
    expect(fullestWindow(arrivals, rate.windowMs)).toBeLessThanOrEqual(rate.limit);
    expect(arrivals.length).toBeGreaterThan(2 * rate.limit);
    await second.close({ keep: true });
  });

  onDatabase('serves as the storage of the throttler', async () => {
    const { bucket } = rateOf(1);
    expect(await limits.increment(bucket, 60_000, 1)).toEqual({
      totalHits: 1,
      timeToExpire: 60,
      isBlocked: false,
      timeToBlockExpire: 0,
    });
    expect(await limits.increment(bucket, 60_000, 1)).toMatchObject({
      isBlocked: true,
      timeToBlockExpire: 60,
    });
  });
});
