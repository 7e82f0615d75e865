import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { ProcessPresence } from '../../database/process-presence.js';
import type { SqlValue } from '../../database/tx.js';
import { WriteGate } from '../../database/write-gate.js';

/** `queued` until it is sent or given up; `sending` while a process holds its lease. */
export type OutboxState = 'queued' | 'sending' | 'sent' | 'failed';

/** Columns that the table of every outbox has; beside them `next_attempt_at`, `lease_process` and `lease_until`. */
export interface OutboxRow {
  id: string;
  state: OutboxState;
  /** With the one under way. */
  attempts: number;
  error: string | null;
}

/** How an attempt ended. */
export interface Attempted {
  state: Exclude<OutboxState, 'sending'>;
  /** Until the next attempt, of one that is `queued` again. */
  waitMs?: number;
  error?: string;
  /** Further columns of the table. */
  columns?: Readonly<Record<string, SqlValue>>;
}

/** Longer than an attempt can take: after it another process may try. */
export const LEASE_MS = 10 * 60_000;

/**
 * What must be told to another service, kept in a table from the transaction that decided it until it is told or every
 * attempt is spent. Over all processes a row is in one pair of hands at a time; what a dead process held is sent again.
 */
export class Outbox<Row extends OutboxRow> {
  constructor(
    private readonly table: string,
    private readonly rooms: OutboxRooms,
  ) {}

  /** Leases the row that waits longest, if one is due: new, waited out, or left behind by a process that ended. */
  async take(): Promise<Row | undefined> {
    const { reader, gate, presence, clock } = this.rooms;
    const now = clock.now();
    const abandoned = await this.abandoned(now);
    const waiting = await reader.one(
      `SELECT id FROM ${this.table} WHERE state = 'queued' AND next_attempt_at <= ? LIMIT 1`,
      [now],
    );
    if (!waiting && abandoned.length === 0) return undefined;
    return gate.write(async (tx) => {
      for (const lease of abandoned) {
        await tx.run(
          `UPDATE ${this.table} SET state = 'queued' WHERE id = ? AND state = 'sending' AND lease_process = ?`,
          [lease.id, lease.lease_process],
        );
      }
      return tx.one<Row>(
        `UPDATE ${this.table} SET state = 'sending', lease_process = ?, lease_until = ?, attempts = attempts + 1
         WHERE id = (SELECT id FROM ${this.table} WHERE state = 'queued' AND next_attempt_at <= ?
                     ORDER BY next_attempt_at, id LIMIT 1) RETURNING *`,
        [presence.id, now + LEASE_MS, now],
      );
    });
  }

  /** Ends an attempt; nothing when the lease has gone to another process meanwhile. */
  async finish({ id }: OutboxRow, { state, waitMs = 0, error, columns = {} }: Attempted): Promise<void> {
    const { gate, presence, clock } = this.rooms;
    const further = Object.keys(columns).map((name) => `, ${name} = ?`);
    await gate.write((tx) =>
      tx.run(
        `UPDATE ${this.table} SET state = ?, error = ?, next_attempt_at = ?, lease_process = NULL,
           lease_until = NULL${further.join('')} WHERE id = ? AND state = 'sending' AND lease_process = ?`,
        [
          state,
          error?.slice(0, 500) ?? null,
          clock.now() + waitMs,
          ...Object.values(columns),
          id,
          presence.id,
        ],
      ),
    );
  }

  private async abandoned(now: number): Promise<{ id: string; lease_process: string }[]> {
    const { reader, presence } = this.rooms;
    const leases = await reader.all<{ id: string; lease_process: string; lease_until: number }>(
      `SELECT id, lease_process, lease_until FROM ${this.table} WHERE state = 'sending'`,
    );
    const gone = new Map<string, boolean>();
    for (const { lease_process: process } of leases) {
      if (!gone.has(process)) gone.set(process, await presence.isGone(process));
    }
    return leases.filter((lease) => gone.get(lease.lease_process) === true || lease.lease_until <= now);
  }
}

/** What every outbox is made of. */
@Injectable()
export class OutboxRooms {
  constructor(
    readonly gate: WriteGate,
    readonly reader: DatabaseReader,
    readonly presence: ProcessPresence,
    readonly clock: Clock,
  ) {}
}
