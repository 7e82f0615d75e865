import { createHash, randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Client } from 'pg';
import type { Clock } from '../../common/clock.js';
import type { Logger } from '../../common/logger.js';
import { presenceSettings } from '../open/data-source.js';
import type { Life, Presence } from './presence.js';
import { ServerTime } from './server-time.js';
import { GONE_AFTER_MS, SilentProcesses } from './silent-processes.js';

const RETRY_MS = 100;
const CONNECT_MS = 2_000;
const BEAT_MS = 1_000;

/**
 * Beats without an answer after which the connection counts as hung. Beats are counted, not time: a process that was
 * suspended has missed only one, and its answer is there.
 */
const MOST_MISSED = 10;

/** The time limit for taking the locks: longer than the server needs to notice that the previous session is gone. */
const LONGEST_HOLD_MS = 45_000;

/** Queries of the server's time at start, until one is answered soon enough. */
const MOST_TRIES = 3;

/** Names that a process holds; runs under an older one are interrupted. */
const MOST_NAMES = 20;

/** Returns the 64-bit advisory lock of a process. */
const lockOf = (processId: string): bigint =>
  createHash('sha256').update(`process:${processId}`).digest().readBigInt64BE(0);

/** Reads the lock table, because trying the lock would hold it for a moment. Returns the server's time too. */
const HELD = `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now, EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND classid::bigint = $1::bigint AND objid::bigint = $2::bigint) AS held`;

/** Destroys a connection without the server; pending queries fail at once. */
function breakOff(client: Client): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}

const halves = (lock: bigint): [high: string, low: string] => {
  const unsigned = BigInt.asUintN(64, lock);
  return [String(unsigned >> 32n), String(unsigned & 0xffff_ffffn)];
};

/**
 * A process on PostgreSQL holds a session advisory lock on a connection of its own; the server releases it when the session
 * ends. A lost connection is reopened at once. If that takes so long that others may have taken the process for dead, it
 * continues under a new name, so that its new runs are not mistaken for interrupted ones. It also locks its earlier names,
 * for runs that it began under them.
 */
export class PostgresPresence implements Presence {
  private client: Client | undefined;
  names: readonly string[] = [];
  private heldAt = 0;
  private left = false;
  private asking: Promise<unknown> = Promise.resolve();
  private missed = 0;
  private beating: NodeJS.Timeout | undefined;
  private readonly silent: SilentProcesses;
  private readonly time: ServerTime;
  private readonly renamed: (() => void)[] = [];

  constructor(
    private readonly databaseUrl: string,
    private readonly logger: Logger,
    private readonly clock: Clock,
  ) {
    this.silent = new SilentProcesses((processId) => this.ask(processId), clock);
    this.time = new ServerTime(clock, logger);
  }

  async enter(token: string): Promise<void> {
    this.heldAt = this.clock.elapsed();
    this.names = [token];
    await this.hold();
    this.beating = setInterval(() => this.beat(), BEAT_MS).unref();
  }

  get provenMsAgo(): number {
    return this.clock.elapsed() - this.heldAt;
  }

  lifeOf(processId: string): Promise<Life> {
    return this.silent.lifeOf(processId);
  }

  onGone(listener: () => void): void {
    this.silent.onGone(listener);
  }

  onRenamed(listener: () => void): void {
    this.renamed.push(listener);
  }

  async leave(): Promise<void> {
    this.left = true;
    clearInterval(this.beating);
    this.silent.end();
    await this.client?.end();
    this.client = undefined;
  }

  /** Proves that the own lock still holds, or detects a server that does not answer. */
  private beat(): void {
    const { client } = this;
    const own = this.names.at(-1);
    if (!client || own === undefined) return;
    if (this.missed++ > MOST_MISSED) return breakOff(client);
    if (this.missed > 1) return;
    void this.ask(own).then(() => {
      if (this.client === client) this.missed = 0;
    });
  }

  /** Queries one lock at a time, because the connection answers in order. */
  private ask(processId: string): Promise<boolean | undefined> {
    const answer = this.asking.then(() => this.lockIsFree(processId)).catch(() => undefined);
    this.asking = answer;
    return answer;
  }

  /** Returns whether a lock is free. An answer also proves that this session, and so the own lock, still holds. */
  private async lockIsFree(processId: string): Promise<boolean | undefined> {
    const { client } = this;
    if (!client) return undefined;
    const sentAt = this.clock.elapsed();
    const { free } = await this.isFree(client, processId);
    this.heldAt = Math.max(this.heldAt, sentAt);
    return free;
  }

  /** Queries a lock and observes the server's time in the answer; `exact` is true when it came soon enough for that. */
  private async isFree(client: Client, processId: string): Promise<{ free: boolean; exact: boolean }> {
    const sentAt = this.clock.elapsed();
    const { rows } = await client.query<{ held: boolean; now: number }>(HELD, halves(lockOf(processId)));
    const exact = rows[0] !== undefined && this.time.observe(rows[0].now, sentAt);
    return { free: rows[0]?.held === false, exact };
  }

  private async hold(): Promise<void> {
    const { default: pg } = await import('pg');
    const client = new pg.Client({
      connectionString: this.databaseUrl,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      options: presenceSettings,
    });
    client.on('error', (error) => this.logger.warn({ err: error }, 'lost the presence connection'));
    client.on('end', () => this.holdAgain(client));
    const tooLong = setTimeout(() => breakOff(client), LONGEST_HOLD_MS).unref();
    try {
      await client.connect();
      const names = this.wasAwayForLong() ? [...this.names, randomUUID()].slice(-MOST_NAMES) : this.names;
      for (const name of names.toReversed()) await this.lock(client, name);
      for (let times = 0; times < MOST_TRIES && !(await this.isFree(client, names.at(-1)!)).exact; times++);
      this.takeNames(names);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    } finally {
      clearTimeout(tooLong);
    }
    this.missed = 0;
    this.client = client;
  }

  private wasAwayForLong(): boolean {
    return this.clock.elapsed() - this.heldAt >= GONE_AFTER_MS;
  }

  private takeNames(names: readonly string[]): void {
    const isNew = names !== this.names;
    this.names = names;
    this.heldAt = this.clock.elapsed();
    if (!isNew) return;
    this.logger.warn({ names }, 'was without a connection for long: continues under a new name');
    for (const listener of this.renamed) listener();
  }

  /** Takes the lock; waits until the server has ended the session that held it before. */
  private async lock(client: Client, name: string): Promise<void> {
    await client.query('SELECT pg_advisory_lock($1)', [lockOf(name).toString()]);
  }

  private holdAgain(ended: Client): void {
    if (this.left || this.client !== ended) return;
    this.client = undefined;
    this.silent.forget();
    const retry = () => {
      if (!this.left) this.hold().catch(() => setTimeout(retry, RETRY_MS).unref());
    };
    retry();
  }
}
