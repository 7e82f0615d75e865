import { describeOnPostgres } from '../../../test/support/on-postgres.js';
import { postgresReachable } from '../../../test/support/services.js';
import { openTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { DatabaseAway } from '../away.js';
import type { Tx } from '../tx.js';
import type { WriteGate } from './write-gate.js';
import {
  accountKey,
  bucketKey,
  chatKey,
  idempotencyKey,
  lockNumbers,
  runKey,
  type WriteKey,
} from './write-keys.js';

const A = accountKey('a');
const B = accountKey('b');

describeOnPostgres('units that name what they touch, on PostgreSQL', () => {
  let here: TestDatabase | undefined;
  let there: TestDatabase | undefined;

  beforeAll(async () => {
    if (!(await postgresReachable())) return;
    here = await openTestDatabase('postgres', { entities: [] });
    there = await openTestDatabase('postgres', { entities: [], place: here.place });
    await here.gate.write((tx) =>
      tx.run('CREATE TABLE counters (name text PRIMARY KEY NOT NULL, value integer NOT NULL)'),
    );
  });
  afterAll(async () => {
    await there?.close({ keep: true });
    await here?.close();
  });

  /** Skips aloud (see `postgresReachable`) where the database is absent. */
  const rule = (name: string, body: (here: TestDatabase, there: TestDatabase) => Promise<void>) =>
    it(name, async () => {
      if (!here || !there) return;
      await here.gate.write(async (tx) => {
        await tx.run('DELETE FROM counters');
        await tx.run(`INSERT INTO counters VALUES ('a', 0), ('b', 0)`);
      });
      await body(here, there);
    });

  const add = async (tx: Tx, name: string) => {
    const row = await tx.one<{ value: number }>('SELECT value FROM counters WHERE name = ?', [name]);
    await tx.run('UPDATE counters SET value = ? WHERE name = ?', [row!.value + 1, name]);
  };
  const valueOf = async ({ reader }: TestDatabase, name: string) =>
    (await reader.one<{ value: number }>('SELECT value FROM counters WHERE name = ?', [name]))!.value;

  /** A unit that has begun when this resolves, and stays open until it is let go. */
  async function begun(gate: WriteGate, keys: readonly WriteKey[] | undefined) {
    let letGo = () => undefined as void;
    const until = new Promise<void>((resolve) => (letGo = resolve));
    let end = Promise.resolve();
    await new Promise<void>((resolve) => {
      end = gate.write(async (tx) => {
        await tx.one('SELECT 1 AS one');
        resolve();
        await until;
      }, keys);
    });
    return { letGo, end };
  }

  /** Returns true if the unit ended while the other one was open. */
  async function endsBeside(other: { letGo: () => void; end: Promise<void> }, unit: Promise<unknown>) {
    const ended = await Promise.race([
      unit.then(() => true),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 400)),
    ]);
    other.letGo();
    await Promise.all([other.end, unit]);
    return ended;
  }

  for (const [does, held, asked, isBeside] of [
    ['run at once where they share nothing', [A], [B], true],
    ['wait for each other where they share one name', [A, B], [B], false],
    ['wait for one that names nothing', undefined, [B], false],
    ['hold up one that names nothing', [A], undefined, false],
  ] as const)
    rule(`${does}, in one process and in two`, async (here, there) => {
      for (const { gate } of [here, there]) {
        const open = await begun(here.gate, held);
        const unit = gate.write((tx) => add(tx, 'b'), asked);
        expect(await endsBeside(open, unit)).toBe(isBeside);
      }
      expect(await valueOf(here, 'b')).toBe(2);
    });

  rule('run beside those of a process that has one connection to write on', async (here) => {
    const alone = await openTestDatabase('postgres', {
      entities: [],
      place: here.place,
      env: { WRITE_LANES: '1' },
    });
    for (const [first, second] of [
      [here, alone],
      [alone, here],
    ] as const) {
      const open = await begun(first.gate, [A]);
      expect(
        await endsBeside(
          open,
          second.gate.write((tx) => add(tx, 'b'), [B]),
        ),
      ).toBe(true);
    }
    await alone.close({ keep: true });
  });

  rule('read what the one before has committed, however many there are', async (here, there) => {
    const adds = Array.from({ length: 60 }, (_, index) =>
      [here, there][index % 2]!.gate.write((tx) => add(tx, 'a'), [A]),
    );
    await Promise.all(adds);
    expect(await valueOf(here, 'a')).toBe(60);
  });

  rule('share a transaction with at most 127 others, however few names they have', async ({ gate }) => {
    for (const keys of [[], [A]]) {
      const number = (tx: Tx) => tx.one<{ number: string }>('SELECT pg_current_xact_id()::text AS number');
      const rows = await Promise.all(Array.from({ length: 400 }, () => gate.write(number, keys)));
      const units = new Map<string, number>();
      for (const row of rows) units.set(row!.number, (units.get(row!.number) ?? 0) + 1);
      expect([...units.values()].sort((a, b) => b - a)).toEqual([128, 128, 128, 16]);
    }
  });

  rule(
    'keep their order where they share a name, also behind one that waits for another',
    async ({ gate }) => {
      const order: string[] = [];
      const unit = (name: string, keys: readonly ReturnType<typeof accountKey>[]) =>
        gate.write(async (tx) => {
          await tx.one('SELECT 1 AS one');
          order.push(name);
        }, keys);
      const open = await begun(gate, [A]);
      const both = unit('both', [A, B]);
      const behind = unit('behind', [B]);
      const free = unit('free', [accountKey('c')]);
      await free;
      open.letGo();
      await Promise.all([open.end, both, behind]);
      expect(order).toEqual(['free', 'both', 'behind']);
    },
  );

  rule('are run again where a deadlock ended them: both are kept', async (here, there) => {
    const crossing = (gate: WriteGate, first: string, second: string, key: typeof A) =>
      gate.write(
        async (tx) => {
          await tx.run('UPDATE counters SET value = value + 1 WHERE name = ?', [first]);
          await new Promise((resolve) => setTimeout(resolve, 100));
          await tx.run('UPDATE counters SET value = value + 1 WHERE name = ?', [second]);
        },
        [key],
      );
    await Promise.all([crossing(here.gate, 'a', 'b', A), crossing(there.gate, 'b', 'a', B)]);
    expect([await valueOf(here, 'a'), await valueOf(here, 'b')]).toEqual([2, 2]);
  });

  rule('are run again once, and then told of as a database that is away', async ({ gate }) => {
    let runs = 0;
    const victim = gate.write(
      async (tx) => {
        runs++;
        await tx.run(`DO $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END $$`);
      },
      [A],
    );
    await expect(victim).rejects.toBeInstanceOf(DatabaseAway);
    expect(runs).toBe(2);
  });

  rule('leave no transaction open when the service stops', async (here) => {
    const third = await openTestDatabase('postgres', { entities: [], place: here.place });
    const writes = Array.from({ length: 20 }, (_, index) =>
      third.gate
        .write((tx) => add(tx, 'a'), [index % 2 ? A : accountKey(`c${index}`)])
        .catch(() => undefined),
    );
    await third.close({ keep: true });
    await Promise.all(writes);
    expect(third.gate.lanesInUse).toBe(0);
    await expect(third.gate.write((tx) => add(tx, 'a'), [A])).rejects.toThrow('has stopped');
  });
});

it('locks stand in one order for everybody, each once', () => {
  const keys = [chatKey('f', 'c'), bucketKey('k'), idempotencyKey('s', 'k'), runKey('r'), A, B];
  const numbers = lockNumbers(keys);
  expect(lockNumbers([...keys].reverse().concat(A))).toEqual(numbers);
  expect(numbers).toEqual([...numbers].sort((a, b) => Number(a > b) - Number(a < b)));
  expect(new Set(numbers).size).toBe(keys.length);
  for (const number of numbers) expect(BigInt.asIntN(64, number)).toBe(number);
});
