import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LessThan, MoreThan } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { EntityColumns } from '../../database/entity-columns.js';
import type { SqlReader, Tx } from '../../database/tx.js';
import { insertRows } from '../../database/writes/insert-rows.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import type { SettledExecution } from '../../executions/execution.js';
import { ExecutionLog } from '../../executions/log/execution-log.js';
import { InsufficientCredit, ReferenceReused, tooMuch } from './credit-errors.js';
import { CreditAccountEntity, CreditEntryEntity as LedgerEntry } from './credit.entity.js';

/** The account of flows that name none. It gets `INITIAL_CREDIT` at the first start. */
export const DEFAULT_ACCOUNT = 'default';

export interface Charge {
  account: string;
  /** Credits; 0 charges nothing and writes no entry. */
  amount: number;
  /** True if the caller holds the flow's key or is an admin, and so may know the account's name. */
  knowsAccount?: boolean;
  executionId: string;
  /** Epoch milliseconds. */
  at: number;
}

export interface TopUp {
  account: string;
  amount: number;
  /** Idempotency key of the payment: the same reference and amount twice is one top-up. */
  reference: string;
}

export interface ToppedUp {
  balance: number;
  entry: LedgerEntry;
  /** True if the entry existed before: nothing was added. */
  repeated: boolean;
}

/** An entry to be: `amount` is negative for a charge. */
interface Movement {
  account: string;
  kind: LedgerEntry['kind'];
  amount: number;
  executionId?: string;
  reference?: string;
  at: number;
}

/**
 * Integer credits per account (contract section 4). A balance and its append-only ledger change together, in the
 * caller's transaction. A balance is never below zero; a run is charged at most once, and refunded once if it fails
 * with 5xx.
 */
@Injectable()
export class CreditLedger implements OnModuleInit {
  constructor(
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly executions: ExecutionLog,
  ) {
    // Registered before any start-up hook, because recovery settles the runs of dead processes, and those are
    // refunded too.
    executions.onSettled((tx, settled) => this.refundFailed(tx, settled));
  }

  /** Grants `INITIAL_CREDIT` if the default account does not exist yet. */
  async onModuleInit(): Promise<void> {
    await this.gate.write(async (tx) => {
      if ((await this.open(tx, DEFAULT_ACCOUNT)) === 0 || this.config.initialCredit === 0) return;
      const reference = 'initial-credit';
      const amount = this.config.initialCredit;
      await this.add(tx, {
        account: DEFAULT_ACCOUNT,
        kind: 'top_up',
        amount,
        reference,
        at: this.clock.now(),
      });
    });
  }

  /** Charges a run in the transaction that starts it. The statement that lowers the balance also checks it. */
  charge(tx: Tx, charge: Charge): Promise<void> {
    return this.chargeAll(tx, [charge]);
  }

  /** Charges all of them. Throws 402, and charges none, if one account cannot pay all of its own. */
  async chargeAll(tx: Tx, charges: readonly Charge[]): Promise<void> {
    const entries: LedgerEntry[] = [];
    for (const [account, own] of byAccount(charges)) {
      const total = own.reduce((sum, { amount }) => sum + amount, 0);
      const moved = await tx.one<Moved>(
        `UPDATE credit_accounts SET balance = balance - ?, entries = entries + ?
         WHERE account = ? AND balance >= ? RETURNING balance, entries`,
        [total, own.length, account, total],
      );
      if (!moved) {
        const isKnown = own.every(({ knowsAccount }) => knowsAccount);
        throw new InsufficientCredit(isKnown ? account : undefined);
      }
      const movements = own.map((charge) => ({ ...charge, kind: 'charge' as const, amount: -charge.amount }));
      entries.push(...entryRows(movements, moved));
    }
    await this.append(tx, entries);
  }

  /**
   * Adds credits. A known reference adds nothing and returns the first top-up, `repeated`. Throws 409
   * `reference_reused` if that top-up had another amount.
   */
  topUp({ account, amount, reference }: TopUp): Promise<ToppedUp> {
    return this.gate.write(async (tx) => {
      const named = { account, reference, kind: 'top_up' as const };
      const entry = await tx.repository(LedgerEntry).findOneBy(named);
      if (entry) {
        if (entry.amount !== amount) throw new ReferenceReused(entry);
        return { balance: await this.balanceIn(tx, account), entry, repeated: true };
      }
      await this.open(tx, account);
      const at = this.clock.now();
      const added = await this.add(tx, { ...named, amount, at });
      return { balance: added.balanceAfter, entry: added, repeated: false };
    });
  }

  /** Returns 0 for an account that was never topped up. */
  balance(account: string): Promise<number> {
    return this.balanceIn(this.reader, account);
  }

