import { type Dialect, Migration } from './migration.js';

/**
 * Address block, API keys, rate limits, and accounts with their append-only ledger. A table with checks ends on the line of
 * the last one, because TypeORM finds them by that on SQLite.
 */
export class AddAccess1700000003000 extends Migration {
  statements(dialect: Dialect): string[] {
    return [
      `CREATE TABLE address_strikes (
        address text PRIMARY KEY NOT NULL,
        earlier_at bigint,
        latest_at bigint,
        blocked_at bigint,
        blocked_until bigint,
        expires_at bigint NOT NULL
      )`,
      `CREATE INDEX address_strikes_expiry ON address_strikes (expires_at)`,
      `CREATE TABLE address_misses (
        address text NOT NULL,
        flow_id_hash text NOT NULL,
        missed_at bigint NOT NULL,
        PRIMARY KEY (address, flow_id_hash)
      )`,
      `CREATE INDEX address_misses_missed ON address_misses (missed_at)`,
      `CREATE TABLE api_keys (
        id text PRIMARY KEY NOT NULL,
        name text NOT NULL,
        hash text NOT NULL,
        created_at bigint NOT NULL,
        last_used_at bigint,
        revoked_at bigint
      )`,
      `CREATE INDEX api_keys_hash ON api_keys (hash)`,
      `CREATE TABLE rate_limit_hits (
        bucket text NOT NULL,
        nth bigint NOT NULL,
        counted_at bigint NOT NULL,
        expires_at bigint NOT NULL,
        PRIMARY KEY (bucket, nth)
      )`,
      `CREATE INDEX rate_limit_hits_counted ON rate_limit_hits (bucket, counted_at, nth)`,
      `CREATE INDEX rate_limit_hits_expiry ON rate_limit_hits (expires_at)`,
      `CREATE TABLE credit_accounts (
        account text PRIMARY KEY NOT NULL,
        balance bigint NOT NULL,
        entries bigint NOT NULL,
        CONSTRAINT "credit_accounts_balance" CHECK (balance >= 0))`,
      `CREATE TABLE credit_entries (
        id text PRIMARY KEY NOT NULL,
        account text NOT NULL,
        sequence bigint NOT NULL,
        kind text NOT NULL,
        amount bigint NOT NULL,
        balance_after bigint NOT NULL,
        execution_id text,
        reference text,
        created_at bigint NOT NULL,
        CONSTRAINT "credit_entries_amount" CHECK (amount <> 0 AND (kind = 'charge') = (amount < 0)),
        CONSTRAINT "credit_entries_balance" CHECK (balance_after >= 0),
        CONSTRAINT "credit_entries_kind" CHECK (kind IN ('top_up', 'charge', 'refund')))`,
      // An account's history has no gap and no branch.
      `CREATE UNIQUE INDEX credit_entries_sequence ON credit_entries (account, sequence)`,
      // A run is charged once and refunded once.
      `CREATE UNIQUE INDEX credit_entries_execution ON credit_entries (execution_id, kind)`,
      `CREATE UNIQUE INDEX credit_entries_top_up ON credit_entries (account, reference) WHERE kind = 'top_up'`,
      ...APPEND_ONLY[dialect],
    ];
  }
}

const APPEND_ONLY: Record<Dialect, string[]> = {
  sqlite: ['UPDATE', 'DELETE'].map(
    (change) => `CREATE TRIGGER credit_entries_no_${change.toLowerCase()} BEFORE ${change} ON credit_entries
      BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END`,
  ),
  postgres: [
    `CREATE FUNCTION credit_entries_refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$`,
    `CREATE TRIGGER credit_entries_append_only BEFORE UPDATE OR DELETE ON credit_entries
      FOR EACH ROW EXECUTE FUNCTION credit_entries_refuse()`,
  ],
};
