/** A movement of credits, append-only. The amounts of an account add up to its balance. Instants are epoch milliseconds. */
export interface LedgerEntry {
  id: string;
  account: string;
  /** 1, 2, 3 … within the account, without a gap. */
  sequence: number;
  kind: 'top_up' | 'charge' | 'refund';
  /** What the balance moved by: negative for a charge, never 0. */
  amount: number;
  balanceAfter: number;
  executionId: string | null;
  reference: string | null;
  at: number;
}

/** The entry as it is stored. Its members stand in the order of `ENTRY_COLUMNS`. */
export interface EntryRow {
  id: string;
  account: string;
  sequence: number;
  kind: LedgerEntry['kind'];
  amount: number;
  balance_after: number;
  execution_id: string | null;
  reference: string | null;
  created_at: number;
}

export const ENTRY_COLUMNS =
  'id, account, sequence, kind, amount, balance_after, execution_id, reference, created_at';

export const toEntry = (row: EntryRow): LedgerEntry => ({
  id: row.id,
  account: row.account,
  sequence: row.sequence,
  kind: row.kind,
  amount: row.amount,
  balanceAfter: row.balance_after,
  executionId: row.execution_id,
  reference: row.reference,
  at: row.created_at,
});
