import { databases } from '../../../test/support/databases.js';
import { openLedger } from '../../../test/support/open-ledger.js';
import { postgresReachable } from '../../../test/support/services.js';
import { openTestDatabase } from '../../../test/support/test-database.js';
import { auditLedger } from './ledger-audit.js';

describe.each(databases)('the audit of a ledger on %s', (kind) => {
  let reachable = true;

  beforeAll(async () => {
    reachable = kind === 'sqlite' || (await postgresReachable());
  });

  /** Damages a ledger of its own and counts what the audit finds. */
  const findings = async (damage: (room: ReturnType<typeof openLedger>) => Promise<unknown>) => {
    const fresh = await openTestDatabase(kind);
    const own = openLedger(fresh);
    await own.ledger.topUp({ account: 'a', amount: 100, reference: 'first' });
    await own.end(await own.start('a', 5), 'succeeded', 200);
    await damage(own);
    const { findings: found, drift } = await auditLedger(fresh.reader, { recordsKept: true });
    await fresh.close();
    const broken = found.filter(({ count }) => count > 0);
    expect(drift).toBe(broken.reduce((sum, { count }) => sum + count, 0));
    return broken.map(({ promise }) => promise);
  };
  const sql = (text: string) => (own: ReturnType<typeof openLedger>) => own.gate.write((tx) => tx.run(text));
  const entry = (columns: string) =>
    sql(`INSERT INTO credit_entries (id, account, sequence, kind, amount, balance_after, execution_id,
        reference, created_at) VALUES (${columns})`);

  it.each([
    ['a balance was changed', sql(`UPDATE credit_accounts SET balance = 96`), 'a balance is the sum'],
    ['an account is gone', sql(`DELETE FROM credit_accounts`), 'every entry belongs'],
    ['an entry is forged', entry(`'x', 'a', 9, 'top_up', 7, 500, NULL, 'r', 1`), 'each entry continues'],
    ['a run was never charged', sql(`UPDATE executions SET credits = 6`), 'a charge is the price'],
    [
      'a record tells of a refund that was none',
      sql(`UPDATE executions SET refunded = 5`),
      'the record of a run',
    ],
    ['a record is missing', sql(`DELETE FROM executions`), 'every charge has the record'],
    [
      'a failed run kept its charge',
      sql(`UPDATE executions SET status = 'failed', http_status = 500`),
      'every charged run',
    ],
    [
      'a refund has no charge',
      entry(`'x', 'a', 3, 'refund', 5, 100, 'gone', NULL, 1`),
      'a refund gives back',
    ],
  ])('finds that %s', async (_, damage, promise) => {
    if (!reachable) return;
    expect(await findings(damage)).toContainEqual(expect.stringMatching(`^${promise}`));
  });

  it('finds that a run with a price was never charged', async () => {
    if (!reachable) return;
    const uncharged = sql(`INSERT INTO executions (id, kind, status, started_at, credits)
        VALUES ('x', 'prediction', 'succeeded', 1, 2)`);
    expect(await findings(uncharged)).toEqual(['every run with a price was charged']);
  });

  it('finds that a run was refunded which did not fail', async () => {
    if (!reachable) return;
    const refund = async (own: ReturnType<typeof openLedger>) => {
      const id = await own.start('a', 5);
      await own.end(id, 'failed', 500);
      await own.gate.write((tx) => tx.run(`UPDATE executions SET status = 'aborted' WHERE id = ?`, [id]));
    };
    expect(await findings(refund)).toEqual(['nothing else is refunded']);
  });
});
