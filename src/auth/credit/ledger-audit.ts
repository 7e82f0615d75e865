import type { SqlReader } from '../../database/tx.js';

/** One invariant of the ledger and the rows that break it. */
export interface AuditFinding {
  promise: string;
  /** Number of rows that break the invariant. */
  count: number;
  /** Ids of the first ones. */
  examples: string[];
}

export interface LedgerAudit {
  /** Sum of all counts: 0 if every invariant holds. */
  drift: number;
  accounts: number;
  entries: number;
  findings: AuditFinding[];
}

const FAILED = `x.status = 'failed' AND (x.http_status >= 500 OR x.code = 'interrupted')`;
const NOT_FAILED = `(x.status <> 'failed' OR
  (COALESCE(x.http_status, 0) < 500 AND COALESCE(x.code, '') <> 'interrupted'))`;
/** True if a call under the same key resumed the run of an aborted one and ended with 500. */
const RESUMED_AND_FAILED = `EXISTS (SELECT 1 FROM executions retry WHERE retry.run_id = COALESCE(x.run_id, x.id)
  AND retry.status = 'failed' AND retry.http_status >= 500)`;
const REFUND_OF_E = `SELECT 1 FROM credit_entries r WHERE r.kind = 'refund' AND r.execution_id = e.execution_id`;

/** Each invariant is one statement, so it sees a consistent state of a database in use. */
const promises: readonly (readonly [promise: string, offenders: string])[] = [
  [
    'a balance is the sum of its entries, and none is missing',
    `SELECT a.account AS id FROM credit_accounts a LEFT JOIN
       (SELECT account, SUM(amount) AS total, COUNT(*) AS n FROM credit_entries GROUP BY account) e
       ON e.account = a.account
     WHERE a.balance <> COALESCE(e.total, 0) OR a.entries <> COALESCE(e.n, 0)`,
  ],
  ['no balance is below zero', `SELECT account AS id FROM credit_accounts WHERE balance < 0`],
  [
    'every entry belongs to an account',
    `SELECT e.id FROM credit_entries e LEFT JOIN credit_accounts a ON a.account = e.account
     WHERE a.account IS NULL`,
  ],
  [
    'each entry continues from the balance that the one before it left',
    `SELECT id FROM (SELECT id, amount, balance_after, sequence,
       LAG(balance_after, 1, CAST(0 AS bigint)) OVER (PARTITION BY account ORDER BY sequence) AS balance_before,
       LAG(sequence, 1, CAST(0 AS bigint)) OVER (PARTITION BY account ORDER BY sequence) AS previous
       FROM credit_entries) AS chain
     WHERE balance_after <> balance_before + amount OR sequence <> previous + 1`,
  ],
  [
    'no run is charged twice or refunded twice',
    `SELECT execution_id AS id FROM credit_entries WHERE execution_id IS NOT NULL
     GROUP BY execution_id, kind HAVING COUNT(*) > 1`,
  ],
  [
    'a charge is the price on the record of its run, from the account that it names',
    `SELECT e.id FROM credit_entries e JOIN executions x ON x.id = e.execution_id
     WHERE e.kind = 'charge' AND (x.credits <> -e.amount OR COALESCE(x.account, e.account) <> e.account)`,
  ],
  [
    'every run with a price was charged',
    `SELECT x.id FROM executions x LEFT JOIN credit_entries e ON e.execution_id = x.id AND e.kind = 'charge'
     WHERE x.credits > 0 AND e.id IS NULL`,
  ],
  [
    'a refund gives back the charge of its run, to the account that paid',
    `SELECT r.id FROM credit_entries r
     LEFT JOIN credit_entries e ON e.execution_id = r.execution_id AND e.kind = 'charge'
     WHERE r.kind = 'refund' AND (e.id IS NULL OR e.amount <> -r.amount OR e.account <> r.account)`,
  ],
  [
    'the record of a run says what was given back',
    `SELECT x.id FROM executions x LEFT JOIN credit_entries r ON r.execution_id = x.id AND r.kind = 'refund'
     WHERE x.refunded <> COALESCE(r.amount, 0)`,
  ],
  [
    'every charged run that failed with 5xx or was interrupted is refunded',
    `SELECT e.id FROM credit_entries e JOIN executions x ON x.id = e.execution_id
     WHERE e.kind = 'charge' AND ${FAILED} AND NOT EXISTS (${REFUND_OF_E})`,
  ],
  [
    'nothing else is refunded',
    `SELECT e.id FROM credit_entries e JOIN executions x ON x.id = e.execution_id
     WHERE e.kind = 'refund' AND ${NOT_FAILED} AND NOT (x.status = 'aborted' AND ${RESUMED_AND_FAILED})`,
  ],
];

/** Holds only if no record was deleted or has passed its retention. */
const everyCharge = [
  'every charge has the record of its run',
  `SELECT e.id FROM credit_entries e LEFT JOIN executions x ON x.id = e.execution_id
   WHERE e.kind = 'charge' AND x.id IS NULL`,
] as const;

/**
 * Checks every invariant of the ledger against its rows (contract section 4). With `recordsKept`, every charge must
 * have its record: only for databases from which no executions were deleted.
 */
export async function auditLedger(
  reader: SqlReader,
  options: { recordsKept?: boolean } = {},
): Promise<LedgerAudit> {
  const findings: AuditFinding[] = [];
  for (const [promise, offenders] of options.recordsKept ? [...promises, everyCharge] : promises) {
    const total = await reader.one<{ n: number }>(`SELECT COUNT(*) AS n FROM (${offenders}) AS found`);
    const count = total?.n ?? 0;
    const examples = count === 0 ? [] : await reader.all<{ id: string }>(`${offenders} LIMIT 5`);
    findings.push({ promise, count, examples: examples.map(({ id }) => id) });
  }
  const size = await reader.one<{ accounts: number; entries: number }>(
    `SELECT (SELECT COUNT(*) FROM credit_accounts) AS accounts, (SELECT COUNT(*) FROM credit_entries) AS entries`,
  );
  const drift = findings.reduce((sum, finding) => sum + finding.count, 0);
  return { drift, accounts: size?.accounts ?? 0, entries: size?.entries ?? 0, findings };
}

/** Formats the audit for a terminal. */
export function auditReport({ drift, accounts, entries, findings }: LedgerAudit): string {
  const lines = findings.map(({ promise, count, examples }) =>
    count === 0 ? `  ok     ${promise}` : `  BROKEN ${promise}: ${count} (${examples.join(', ')})`,
  );
  return [`ledger of ${accounts} accounts, ${entries} entries`, ...lines, `drift ${drift}`, ''].join('\n');
}
