import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { EntityColumns } from '../../database/entity-columns.js';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import type { SqlValue, Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { outboxKey } from '../../database/writes/write-keys.js';

/** `queued` until it is sent or given up; `sending` while a process holds its lease. */
export type OutboxState = 'queued' | 'sending' | 'sent' | 'failed';

/** Columns that the table of every outbox has. */
export interface OutboxRow {
  id: string;
  state: OutboxState;
  /** Including the one under way. */
  attempts: number;
  nextAttemptAt: number;
  leaseProcess: string | null;
  leaseUntil: number | null;
  error: string | null;
}

/** The result of an attempt. */
export interface Attempted<Row> {
  state: Exclude<OutboxState, 'sending'>;
  /** Until the next attempt, of one that is `queued` again. */
  waitMs?: number;
  error?: string;
  /** Further columns of the table. */
  more?: Partial<Row>;
}

/** The lease, longer than any attempt: after it another process may try. */
export const LEASE_MS = 10 * 60_000;

/**
 * Messages to other services, kept in a table from the transaction that decided them until they are sent or every
 * attempt is spent. Over all processes one sends a row at a time; a row that a dead process held is sent again.
 */
export class Outbox<Row extends OutboxRow> {
  private readonly columns: EntityColumns<Row>;

  constructor(
    entity: new () => Row,
    private readonly rooms: OutboxRooms,
    /** Without any, rows are taken in the order of their times alone. */
    private readonly shares: readonly OutboxShare<Row>[] = [],
  ) {
    this.columns = new EntityColumns(entity);
  }

  private get table(): string {
    return this.columns.table;
  }

  /**
   * Leases the row that has been due longest, if there is one: new, due for a retry, or left behind by a process that
   * ended.
   */
  async take(): Promise<Row | undefined> {
    const { reader, gate, clock } = this.rooms;
    const now = clock.now();
    const abandoned = await this.abandoned(now);
    const waiting = await reader.one(
      `SELECT id FROM ${this.table} WHERE state = 'queued' AND next_attempt_at <= ? LIMIT 1`,
      [now],
    );
    if (!waiting && abandoned.length === 0) return undefined;
    return gate.write(
      async (tx) => {
        for (const lease of abandoned) {
          await tx.run(
            `UPDATE ${this.table} SET state = 'queued' WHERE id = ? AND state = 'sending' AND lease_process = ?`,
            [lease.id, lease.leaseProcess],
          );
        }
        return this.lease(tx, now);
      },
      [outboxKey(this.table)],
    );
  }

  /** A row of an owner (by the first share) with none under way comes first, then one of an owner that may have more. */
  private async lease(tx: Tx, now: number): Promise<Row | undefined> {
    const counted: Counted<Row>[] = [];
    for (const share of this.shares) counted.push({ share, owners: await this.underWay(tx, share) });
    const full = counted.map(({ share, owners }) => ({
      share,
      owners: owners.filter(({ count }) => count >= share.most),
    }));
    const [first] = counted;
    const idle = first && first.owners.length > 0 ? [first, ...full.slice(1)] : undefined;
    return (idle && (await this.leaseBeside(tx, now, idle))) ?? this.leaseBeside(tx, now, full);
  }

  private leaseBeside(tx: Tx, now: number, left: readonly Counted<Row>[]): Promise<Row | undefined> {
    const { columns } = this;
    const beside = left.map(({ share, owners }) =>
      owners.length === 0
        ? ''
        : `AND ${columns.name(share.column)} NOT IN (${owners.map(() => '?').join(', ')})`,
    );
    return tx.one<Row>(
      `UPDATE ${this.table} SET state = 'sending', lease_process = ?, lease_until = ?, attempts = attempts + 1
         WHERE id = (SELECT id FROM ${this.table} WHERE state = 'queued' AND next_attempt_at <= ?
                     ${beside.join(' ')} ORDER BY next_attempt_at, id LIMIT 1)
         RETURNING ${columns.selected(columns.without([]))}`,
      [
        ...[this.rooms.presence.id, now + LEASE_MS, now],
        ...left.flatMap(({ owners }) => owners.map(({ owner }) => owner)),
      ],
    );
  }

  /** Rows that this process sends. */
  private underWay(tx: Tx, share: OutboxShare<Row>): Promise<Owner[]> {
    const column = this.columns.name(share.column);
    return tx.all<Owner>(
      `SELECT ${column} AS owner, count(*) AS count FROM ${this.table} WHERE state = 'sending' AND lease_process = ?
         GROUP BY ${column}`,
      [this.rooms.presence.id],
    );
  }

  /** Notes the end of an attempt; changes nothing when the lease has expired and another process holds it. */
  async finish({ id }: OutboxRow, { state, waitMs = 0, error, more = {} }: Attempted<Row>): Promise<void> {
    const { gate, presence, clock } = this.rooms;
    const further = Object.entries(more) as [keyof Row & string, SqlValue][];
    const assigned = further.map(([property]) => `, ${this.columns.name(property)} = ?`);
    await gate.write(
      (tx) =>
        tx.run(
          `UPDATE ${this.table} SET state = ?, error = ?, next_attempt_at = ?, lease_process = NULL,
           lease_until = NULL${assigned.join('')} WHERE id = ? AND state = 'sending' AND lease_process = ?`,
          [
            state,
            error?.slice(0, 500) ?? null,
            clock.now() + waitMs,
            ...further.map(([, value]) => value),
            id,
            presence.id,
          ],
        ),
      // The row's own condition decides between it and who takes the row again.
      [],
    );
  }

  private async abandoned(now: number): Promise<Lease[]> {
    const { reader, presence } = this.rooms;
    const leases = await reader.all<Lease>(
      `SELECT ${this.columns.selected(['id', 'leaseProcess', 'leaseUntil'])} FROM ${this.table} WHERE state = 'sending'`,
    );
    const gone = new Map<string, boolean>();
    for (const { leaseProcess } of leases) {
      if (!gone.has(leaseProcess)) gone.set(leaseProcess, await presence.isGone(leaseProcess));
    }
    return leases.filter((lease) => gone.get(lease.leaseProcess) === true || lease.leaseUntil <= now);
  }
}

/** The rows with one value of a column have one owner, of whose rows one process sends at most so many at once. */
export interface OutboxShare<Row> {
  column: keyof Row & string;
  most: number;
}

interface Owner {
  owner: string;
  count: number;
}

interface Counted<Row> {
  share: OutboxShare<Row>;
  owners: readonly Owner[];
}

/** Of a row that is `sending`. */
interface Lease {
  id: string;
  leaseProcess: string;
  leaseUntil: number;
}

/** The services that every outbox needs. */
@Injectable()
export class OutboxRooms {
  constructor(
    readonly gate: WriteGate,
    readonly reader: DatabaseReader,
    readonly presence: ProcessPresence,
    readonly clock: Clock,
  ) {}
}
