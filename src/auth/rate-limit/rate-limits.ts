import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { SqlReader, Tx } from '../../database/tx.js';
import { insertRows } from '../../database/writes/insert-rows.js';
import type { LoneStatement, SharedWork } from '../../database/writes/shared-work.js';
import { CLOCKS_APART_MS, Sweep } from '../../database/writes/sweep.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { bucketKey } from '../../database/writes/write-keys.js';

/** A bucket of calls that are counted together, and the most that any window may hold. */
export interface RateLimit {
  bucket: string;
  limit: number;
  windowMs: number;
}

/** The decision about a call, and the numbers for its headers. */
export interface RateLimitState {
  accepted: boolean;
  limit: number;
  remaining: number;
  /** Instant (epoch ms) at which the oldest call leaves the window, or after a refusal the next is accepted. */
  freeAt: number;
  /** Milliseconds until `freeAt`, for `Retry-After` and `RateLimit-Reset`. */
  resetMs: number;
}

/** Longer than any call waits at the write gate, so that a late call still finds the rows to count. */
const RETAINED_BEYOND_WINDOW_MS = 60_000;
const SWEEP_EVERY_MS = 10_000;
const MAX_KNOWN_FULL = 10_000;

/** Reads the last accepted call and the first one in the window, by index, however many lie between. */
const LOOK = `SELECT newest.nth AS newest, newest.counted_at AS newest_at, oldest.nth AS oldest,
    oldest.counted_at AS oldest_at
  FROM (SELECT nth, counted_at FROM rate_limit_hits WHERE bucket = ? ORDER BY nth DESC LIMIT 1) AS newest
  LEFT JOIN (SELECT nth, counted_at FROM rate_limit_hits WHERE bucket = ? AND counted_at >= ?
    ORDER BY counted_at, nth LIMIT 1) AS oldest ON 1 = 1`;

/** Does the same and inserts an accepted call in one statement. Returns no row if the window is full. */
const TAKE = `INSERT INTO rate_limit_hits (bucket, nth, counted_at, expires_at)
  SELECT CAST(? AS text), COALESCE(look.newest, 0) + 1, look.counted_at, look.counted_at + CAST(? AS bigint) FROM (
    SELECT newest, oldest, CASE WHEN newest_at > asked.at THEN newest_at ELSE asked.at END AS counted_at
    FROM (SELECT CAST(? AS bigint) AS at) AS asked LEFT JOIN (${LOOK}) AS found ON 1 = 1
  ) AS look
  WHERE look.oldest IS NULL OR look.newest - look.oldest + 1 < CAST(? AS bigint)
  RETURNING nth, counted_at, (SELECT nth || ' ' || counted_at FROM rate_limit_hits WHERE bucket = CAST(? AS text)
    AND counted_at >= CAST(? AS bigint) ORDER BY counted_at, nth LIMIT 1) AS oldest`;

interface Taken {
  nth: number;
  counted_at: number;
  /** Number and instant of the first call in the window; null if it is this one. */
  oldest: string | null;
}

interface Look {
  newest: number;
  newest_at: number;
  oldest: number | null;
  oldest_at: number | null;
}

/** A call to be counted, with its arrival (epoch ms). */
interface Taking {
  rate: RateLimit;
  arrivedAt: number;
}

/**
 * Moves calls that were counted before the clock was set back to the current instant, in their order: otherwise they
 * would leave the window only once the clock has caught up.
 */
const RECOUNT = `UPDATE rate_limit_hits SET counted_at = ?, expires_at = ? WHERE bucket = ? AND counted_at > ?`;

const INSERT = 'INSERT INTO rate_limit_hits (bucket, nth, counted_at, expires_at) VALUES';

/**
 * An exact sliding window over all replicas: no window of `windowMs` holds more than `limit` accepted calls
 * (description section 8). Each accepted call is a numbered row, inserted in the same unit of the write gate that read
 * the window. A window is measured back from the arrival of a call, while the call is recorded at its acceptance, so
 * the limit holds by either instant. Refused calls leave no trace. Also the storage of `@nestjs/throttler`.
 */
@Injectable()
export class RateLimits implements ThrottlerStorage {
  /** Buckets known to be full, with the instant until which they are: a flood of refused calls costs no statement. */
  private readonly knownFull = new Map<string, number>();
  private readonly sweep: Sweep;
  /**
   * Counts simultaneous calls with one statement. The count need not wait for the disk: the record of the run,
   * committed after it, makes both durable.
   */
  private readonly takings: SharedWork<Taking, RateLimitState> = {
    soonDurable: true,
    keysOf: ({ rate }) => [bucketKey(rate.bucket)],
    write: (tx, takings) => this.takeAll(tx, takings),
    aloneFor: (taking) => this.takingAlone(taking),
  };

  constructor(
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly clock: Clock,
    logger: Logger,
  ) {
    // Safe beside a count: counting changes no row, and no window holds an expired one.
    this.sweep = new Sweep(gate, clock, logger, {
      what: 'calls that rate limits had counted',
      everyMs: SWEEP_EVERY_MS,
      remove: async (tx, expiredBefore) => {
        await tx.run('DELETE FROM rate_limit_hits WHERE expires_at < ?', [expiredBefore]);
      },
    });
  }

