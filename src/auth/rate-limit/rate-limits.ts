import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
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
  /** Epoch ms at which the oldest counted call leaves the window; of a refused call: after which one is accepted. */
  freeAt: number;
  /** Milliseconds from the answer to `freeAt`: what `Retry-After` and `RateLimit-Reset` say. */
  resetMs: number;
}

/** Longer than any call waits for its turn at the write gate, so that a late one still finds what it must count. */
const KEPT_BEYOND_WINDOW_MS = 60_000;
const SWEEP_EVERY_MS = 10_000;
const MAX_KNOWN_FULL = 10_000;

/** The last accepted call and the first one that the window still holds: found by index, however many lie between. */
const LOOK = `SELECT newest.nth AS newest, newest.counted_at AS newest_at, oldest.nth AS oldest,
    oldest.counted_at AS oldest_at
  FROM (SELECT nth, counted_at FROM rate_limit_hits WHERE bucket = ? ORDER BY nth DESC LIMIT 1) AS newest
  LEFT JOIN (SELECT nth, counted_at FROM rate_limit_hits WHERE bucket = ? AND counted_at >= ?
    ORDER BY counted_at, nth LIMIT 1) AS oldest ON 1 = 1`;

interface Look {
  newest: number;
  newest_at: number;
  oldest: number | null;
  oldest_at: number | null;
}

/**
 * An exact sliding window over all replicas: no window of `windowMs`, wherever it begins, holds more than `limit`
 * accepted calls (description section 8). Each accepted call is a numbered row, added in the unit of the write gate
 * that looked for room. A call's window ends at its arrival while it is noted at its acceptance, so the promise holds
 * whichever of the two instants a log shows. Refused calls leave no trace. Also the storage of `@nestjs/throttler`.
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
    if (fullUntil !== undefined && arrivedAt <= fullUntil) return this.state(rate, 0, fullUntil);
    const state = await this.gate.write((tx) => this.takeIn(tx, rate, arrivedAt));
    if (state.accepted) this.knownFull.delete(full);
    else this.rememberFull(full, state.freeAt);
    return state;
  }

  /** What `take` would say now, without counting. */
  async peek(rate: RateLimit): Promise<RateLimitState> {
    const now = this.clock.now();
    return this.judge(this.reader, rate, await this.look(this.reader, rate, now));
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
    const look = await this.look(tx, rate, arrivedAt);
    const state = await this.judge(tx, rate, look);
    if (!state.accepted) return state;
    // Instants rise with `nth` even where the clocks of two replicas differ: the later call is noted as the later one.
    const countedAt = Math.max(now, look?.newest_at ?? 0);
    await tx.run('INSERT INTO rate_limit_hits (bucket, nth, counted_at, expires_at) VALUES (?, ?, ?, ?)', [
      rate.bucket,
      (look?.newest ?? 0) + 1,
      countedAt,
      countedAt + rate.windowMs + KEPT_BEYOND_WINDOW_MS,
    ]);
    return { ...state, remaining: state.remaining - 1 };
  }

  private look(db: SqlReader, { bucket, windowMs }: RateLimit, arrivedAt: number): Promise<Look | undefined> {
    return db.one<Look>(LOOK, [bucket, bucket, arrivedAt - windowMs]);
  }

  private async judge(db: SqlReader, rate: RateLimit, look: Look | undefined): Promise<RateLimitState> {
    const { bucket, limit, windowMs } = rate;
    if (!look || look.oldest === null) return this.state(rate, limit, this.clock.now() + windowMs);
    const used = look.newest - look.oldest + 1;
    if (used < limit) return this.state(rate, limit - used, look.oldest_at! + windowMs);
    // Where the limit was lowered, more than the oldest call must leave the window first.
    const leaving = await db.one<{ counted_at: number }>(
      'SELECT counted_at FROM rate_limit_hits WHERE bucket = ? AND nth = ?',
      [bucket, look.newest - limit + 1],
    );
    return this.state(rate, 0, (leaving?.counted_at ?? look.newest_at) + windowMs);
  }

  private state({ limit }: RateLimit, remaining: number, freeAt: number): RateLimitState {
    const resetMs = Math.max(0, freeAt - this.clock.now());
    return { accepted: remaining > 0, limit, remaining, freeAt, resetMs };
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