  /** Lists accounts that were ever topped up, by name, after the account `after`. */
  accounts(limit: number, after = ''): Promise<CreditAccountEntity[]> {
    const where = { account: MoreThan(after) };
    return this.reader
      .repository(CreditAccountEntity)
      .find({ where, order: { account: 'ASC' }, take: limit });
  }

  /** Lists entries of an account, newest first, before the sequence number `before`. */
  entries(account: string, limit: number, before = Number.MAX_SAFE_INTEGER): Promise<LedgerEntry[]> {
    const where = { account, sequence: LessThan(before) };
    return this.reader.repository(LedgerEntry).find({ where, order: { sequence: 'DESC' }, take: limit });
  }

  /** Refunds a run that failed with 5xx or whose process died. An aborted run is not refunded. */
  private async refundFailed(tx: Tx, settled: SettledExecution): Promise<void> {
    if (!isGivenBack(settled)) return;
    const ids = [settled.id, ...(settled.code === 'interrupted' ? [] : await this.earlierOf(tx, settled))];
    for (const executionId of ids) {
      const amount = await this.refund(tx, executionId, settled.finishedAt);
      if (amount > 0) await this.executions.noteRefund(tx, executionId, amount);
    }
  }

  /** Refunds a charge, once. Returns the amount; 0 if there was no charge or it was refunded before. */
  async refund(tx: Tx, executionId: string, at: number): Promise<number> {
    const paid = await tx.all<{ kind: string; account: string; amount: number }>(
      `SELECT kind, account, amount FROM credit_entries WHERE execution_id = ?`,
      [executionId],
    );
    const [charge] = paid;
    if (paid.length !== 1 || charge?.kind !== 'charge') return 0;
    const { account } = charge;
    const amount = -charge.amount;
    await this.add(tx, { account, kind: 'refund', amount, executionId, at });
    return amount;
  }

  /** Returns the earlier executions of the run that failed here: an aborted one among them paid for it. */
  private async earlierOf(tx: Tx, { id, runId }: SettledExecution): Promise<string[]> {
    if (runId === id) return [];
    const rows = await tx.all<{ id: string }>(
      `SELECT id FROM executions WHERE (id = ? OR run_id = ?) AND id <> ? AND status = 'aborted'`,
      [runId, runId, id],
    );
    return rows.map((row) => row.id);
  }

  private async add(tx: Tx, movement: Movement): Promise<LedgerEntry> {
    const { account, amount } = movement;
    const moved = await tx.one<Moved>(
      `UPDATE credit_accounts SET balance = balance + ?, entries = entries + 1
       WHERE account = ? AND balance <= ? RETURNING balance, entries`,
      [amount, account, Number.MAX_SAFE_INTEGER - amount],
    );
    if (!moved) throw tooMuch();
    const [entry] = entryRows([movement], moved);
    await this.append(tx, [entry!]);
    return entry!;
  }

  private async append(tx: Tx, entries: readonly LedgerEntry[]): Promise<void> {
    const rows = entries.map((entry) => wholeEntry.values(entry));
    await insertRows(tx, wholeEntry.insert, '', rows);
  }

  /** Returns 1 if the account is new. */
  private open(tx: Tx, account: string): Promise<number> {
    return tx.run(
      'INSERT INTO credit_accounts (account, balance, entries) VALUES (?, 0, 0) ON CONFLICT DO NOTHING',
      [account],
    );
  }

  private async balanceIn(db: SqlReader, account: string): Promise<number> {
    return (await db.repository(CreditAccountEntity).findOneBy({ account }))?.balance ?? 0;
  }
}

const wholeEntry = new EntityColumns(LedgerEntry).whole();

/** The balance and number of entries of an account after its movements. */
interface Moved {
  balance: number;
  entries: number;
}

/** Returns the entries of simultaneous movements of one account, each continuing from the one before. */
function entryRows(movements: readonly Movement[], moved: Moved): LedgerEntry[] {
  let sequence = moved.entries - movements.length;
  let balance = movements.reduce((before, { amount }) => before - amount, moved.balance);
  return movements.map(({ account, kind, amount, executionId, reference, at }) => ({
    id: uuid(),
    account,
    sequence: ++sequence,
    kind,
    amount,
    balanceAfter: (balance += amount),
    executionId: executionId ?? null,
    reference: reference ?? null,
    createdAt: at,
  }));
}

function byAccount(charges: readonly Charge[]): Map<string, Charge[]> {
  const accounts = new Map<string, Charge[]>();
  for (const charge of charges) {
    if (charge.amount === 0) continue;
    const own = accounts.get(charge.account);
    if (own) own.push(charge);
    else accounts.set(charge.account, [charge]);
  }
  return accounts;
}

/** Returns true for failures of the service, and for runs that a deleted flow ended before they began. */
const isGivenBack = ({ status, httpStatus, code }: SettledExecution): boolean =>
  status === 'failed' ? httpStatus >= 500 || code === 'interrupted' : code === 'flow_deleted';