  /** Counts a call that arrived at `arrivedAt` (epoch ms), unless the window is full. */
  async take(rate: RateLimit, arrivedAt: number): Promise<RateLimitState> {
    const full = bucketName(rate);
    const fullUntil = this.knownFull.get(full);
    const isAhead = fullUntil !== undefined && fullUntil - arrivedAt > rate.windowMs + CLOCKS_APART_MS;
    if (fullUntil !== undefined && arrivedAt <= fullUntil && !isAhead) return this.state(rate, 0, fullUntil);
    const state = await this.gate.writeTogether(this.takings, { rate, arrivedAt });
    this.sweep.whenDue();
    if (state.accepted) this.knownFull.delete(full);
    else this.rememberFull(full, state.freeAt);
    return state;
  }

  /** Returns the state that `take` would return now, without counting. */
  async peek(rate: RateLimit): Promise<RateLimitState> {
    const now = this.clock.now();
    return this.judge(this.reader, rate, await this.look(this.reader, rate, now));
  }

  /** Implements the storage of `@nestjs/throttler`, which expects seconds. */
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

  /**
   * Counts one call in one statement, which writes nothing if the window is full. If a retry counts a call twice, too
   * few calls pass, never too many.
   */
  private takingAlone({ rate, arrivedAt }: Taking): LoneStatement<RateLimitState> {
    const { bucket, limit, windowMs } = rate;
    const now = this.clock.now();
    const since = windowStart(rate, arrivedAt);
    const look = [bucket, bucket, since];
    const lifetimeMs = windowMs + RETAINED_BEYOND_WINDOW_MS;
    return {
      sql: TAKE,
      parameters: [bucket, lifetimeMs, now, ...look, limit, bucket, since],
      resultOf: (rows) => {
        const [taken] = rows as Taken[];
        if (!taken) return undefined;
        const [oldest, oldestAt] = taken.oldest?.split(' ').map(Number) ?? [taken.nth, taken.counted_at];
        const remaining = limit - (taken.nth - oldest! + 1);
        return { ...this.state(rate, remaining, oldestAt! + windowMs), accepted: true };
      },
    };
  }

  private async takeAll(tx: Tx, takings: readonly Taking[]): Promise<RateLimitState[]> {
    const states = new Map<Taking, RateLimitState>();
    for (const group of byRate(takings)) {
      const given = (await this.takeGroup(tx, group)) ?? (await this.takeEach(tx, group));
      group.forEach((taking, index) => states.set(taking, given[index]!));
    }
    return takings.map((taking) => states.get(taking)!);
  }

  /**
   * Counts a group at once if all of them fit even in the widest of their windows, that of the earliest arrival.
   * Returns undefined otherwise: each call must then be counted on its own.
   */
  private async takeGroup(tx: Tx, group: readonly Taking[]): Promise<RateLimitState[] | undefined> {
    const { rate } = group[0]!;
    const arrivedAt = Math.min(...group.map((taking) => taking.arrivedAt));
    let look = await this.look(tx, rate, arrivedAt);
    if (look && look.newest_at > this.clock.now() + CLOCKS_APART_MS) {
      const now = this.clock.now();
      await tx.run(RECOUNT, [now, now + rate.windowMs + RETAINED_BEYOND_WINDOW_MS, rate.bucket, now]);
      look = await this.look(tx, rate, arrivedAt);
    }
    const state = await this.judge(tx, rate, look);
    // A single refused call needs no second read.
    if (group.length === 1 && !state.accepted) return [state];
    if (state.remaining < group.length) return undefined;
    // Instants must rise with `nth` even if the clocks of two replicas differ.
    const countedAt = Math.max(this.clock.now(), look?.newest_at ?? 0);
    const expiresAt = countedAt + rate.windowMs + RETAINED_BEYOND_WINDOW_MS;
    const next = (look?.newest ?? 0) + 1;
    const rows = group.map((_, index) => [rate.bucket, next + index, countedAt, expiresAt]);
    await insertRows(tx, INSERT, '', rows);
    return group.map((_, index) => ({ ...state, remaining: state.remaining - 1 - index }));
  }

  private async takeEach(tx: Tx, group: readonly Taking[]): Promise<RateLimitState[]> {
    const states: RateLimitState[] = [];
    for (const taking of group) states.push((await this.takeGroup(tx, [taking]))![0]!);
    return states;
  }

  private look(db: SqlReader, rate: RateLimit, arrivedAt: number): Promise<Look | undefined> {
    return db.one<Look>(LOOK, [rate.bucket, rate.bucket, windowStart(rate, arrivedAt)]);
  }

  private async judge(db: SqlReader, rate: RateLimit, look: Look | undefined): Promise<RateLimitState> {
    const { bucket, limit, windowMs } = rate;
    if (!look || look.oldest === null) return this.state(rate, limit, this.clock.now() + windowMs);
    const used = look.newest - look.oldest + 1;
    if (used < limit) return this.state(rate, limit - used, look.oldest_at! + windowMs);
    // If the limit was lowered, more than one call must leave the window first.
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
}

const windowStart = ({ windowMs }: RateLimit, arrivedAt: number): number => arrivedAt - windowMs;

const bucketName = ({ bucket, limit, windowMs }: RateLimit): string => `${limit}/${windowMs} ${bucket}`;

function byRate(takings: readonly Taking[]): Taking[][] {
  const groups = new Map<string, Taking[]>();
  for (const taking of takings) {
    const name = bucketName(taking.rate);
    const group = groups.get(name);
    if (group) group.push(taking);
    else groups.set(name, [taking]);
  }
  return [...groups.values()];
}
