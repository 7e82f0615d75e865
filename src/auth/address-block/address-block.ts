import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { declareBudget } from '../../common/budgets/budget.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { sha256Hex } from '../../common/secrets/constant-time.js';
import { FlowNotFound, ServiceError } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Tx } from '../../database/tx.js';
import type { SharedWork } from '../../database/writes/shared-work.js';
import { CLOCKS_APART_MS, Sweep } from '../../database/writes/sweep.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { addressKey } from '../../database/writes/write-keys.js';
import { AddressMissEntity, AddressStrikeEntity } from './address-strike.entity.js';

/** Three misses within this time block an address … */
export const STRIKE_WINDOW_MS = 15 * 60_000;
/** … for this time, counted from the third. */
const BLOCK_MS = 60 * 60_000;

/** Time for which an unknown id of a client endpoint counts only once. */
const MISS_MEMORY_MS = 30 * 86_400_000;
/** Longer than the checks of a call take. */
const MISS_NOTED_MS = 60_000;
const SWEEP_EVERY_MS = 60_000;

const NOTED = declareBudget({
  name: 'addresses whose latest miss is noted for a minute',
  unit: 'rows',
  owner: 'address',
  share: 1,
  total: 20_000,
  beyond: 'the oldest is forgotten: a call checked beside it trusts the block that it has read',
  reason: 'Each is noted as long as a call is checked, and has cost its address a write.',
});

/** 429: too many unknown flow ids from this address. Both the caller and an admin read the sentence. */
class AddressBlocked extends ServiceError {
  constructor(address: string, remainingMs: number) {
    // Clocks of two processes may differ a little: the result stays between one second and one hour.
    const seconds = Math.max(1, Math.ceil(Math.min(remainingMs, BLOCK_MS) / 1000));
    const minutes = Math.ceil(seconds / 60);
    const time = minutes === 1 ? '1 minute' : `${minutes} minutes`;
    super(
      'address_blocked',
      `This address has requested too many unknown flow ids and is blocked for another ${time}. Check the flow id. An admin can lift the block: DELETE /api/v1/address-blocks/${address.replace('/', '%2F')}, or under Access in the console.`,
      { headers: { 'Retry-After': String(seconds) } },
    );
  }
}

/** A block in the admin's list. Instants are epoch milliseconds. */
export interface BlockedAddress {
  address: string;
  blockedAt: number;
  blockedUntil: number;
}

/** A request for an unknown flow id. */
interface Strike {
  address: string;
  onceFor: string | undefined;
}

const THIRD = `known.earlier_at >= excluded.latest_at - ${STRIKE_WINDOW_MS}`;

/** The longest block by any process's clock. A later end was written before the clock was set back. */
const LONGEST_MS = BLOCK_MS + CLOCKS_APART_MS;

/**
 * Counts a miss. While the address is blocked it returns no row and changes nothing, so that a blocked caller does not
 * extend its block. The row holds the two latest misses; a third within the window turns them into a block.
 */
const STRIKE = `INSERT INTO address_strikes AS known (address, latest_at, expires_at) VALUES (?, ?, ?)
  ON CONFLICT (address) DO UPDATE SET
    blocked_at = CASE WHEN ${THIRD} THEN excluded.latest_at END,
    blocked_until = CASE WHEN ${THIRD} THEN excluded.latest_at + ${BLOCK_MS} END,
    earlier_at = CASE WHEN ${THIRD} THEN NULL ELSE known.latest_at END,
    latest_at = CASE WHEN ${THIRD} THEN NULL ELSE excluded.latest_at END,
    expires_at = CASE WHEN ${THIRD} THEN excluded.latest_at + ${BLOCK_MS} ELSE excluded.expires_at END
  WHERE known.blocked_until IS NULL OR known.blocked_until <= excluded.latest_at
    OR known.blocked_until > excluded.latest_at + ${LONGEST_MS}
  RETURNING address`;

/**
 * Blocks an address for an hour after its third unknown flow id within a sliding 15 minutes (description section 8).
 * Each address is one database row, so a block survives restarts and holds on all replicas.
 * `common/http/client-address` decides which address a caller has.
 */
@Injectable()
export class AddressBlock {
  private readonly sweep: Sweep;
  /** The latest miss of each address, oldest first. */
  private readonly misses = new Map<string, { written: Promise<unknown>; at: number }>();
  /** Simultaneous strikes share a transaction, so that those of one address do not delay the calls of others. */
  private readonly strikes: SharedWork<Strike, number | undefined> = {
    keysOf: ({ address }) => [addressKey(address)],
    write: (tx, strikes) => this.count(tx, strikes),
  };

