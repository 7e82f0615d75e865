import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { LEDGER_KINDS } from '../../api/credit.js';

/** A balance and the number of entries behind it. */
@Entity('credit_accounts')
@Check('credit_accounts_balance', 'balance >= 0')
export class CreditAccountEntity {
  @PrimaryColumn('text') account!: string;
  @Column('bigint') balance!: number;
  @Column('bigint') entries!: number;
}

/**
 * A movement of credits. Triggers refuse to change or delete it. The amounts of an account add up to its balance.
 * Instants are epoch milliseconds.
 */
@Entity('credit_entries')
@Check('credit_entries_amount', `amount <> 0 AND (kind = 'charge') = (amount < 0)`)
@Check('credit_entries_balance', 'balance_after >= 0')
@Check('credit_entries_kind', `kind IN ('top_up', 'charge', 'refund')`)
@Index('credit_entries_sequence', ['account', 'sequence'], { unique: true })
@Index('credit_entries_execution', ['executionId', 'kind'], { unique: true })
@Index('credit_entries_top_up', ['account', 'reference'], { unique: true, where: `kind = 'top_up'` })
export class CreditEntryEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') account!: string;
  /** Counts 1, 2, 3 … within the account, without gaps. */
  @Column('bigint') sequence!: number;
  @Column('text') kind!: (typeof LEDGER_KINDS)[number];
  /** The change of the balance: negative for a charge, never 0. */
  @Column('bigint') amount!: number;
  @Column('bigint') balanceAfter!: number;
  @Column('text', { nullable: true }) executionId!: string | null;
  @Column('text', { nullable: true }) reference!: string | null;
  @Column('bigint') createdAt!: number;
}
