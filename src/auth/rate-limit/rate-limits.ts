import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { v7 as uuid } from 'uuid';
import { Clock } from '../../common/clock.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { SqlReader, Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/write-gate.js';

/** Whose calls are counted together, and how many of them any window may hold. */
export interface RateLimit {
  bucket: string;
  limit: number;
  windowMs: number;
}

/** What a limit says about a call. */
export interface RateLimitState {
  accepted: boolean;
  limit: number;
  remaining: number;
  /** Until the oldest counted call leaves the window; of a refused call: until one would be accepted. Milliseconds. */
  resetMs: number;
}

/** Longer than any call waits for its turn at the write gate, so that a late one still finds what it must count. */
const KEPT_BEYOND_WINDOW_MS = 60_000;
const SWEEP_EVERY_MS = 10_000;
const MAX_KNOWN_FULL = 10_000;

const COUNTED = 'FROM rate_limit_hits WHERE bucket = ? AND counted_at >= ?';

/**
 * An exact sliding window over all replicas: no window of `windowMs`, wherever it begins, holds more than `limit`
 * accepted calls (description section 8). Each accepted call is a row, counted and added in one unit of the write
 * gate. A call's window ends at its arrival while it is noted at its acceptance, so the promise holds whichever of
 * the two instants a log shows. Refused calls leave no trace. Also the storage of `@nestjs/throttler`.
 */
@Injectable()
export class RateLimits implements ThrottlerStorage {
  /** Buckets known to be full, and until when: a flood of refused calls asks the database for nothing. */
  private readonly knownFull = new Map<string, number>();
  private sweptAt = 0;

  constructor(
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly clock: Clock,
  ) {}

  /** Counts a call that arrived at `arrivedAt` (epoch ms), if the window has room for it. */
  async take(rate: RateLimit, arrivedAt: number): Promise<RateLimitState> {
    const full = `${rate.limit}/${rate.windowMs} ${rate.bucket}`;
    const fullUntil = this.knownFull.get(full);
    if (fullUntil !== undefined && arrivedAt <= fullUntil) return refused(rate, fullUntil - arrivedAt);
    const state = await this.gate.write((tx) => this.takeIn(tx, rate, arrivedAt));
    if (state.accepted) this.knownFull.delete(full);
    else this.rememberFull(full, arrivedAt + state.resetMs - 1);
    return state;
  }

  /** What `take` would say now, without counting. */
  peek(rate: RateLimit): Promise<RateLimitState> {
    return this.look(this.reader, rate, this.clock.now());
  }

  /** The storage interface of `@nestjs/throttler`; it wants seconds. */
  async increment(key: string, ttl: number, limit: number) {
    const state = await this.take({ bucket: key, limit, windowMs: ttl }, this.clock.now());
    const seconds = Math.ceil(state.resetMs / 1000);
    return {
      totalHits: limit - state.remaining,
      timeToExpire: seconds,
      isBlocked: !state.accepted,
      timeToBlockExpire: state.accepted ? 0 : Math.max(1, seconds),
    };
  }

  private async takeIn(tx: Tx, rate: RateLimit, arrivedAt: number): Promise<RateLimitState> {
    const now = this.clock.now();
    await this.sweep(tx, now);
    const state = await this.look(tx, rate, arrivedAt);
    if (!state.accepted) return state;
    await tx.run('INSERT INTO rate_limit_hits (id, bucket, counted_at, expires_at) VALUES (?, ?, ?, ?)', [
      uuid(),
      rate.bucket,
      now,
      now + rate.windowMs + KEPT_BEYOND_WINDOW_MS,
    ]);
    return { ...state, remaining: state.remaining - 1 };
  }

  private async look(db: SqlReader, rate: RateLimit, arrivedAt: number): Promise<RateLimitState> {
    const since = arrivedAt - rate.windowMs;
    const { bucket, limit } = rate;
    const row = await db.one<{ used: number; oldest: number | null }>(
      `SELECT COUNT(*) AS used, MIN(counted_at) AS oldest ${COUNTED}`,
      [bucket, since],
    );
    const used = row?.used ?? 0;
    if (used < limit) {
      const resetMs = (row?.oldest ?? arrivedAt) - since;
      return { accepted: true, limit, remaining: limit - used, resetMs };
    }
    // Of more calls than a lowered limit allows, all but `limit - 1` must leave the window first.
    const leaving = await db.one<{ counted_at: number }>(
      `SELECT counted_at ${COUNTED} ORDER BY counted_at LIMIT 1 OFFSET ?`,
      [bucket, since, used - limit],
    );
    return refused(rate, (leaving?.counted_at ?? arrivedAt) - since);
  }

  private rememberFull(key: string, until: number): void {
    if (this.knownFull.size >= MAX_KNOWN_FULL) this.knownFull.clear();
    this.knownFull.set(key, until);
  }

  private async sweep(tx: Tx, now: number): Promise<void> {
    if (now - this.sweptAt < SWEEP_EVERY_MS) return;
    this.sweptAt = now;
    await tx.run('DELETE FROM rate_limit_hits WHERE expires_at < ?', [now]);
  }
}

/** `fullMs`: for so long every window still holds `limit` calls; a call one millisecond later is accepted. */
const refused = ({ limit }: RateLimit, fullMs: number): RateLimitState => ({
  accepted: false,
  limit,
  remaining: 0,
  resetMs: fullMs + 1,
});
