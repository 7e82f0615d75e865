import { databases } from '../../../test/support/databases.js';
import { openLedger } from '../../../test/support/open-ledger.js';
import { postgresReachable } from '../../../test/support/services.js';
import { StoppedClock } from '../../../test/support/stopped-clock.js';
import { openTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import type { Tx } from '../../database/tx.js';
import { newExecutionId } from '../../executions/execution-id.js';
import { auditLedger, auditReport } from './ledger-audit.js';

const clock = new StoppedClock();
let accounts = 0;
const freshAccount = () => `account ${++accounts}`;

describe.each(databases)('the credit ledger on %s', (kind) => {
  let database: TestDatabase | undefined;
  let room: ReturnType<typeof openLedger>;
  let account: string;

  const onDatabase = (name: string, test: () => Promise<void>) =>
    it(name, async () => {
      if (!database) return;
      await test();
      const audit = await auditLedger(database.reader, { recordsKept: true });
      expect(auditReport(audit)).toMatch(/^drift 0$/m);
    });
  const topUp = (amount: number, reference = `for ${account}`) =>
    room.ledger.topUp({ account, amount, reference });
  const kinds = async () => (await room.ledger.entries(account, 100)).map((entry) => entry.kind);

  beforeAll(async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    database = await openTestDatabase(kind);
    room = openLedger(database);
  });

  beforeEach(() => {
    account = freshAccount();
  });

  afterAll(() => database?.close());

  onDatabase('2,000 runs at once with credit for 500 are exactly 500 runs and 1,500 refusals', async () => {
    await topUp(500);
    const runs = await Promise.allSettled(Array.from({ length: 2_000 }, () => room.start(account)));
    const refusals = runs.filter((run) => run.status === 'rejected').map((run) => run.reason as unknown);
    expect(refusals).toHaveLength(1_500);
    expect(refusals[0]).toMatchObject({ status: 402, code: 'insufficient_credit' });
    expect(await room.ledger.balance(account)).toBe(0);
  });

  onDatabase('two replicas never spend the same credit', async () => {
    await topUp(50);
    const second = await openTestDatabase(kind, { place: database!.place });
    const there = openLedger(second);
    const runs = await Promise.allSettled(
      Array.from({ length: 200 }, (_, run) => (run % 2 ? room : there).start(account)),
    );
    expect(runs.filter((run) => run.status === 'fulfilled')).toHaveLength(50);
    expect(await there.ledger.balance(account)).toBe(0);
    await second.close({ keep: true });
  });

  onDatabase('a balance below the price is 402 and charges nothing', async () => {
    await topUp(4);
    await expect(room.start(account, 5)).rejects.toMatchObject({ status: 402 });
    expect(await room.ledger.balance(account)).toBe(4);
    await room.start(account, 4);
    expect(await room.ledger.balance(account)).toBe(0);
  });

  onDatabase('an account that nobody has topped up has 0 credits and pays nothing', async () => {
    expect(await room.ledger.balance(account)).toBe(0);
    await expect(room.start(account)).rejects.toMatchObject({ code: 'insufficient_credit' });
    expect(await room.ledger.entries(account, 10)).toEqual([]);
  });

  onDatabase('a flow with price 0 is not charged', async () => {
    await room.start(account, 0);
    expect(await room.ledger.entries(account, 10)).toEqual([]);
  });

  onDatabase('the charge is undone with the transaction that starts the run', async () => {
    await topUp(10);
    const unit = (tx: Tx) =>
      room.ledger
        .charge(tx, { account, amount: 3, executionId: newExecutionId(clock.now()), at: clock.now() })
        .then(() => Promise.reject(new Error('the start failed')));
    await expect(room.gate.write(unit)).rejects.toThrow('the start failed');
    expect(await room.ledger.balance(account)).toBe(10);
    expect(await kinds()).toEqual(['top_up']);
  });

  onDatabase('a run that ends 500 is refunded once', async () => {
    await topUp(10);
    const id = await room.start(account, 3);
    expect(await room.end(id, 'failed', 500, 'flow_failed')).toBe(true);
    expect(await room.end(id, 'failed', 500, 'flow_failed')).toBe(false);
    expect(await room.ledger.balance(account)).toBe(10);
    const entries = await room.ledger.entries(account, 10);
    expect(entries).toMatchObject([
      { kind: 'refund', amount: 3, balanceAfter: 10, executionId: id },
      { kind: 'charge', amount: -3, balanceAfter: 7, executionId: id },
      { kind: 'top_up', amount: 10, balanceAfter: 10, reference: `for ${account}` },
    ]);
  });

  onDatabase('a run whose process died is refunded', async () => {
    await topUp(10);
    await room.end(await room.start(account, 3), 'failed', 500, 'interrupted');
    expect(await room.ledger.balance(account)).toBe(10);
  });

  onDatabase('neither a run that succeeded nor one that was aborted is refunded', async () => {
    await topUp(10);
    await room.end(await room.start(account, 3), 'succeeded', 200);
    await room.end(await room.start(account, 3), 'aborted', 499, 'aborted');
    expect(await room.ledger.balance(account)).toBe(4);
  });

  onDatabase('with a third of the runs failing, what succeeded and what is left is the credit', async () => {
    await topUp(60);
    const runs = await Promise.allSettled(
      Array.from({ length: 120 }, async (_, run) => {
        const id = await room.start(account);
        await (run % 3 === 0 ? room.end(id, 'failed', 500) : room.end(id, 'succeeded', 200));
        return run % 3 === 0 ? 0 : 1;
      }),
    );
    const paid = runs.reduce((sum, run) => sum + (run.status === 'fulfilled' ? run.value : 0), 0);
    expect(paid + (await room.ledger.balance(account))).toBe(60);
  });

  onDatabase('the same reference twice is one top-up, at once or later', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => topUp(7, 'invoice 1')));
    expect(new Set(answers.map(({ entry }) => entry.id)).size).toBe(1);
    expect((await topUp(5, 'invoice 2')).balance).toBe(12);
    expect((await topUp(7, 'invoice 1')).balance).toBe(12);
  });

  onDatabase('the same reference with another amount is 409 and books nothing', async () => {
    await topUp(7, 'invoice 1');
    await expect(topUp(9, 'invoice 1')).rejects.toMatchObject({ status: 409, code: 'reference_reused' });
    expect(await room.ledger.balance(account)).toBe(7);
    expect(await kinds()).toEqual(['top_up']);
  });

  onDatabase('a balance that could no longer be counted exactly is refused', async () => {
    await topUp(Number.MAX_SAFE_INTEGER - 1, 'all');
    await expect(topUp(2, 'more')).rejects.toMatchObject({ status: 400, errors: [{ path: 'amount' }] });
    expect((await topUp(1, 'one')).balance).toBe(Number.MAX_SAFE_INTEGER);
  });

  onDatabase('entries come in pages, newest first', async () => {
    for (let payment = 1; payment <= 5; payment++) await topUp(payment, `payment ${payment}`);
    const first = await room.ledger.entries(account, 2);
    expect(first.map((entry) => entry.amount)).toEqual([5, 4]);
    const rest = await room.ledger.entries(account, 10, first.at(-1)!.sequence);
    expect(rest.map((entry) => entry.amount)).toEqual([3, 2, 1]);
  });

  onDatabase('entries can be neither changed nor deleted', async () => {
    await topUp(10);
    for (const sql of ['UPDATE credit_entries SET amount = 1', 'DELETE FROM credit_entries']) {
      await expect(room.gate.write((tx) => tx.run(sql))).rejects.toThrow('append-only');
    }
  });

  it('the default account gets INITIAL_CREDIT at first start only', async () => {
    if (!database) return;
    const fresh = await openTestDatabase(kind);
    for (const initialCredit of ['250', '900']) {
      await openLedger(fresh, { initialCredit }).ledger.onModuleInit();
    }
    const { ledger } = openLedger(fresh);
    expect(await ledger.balance('default')).toBe(250);
    expect(await ledger.entries('default', 10)).toMatchObject([{ kind: 'top_up', amount: 250 }]);
    await fresh.close();
  });

  it('a first start with INITIAL_CREDIT 0 stays at 0 ever after', async () => {
    if (!database) return;
    const fresh = await openTestDatabase(kind);
    await openLedger(fresh, { initialCredit: '0' }).ledger.onModuleInit();
    await openLedger(fresh).ledger.onModuleInit();
    expect(await openLedger(fresh).ledger.balance('default')).toBe(0);
    await fresh.close();
  });
});
