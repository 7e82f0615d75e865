import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { EntityColumns } from '../../database/entity-columns.js';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import type { SqlValue, Tx } from '../../database/tx.js';
import { LateWrites } from '../../database/writes/late-writes.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { outboxKey } from '../../database/writes/write-keys.js';

/** `queued` until it is sent or given up; `sending` while a process holds its lease. */
export type OutboxState = 'queued' | 'sending' | 'sent' | 'failed';

/** Columns of every outbox table. */
export interface OutboxRow {
  id: string;
  state: OutboxState;
  /** Attempts, including the one under way. */
  attempts: number;
  nextAttemptAt: number;
  leaseProcess: string | null;
  leaseUntil: number | null;
  error: string | null;
}

/** The result of an attempt. */
export interface Attempted<Row> {
  state: Exclude<OutboxState, 'sending'>;
  /** Pause before the next attempt of a `queued` row. */
  waitMs?: number;
  error?: string;
  /** Other columns of the table to set. */
  more?: Partial<Row>;
}

/** Length of a lease, longer than any attempt; after it another process may send. */
export const LEASE_MS = 10 * 60_000;

/**
 * Messages to other services, stored from the transaction that decided them until they are sent or all attempts are
 * used. One process sends a row at a time; a row of a dead process is sent again.
 */
export class Outbox<Row extends OutboxRow> {
  private readonly columns: EntityColumns<Row>;

  constructor(
    entity: new () => Row,
    private readonly rooms: OutboxRooms,
    /** Without shares, rows are sent in the order of their times. */
    private readonly shares: readonly OutboxShare<Row>[] = [],
  ) {
    this.columns = new EntityColumns(entity);
  }

  private get table(): string {
    return this.columns.table;
  }

  /** Leases the row that has been due longest: new, due for a retry, or left by a dead process. */
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

  /** Prefers a row of an owner (by the first share) with none under way, then one of an owner below its share. */
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

  /** Counts the rows that this process sends, by owner. */
  private underWay(tx: Tx, share: OutboxShare<Row>): Promise<Owner[]> {
    const column = this.columns.name(share.column);
    return tx.all<Owner>(
      `SELECT ${column} AS owner, count(*) AS count FROM ${this.table} WHERE state = 'sending' AND lease_process = ?
         GROUP BY ${column}`,
      [this.rooms.presence.id],
    );
  }

  /**
   * Stores the end of an attempt, now or by a retried write: an attempt that was not stored would be made again. Changes
   * nothing if the lease has expired and the row was leased again.
   */
  async finish(row: OutboxRow, { state, waitMs = 0, error, more = {} }: Attempted<Row>): Promise<void> {
    const { gate, clock, lateWrites } = this.rooms;
    const { id, leaseProcess, attempts } = row;
    const further = Object.entries(more) as [keyof Row & string, SqlValue][];
    const assigned = further.map(([property]) => `, ${this.columns.name(property)} = ?`);
    // Names the lease, because this process may have another name by now.
    const sql = `UPDATE ${this.table} SET state = ?, error = ?, next_attempt_at = ?, lease_process = NULL,
      lease_until = NULL${assigned.join('')} WHERE id = ? AND state = 'sending' AND lease_process = ? AND attempts = ?`;
    const values = [
      ...[state, error?.slice(0, 500) ?? null, clock.now() + waitMs],
      ...further.map(([, value]) => value),
      ...[id, leaseProcess, attempts],
    ];
    // No keys: the condition on the row decides between this and a new lease.
    const write = () => gate.write((tx) => tx.run(sql, values), []);
    await lateWrites.attempt(`the end of ${this.table} ${id}`, write, id);
  }

  private async abandoned(now: number): Promise<Lease[]> {
    const { reader, presence, lateWrites } = this.rooms;
    const leases = await reader.all<Lease>(
      `SELECT ${this.columns.selected(['id', 'leaseProcess', 'leaseUntil'])} FROM ${this.table} WHERE state = 'sending'`,
    );
    const gone = new Map<string, boolean>();
    for (const { leaseProcess } of leases) {
      if (!gone.has(leaseProcess)) gone.set(leaseProcess, await presence.isGone(leaseProcess));
    }
    const isLeft = ({ id, leaseProcess, leaseUntil }: Lease) =>
      gone.get(leaseProcess) === true || (leaseUntil <= now && !lateWrites.areAbout(id));
    return leases.filter(isLeft);
  }
}

/** Rows with the same value of the column share an owner; one process sends at most `most` of them at once. */
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

/** The lease of a row that is `sending`. */
interface Lease {
  id: string;
  leaseProcess: string;
  leaseUntil: number;
}

@Injectable()
export class OutboxRooms {
  constructor(
    readonly gate: WriteGate,
    readonly reader: DatabaseReader,
    readonly presence: ProcessPresence,
    readonly clock: Clock,
    readonly lateWrites: LateWrites,
  ) {}
}