  constructor(
    private readonly reader: DatabaseReader,
    private readonly gate: WriteGate,
    private readonly clock: Clock,
    logger: Logger,
  ) {
    const what = 'misses of addresses';
    this.sweep = new Sweep(gate, clock, logger, { what, everyMs: SWEEP_EVERY_MS, remove: forget });
  }

  /** Throws `AddressBlocked` until this instant (epoch ms, from `AccessCache`). Counts nothing. */
  check(address: string, blockedUntil: number): void {
    const now = this.clock.now();
    if (blockedUntil > now && blockedUntil <= now + LONGEST_MS)
      throw new AddressBlocked(address, blockedUntil - now);
  }

  /**
   * Counts a miss durably and returns the error to answer with: `FlowNotFound`, or `AddressBlocked` if other calls have
   * blocked the address meanwhile. With `onceFor`, each id counts once per address.
   */
  async strike(address: string, { onceFor }: { onceFor?: string } = {}): Promise<ServiceError> {
    const written = this.gate.writeTogether(this.strikes, { address, onceFor });
    this.noteMiss(address, written);
    const blockedUntil = await written;
    this.sweep.whenDue();
    return blockedUntil === undefined
      ? new FlowNotFound()
      : new AddressBlocked(address, blockedUntil - this.clock.now());
  }

  /** Returns the end of the block for each strike of a blocked address. A flood of one address takes a few statements. */
  private async count(tx: Tx, strikes: readonly Strike[]): Promise<(number | undefined)[]> {
    const blocks = new Map<string, number>();
    const ends: (number | undefined)[] = [];
    for (const { address, onceFor } of strikes) {
      const now = this.clock.now();
      const isNew = onceFor === undefined || (await this.isNewMiss(tx, address, onceFor, now));
      if (isNew && !blocks.has(address)) {
        const counted = await tx.all(STRIKE, [address, now, now + STRIKE_WINDOW_MS]);
        if (counted.length === 0) blocks.set(address, await this.blockedUntil(tx, address, now));
      }
      ends.push(isNew ? blocks.get(address) : undefined);
    }
    return ends;
  }

  /**
   * Returns true if this process counted a miss of the address in the last minute: a block read earlier may then be out
   * of date. Waits for misses that are being counted.
   */
  async hasMissed(address: string): Promise<boolean> {
    const miss = this.misses.get(address);
    await miss?.written.catch(() => undefined);
    return miss !== undefined;
  }

  private noteMiss(address: string, written: Promise<unknown>): void {
    const at = this.clock.elapsed();
    this.misses.delete(address);
    this.misses.set(address, { written, at });
    for (const [other, miss] of this.misses) {
      if (at - miss.at < MISS_NOTED_MS && this.misses.size <= NOTED.total) break;
      this.misses.delete(other);
    }
  }

  /** Lists the addresses blocked now, latest block first. */
  list(): Promise<BlockedAddress[]> {
    const blocked = this.reader.repository(AddressStrikeEntity).find({
      select: { address: true, blockedAt: true, blockedUntil: true },
      where: { blockedUntil: MoreThan(this.clock.now()) },
      order: { blockedAt: 'DESC' },
      take: 1000,
    });
    return blocked as Promise<BlockedAddress[]>;
  }

  /** Ends a block and deletes the misses of the address. Returns false if it was not blocked. */
  lift(address: string): Promise<boolean> {
    return this.gate.write(async (tx) => {
      const strikes = tx.repository(AddressStrikeEntity);
      const strike = await strikes.findOneBy({ address });
      await strikes.delete({ address });
      await tx.repository(AddressMissEntity).delete({ address });
      return (strike?.blockedUntil ?? 0) > this.clock.now();
    });
  }

  private async blockedUntil(tx: Tx, address: string, now: number): Promise<number> {
    const sql = 'SELECT blocked_until FROM address_strikes WHERE address = ?';
    const row = await tx.one<{ blocked_until: number }>(sql, [address]);
    return row?.blocked_until ?? now;
  }

  private async isNewMiss(tx: Tx, address: string, flowId: string, now: number): Promise<boolean> {
    const added = await tx.run(
      'INSERT INTO address_misses (address, flow_id_hash, missed_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      [address, sha256Hex(flowId), now],
    );
    return added > 0;
  }
}

/**
 * Deletes expired rows of all addresses. A concurrent strike either inserts a new row or has already extended the old
 * one, which then is not deleted.
 */
async function forget(tx: Tx, expiredBefore: number): Promise<void> {
  await tx.run('DELETE FROM address_strikes WHERE expires_at < ?', [expiredBefore]);
  await tx.run('DELETE FROM address_misses WHERE missed_at < ?', [expiredBefore - MISS_MEMORY_MS]);
}
