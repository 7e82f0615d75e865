import { databases } from '../../../test/support/databases.js';
import { eventually } from '../../../test/support/eventually.js';
import { fixtureOn } from '../../../test/support/fixture-on.js';
import { StoppedClock } from '../../../test/support/stopped-clock.js';
import {
  draftOf,
  executionsOn,
  openTestExecutions,
  succeededAt,
} from '../../../test/support/test-executions.js';
import { Logger } from '../../common/logger.js';
import type { DatabaseReader } from '../../database/database-reader.js';
import type { ExecutionLog } from '../log/execution-log.js';
import { ExecutionFeed, OPEN_RUNS } from './execution-feed.js';

type Rows = { id: string; status: string; startedAt: number; finishedAt: null }[];

/** A database that answers when the test says so, except that no earlier run is open. */
class SlowReader {
  private readonly asked: { resolve: (rows: Rows) => void; reject: (error: Error) => void }[] = [];

  all(sql: string): Promise<Rows> {
    if (sql === OPEN_RUNS) return Promise.resolve([]);
    return new Promise((resolve, reject) => this.asked.push({ resolve, reject }));
  }

  get waiting(): number {
    return this.asked.length;
  }

  /** Answers what was asked first, once it has been asked. */
  async answer(rows: Rows | Error): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const first = this.asked.shift()!;
    if (rows instanceof Error) first.reject(rows);
    else first.resolve(rows);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const row = (id: string, status = 'running') => ({ id, status, startedAt: 1_000, finishedAt: null });

describe('the live feed', () => {
  let reader: SlowReader;
  let feed: ExecutionFeed;
  let seen: string[];
  const watch = () => feed.watch(({ id, status }) => seen.push(`${id} ${status}`));

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    reader = new SlowReader();
    seen = [];
    const log = { onChanged: () => undefined } as unknown as ExecutionLog;
    const database = reader as unknown as DatabaseReader;
    feed = new ExecutionFeed(database, new StoppedClock(), new Logger('silent'), log);
  });

  afterEach(() => {
    feed.onModuleDestroy();
    jest.useRealTimers();
  });

  /** A turn of the clock that begins a look, and what the database answers to it. */
  const look = async (rows: Rows | Error) => {
    await jest.advanceTimersByTimeAsync(500);
    await reader.answer(rows);
  };

  it('learns what is there, and shows what begins and ends from then on', async () => {
    watch();
    await reader.answer([row('old')]);
    await look([row('old'), row('new')]);
    await look([row('old', 'failed'), row('new')]);
    expect(seen).toEqual(['new running', 'old failed']);
  });

  it('is ready once it has learned', async () => {
    watch();
    let ready = false;
    void feed.ready().then(() => (ready = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(ready).toBe(false);
    await reader.answer([]);
    expect(ready).toBe(true);
  });

  it('shows nothing old to one who comes while it still looks for those who left', async () => {
    const leave = watch();
    await reader.answer([row('old')]);
    await jest.advanceTimersByTimeAsync(500);
    leave();
    watch();
    let ready = false;
    void feed.ready().then(() => (ready = true));
    await reader.answer([row('old')]);
    expect([reader.waiting, ready]).toEqual([1, false]);
    await reader.answer([row('old'), row('between')]);
    expect([seen, ready]).toEqual([[], true]);
    await look([row('old'), row('between'), row('new')]);
    expect(seen).toEqual(['new running']);
  });

  it('learns with its next look where the first one failed', async () => {
    watch();
    await reader.answer(new Error('the database is away'));
    await look([row('old')]);
    await look([row('old'), row('new')]);
    expect(seen).toEqual(['new running']);
  });
});

describe.each(databases)('the live feed on %s', (kind) => {
  const { rule } = fixtureOn(kind, () => openTestExecutions(kind));

  rule('shows the end of earlier runs in other processes', async ({ database, gate, clock, feed }) => {
    const { log } = executionsOn(database);
    const minuteAgo = clock.now() - 60_000;
    const [running, waiting] = [draftOf(minuteAgo), draftOf(minuteAgo + 1)];
    await gate.write((tx) => log.openAll(tx, [running, waiting]));
    const settle = (id: string, status: 'waiting' | 'succeeded' | 'failed') =>
      gate.write((tx) => log.settle(tx, id, succeededAt(clock.now(), { status })));
    await settle(waiting.id, 'waiting');
    const seen: string[] = [];
    const leave = feed.watch(({ id, status }) => seen.push(`${id} ${status}`));
    await feed.ready();
    await settle(running.id, 'succeeded');
    await settle(waiting.id, 'failed');
    const ends = [`${running.id} succeeded`, `${waiting.id} failed`];
    await eventually(() => seen.length >= ends.length);
    leave();
    expect(seen.toSorted()).toEqual(ends);
  });
});
