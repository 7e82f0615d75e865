import { databases } from '../../../test/support/databases.js';
import { postgresReachable } from '../../../test/support/services.js';
import { StoppedClock } from '../../../test/support/stopped-clock.js';
import { openTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { ServiceError } from '../../common/service-error.js';
import type { Tx } from '../../database/tx.js';
import type { SharedWork } from '../../database/writes/shared-work.js';
import { type FlowStore } from '../../flows/store/flow-store.js';
import { AccessCache } from '../access-cache.js';
import { AddressBlock } from './address-block.js';

const MINUTE = 60_000;
const codeOf = (error: ServiceError) => error.code;
const YEAR = 365 * 24 * 60 * MINUTE;
/** Each test begins long after the one before, whose sweep may still run and deletes what had expired by its clock. */
let begins = Date.parse('2026-11-21T09:30:00.000Z');
let addresses = 0;
/** An address of the test's own, so that all tests share one database. */
const freshAddress = () => `198.51.100.${++addresses}`;

const noFlows = { cached: () => undefined } as unknown as FlowStore;
const blockOf = ({ reader, gate, logger }: TestDatabase, clock: StoppedClock) =>
  new AddressBlock(reader, gate, clock, logger);
const accessCacheOf = ({ reader }: TestDatabase) => new AccessCache(reader, noFlows);

describe.each(databases)('the address block on %s', (kind) => {
  let database: TestDatabase | undefined;
  let clock: StoppedClock;
  let block: AddressBlock;
  let accessCache: AccessCache;

  const onDatabase = (name: string, test: () => Promise<void>) =>
    it(name, async () => {
      if (database) await test();
    });

  const isBlocked = async (address: string) => {
    try {
      block.check(address, (await accessCache.readAgain(address)).blockedUntil);
      return false;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'address_blocked') return true;
      throw error;
    }
  };

  const strikes = async (address: string, atMs: readonly number[]) => {
    let last = 0;
    const codes: string[] = [];
    for (const at of atMs) {
      clock.advance(at - last);
      last = at;
      codes.push(codeOf(await block.strike(address)));
    }
    return codes;
  };

  beforeAll(async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    database = await openTestDatabase(kind);
    accessCache = accessCacheOf(database);
  });

  beforeEach(() => {
    clock = new StoppedClock((begins += YEAR));
    if (database) block = blockOf(database, clock);
  });

  afterAll(() => database?.close());

  onDatabase('a flood of one address takes few statements, for which the calls of others wait', async () => {
    const { strikes: work } = block as unknown as { strikes: SharedWork<object, number | undefined> };
    const write = work.write.bind(work);
    let statements = 0;
    const counted = <Result>(result: Result) => (statements++, result);
    work.write = (tx, items) =>
      write(
        Object.assign(Object.create(tx) as Tx, {
          all: (...given: Parameters<Tx['all']>) => counted(tx.all(...given)),
          one: (...given: Parameters<Tx['one']>) => counted(tx.one(...given)),
        }),
        items,
      );
    const address = freshAddress();
    const answers = await Promise.all(Array.from({ length: 200 }, () => block.strike(address)));
    const codes = answers.map(codeOf);
    expect(codes.slice(0, 3)).toEqual(['flow_not_found', 'flow_not_found', 'flow_not_found']);
    expect(new Set(codes.slice(3))).toEqual(new Set(['address_blocked']));
    expect(statements).toBeLessThan(20);
  });

  onDatabase('three 404 answers within 15 minutes block the address for one hour', async () => {
    const address = freshAddress();
    expect(await strikes(address, [0, 1000])).toEqual(['flow_not_found', 'flow_not_found']);
    expect(await isBlocked(address)).toBe(false);
    expect(codeOf(await block.strike(address))).toBe('flow_not_found');
    expect(await isBlocked(address)).toBe(true);
    clock.advance(60 * MINUTE - 1);
    expect(await isBlocked(address)).toBe(true);
    clock.advance(1);
    expect(await isBlocked(address)).toBe(false);
  });

  onDatabase('a block that was written before the clock was set back is over', async () => {
    const address = freshAddress();
    await strikes(address, [0, 0, 0]);
    clock.advance(-60 * MINUTE);
    expect(await isBlocked(address)).toBe(false);
    expect(codeOf(await block.strike(address))).toBe('flow_not_found');
    expect(await strikes(address, [0, 0])).toEqual(['flow_not_found', 'flow_not_found']);
    expect(await isBlocked(address)).toBe(true);
  });

  onDatabase('a third miss 899.9 s after the first blocks, one 900.1 s after it does not', async () => {
    const [inside, outside] = [freshAddress(), freshAddress()];
    await strikes(inside, [0, 300_000, 899_900]);
    expect(await isBlocked(inside)).toBe(true);
    await strikes(outside, [0, 300_000, 900_100]);
    expect(await isBlocked(outside)).toBe(false);
  });

  onDatabase('the window slides: the second miss is the first of the next three', async () => {
    const address = freshAddress();
    await strikes(address, [0, 10 * MINUTE, 16 * MINUTE]);
    expect(await isBlocked(address)).toBe(false);
    await strikes(address, [4 * MINUTE]);
    expect(await isBlocked(address)).toBe(true);
  });

  onDatabase('of 100 parallel misses exactly three are 404 and 97 are 429', async () => {
    const address = freshAddress();
    const errors = await Promise.all(Array.from({ length: 100 }, () => block.strike(address)));
    expect(errors.filter((error) => error.status === 404)).toHaveLength(3);
    expect(errors.filter((error) => error.status === 429)).toHaveLength(97);
    expect(errors.find((error) => error.status === 429)?.headers['Retry-After']).toBe('3600');
  });

  onDatabase('calls of a blocked address do not extend its block', async () => {
    const address = freshAddress();
    await strikes(address, [0, 0, 0]);
    clock.advance(30 * MINUTE);
    expect(codeOf(await block.strike(address))).toBe('address_blocked');
    const { blockedUntil } = await accessCache.readAgain(address);
    const refusal = expect.objectContaining({ headers: { 'Retry-After': '1800' } });
    expect(() => block.check(address, blockedUntil)).toThrow(refusal);
    clock.advance(30 * MINUTE);
    expect(await isBlocked(address)).toBe(false);
  });

  onDatabase('a refusal says for how long, and how an admin lifts the block', async () => {
    const address = freshAddress();
    await strikes(address, [0, 0, 0]);
    clock.advance(59 * MINUTE + 30_000);
    const { message } = await block.strike(address);
    expect(message).toContain('is blocked for another 1 minute.');
    expect(message).toContain(`DELETE /api/v1/address-blocks/${address}, or under Access in the console`);
  });

  onDatabase('a refusal names a network as the route takes it', async () => {
    const network = '2001:db8:0:7::/64';
    await strikes(network, [0, 0, 0]);
    const { message } = await block.strike(network);
    expect(message).toContain('for another 60 minutes');
    expect(message).toContain('DELETE /api/v1/address-blocks/2001:db8:0:7::%2F64,');
  });

  onDatabase('after the hour it takes three misses again', async () => {
    const address = freshAddress();
    await strikes(address, [0, 0, 0]);
    clock.advance(60 * MINUTE);
    expect(await strikes(address, [0, 0])).toEqual(['flow_not_found', 'flow_not_found']);
    expect(await isBlocked(address)).toBe(false);
    await block.strike(address);
    expect(await isBlocked(address)).toBe(true);
  });

  onDatabase('an unknown id of a client endpoint counts once per address and id', async () => {
    const [address, other] = [freshAddress(), freshAddress()];
    for (let call = 0; call < 10; call++) {
      expect(codeOf(await block.strike(address, { onceFor: 'gone' }))).toBe('flow_not_found');
    }
    await block.strike(address, { onceFor: 'gone \0 too' });
    expect(await isBlocked(address)).toBe(false);
    await block.strike(other, { onceFor: 'gone' });
    await block.strike(address, { onceFor: 'third' });
    expect(await isBlocked(address)).toBe(true);
    expect(await isBlocked(other)).toBe(false);
  });

  onDatabase('holds on every replica and survives a restart', async () => {
    const address = freshAddress();
    const second = await openTestDatabase(kind, { place: database!.place });
    const there = blockOf(second, clock);
    await block.strike(address);
    await there.strike(address);
    await block.strike(address);
    expect((await accessCacheOf(second).readAgain(address)).blockedUntil).toBeGreaterThan(clock.now());
    await second.close({ keep: true });
    expect(await isBlocked(address)).toBe(true);
  });

  onDatabase('misses on two replicas at once are counted together', async () => {
    const address = freshAddress();
    const second = await openTestDatabase(kind, { place: database!.place });
    const there = blockOf(second, clock);
    const errors = await Promise.all(
      Array.from({ length: 60 }, (_, call) => (call % 2 ? block : there).strike(address)),
    );
    expect(errors.filter((error) => error.status === 404)).toHaveLength(3);
    await second.close({ keep: true });
  });

  onDatabase('admins list blocks and lift them', async () => {
    const address = freshAddress();
    await strikes(address, [0, 0, 0]);
    expect(await block.list()).toContainEqual({
      address,
      blockedAt: clock.now(),
      blockedUntil: clock.now() + 60 * MINUTE,
    });
    expect(await block.lift(address)).toBe(true);
    expect(await isBlocked(address)).toBe(false);
    expect(await block.list()).not.toContainEqual(expect.objectContaining({ address }));
    expect(await block.lift(address)).toBe(false);
  });

  /** Resolves when the sweep that a strike has begun is over: a unit without keys waits for all before it. */
  const swept = () => database!.gate.write(async () => undefined);

  onDatabase('forgets what can no longer count', async () => {
    const address = freshAddress();
    await block.strike(address, { onceFor: 'gone' });
    clock.advance(31 * 24 * 60 * MINUTE);
    await block.strike(freshAddress());
    await swept();
    const rows = await database!.reader.all(
      `SELECT address FROM address_strikes WHERE address = ? UNION ALL
       SELECT address FROM address_misses WHERE address = ?`,
      [address, address],
    );
    expect(rows).toEqual([]);
  });

  onDatabase('forgets neither misses nor a block for a replica whose clock is a minute ahead', async () => {
    const [missed, blocked] = [freshAddress(), freshAddress()];
    const sweepAhead = async () => {
      const ahead = new StoppedClock(clock.now() + MINUTE);
      await blockOf(database!, ahead).strike(freshAddress());
      await swept();
    };
    await strikes(blocked, [0, 0, 0]);
    await strikes(missed, [0, 0]);
    clock.advance(15 * MINUTE);
    await sweepAhead();
    await block.strike(missed);
    expect(await isBlocked(missed)).toBe(true);
    clock.advance(45 * MINUTE - 1);
    await sweepAhead();
    expect(await isBlocked(blocked)).toBe(true);
  });

  onDatabase('a strike beside a sweep is never lost', async () => {
    const second = await openTestDatabase(kind, { place: database!.place });
    for (let round = 0; round < 10; round++) {
      const expired = Array.from({ length: 20 }, freshAddress);
      await Promise.all(expired.map((address) => block.strike(address)));
      clock.advance(17 * MINUTE);
      const sweeping = blockOf(second, clock).strike(freshAddress());
      for (let miss = 0; miss < 3; miss++) await Promise.all(expired.map((address) => block.strike(address)));
      await sweeping;
      expect(await Promise.all(expired.map(isBlocked))).toEqual(expired.map(() => true));
      clock.advance(61 * MINUTE);
    }
    await second.close({ keep: true });
  });
});

it('notes the latest misses of twenty thousand addresses, not more', async () => {
  const done = () => Promise.resolve(undefined);
  const gate = { write: done, writeTogether: done };
  const database = { gate, reader: {}, logger: {} } as unknown as TestDatabase;
  const block = blockOf(database, new StoppedClock());
  const strike = (n: number) => block.strike(`10.0.${n >> 8}.${n & 255}`);
  for (let n = 0; n < 20_001; n++) await strike(n);
  expect(await block.hasMissed('10.0.0.0')).toBe(false);
  expect(await block.hasMissed('10.0.0.1')).toBe(true);
});
