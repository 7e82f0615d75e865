import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ErrorReply, RedisClientType } from '@redis/client';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';

// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- no modules, functions and scripts
type Client = RedisClientType<{}, {}, {}, 2>;

/** Commands used here; they work in a shared Redis too, on keys of this service alone. */
export type Redis = Pick<Client, 'xAdd' | 'xRange' | 'pExpire'>;

/** Longest wait for a connection and its answers; then the connection is dropped. */
const PATIENCE_MS = 2_000;

/** Pause before the next connection, doubled after each failure. */
const [LEAST_PAUSE_MS, MOST_PAUSE_MS] = [500, 15_000];

interface Connection {
  readonly client: Client;
  readonly open: Promise<unknown>;
}

/**
 * The connection to the Redis of `REDIS_URL`, opened on first use and again after each loss. The service works without
 * it: an outage is logged once at its beginning and once at its end.
 */
@Injectable()
export class RedisLink implements OnApplicationShutdown {
  private connection: Promise<Connection> | undefined;
  private isAway = false;
  private isClosed = false;
  private pauseMs = LEAST_PAUSE_MS;
  private pausedUntil = 0;

  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  get isSet(): boolean {
    return this.config.redisUrl !== undefined;
  }

  /**
   * Runs commands. Returns undefined if Redis cannot be reached or does not answer within two seconds. The commands
   * handle refusals (`isRefusal`) themselves; any other error counts as a lost connection.
   */
  async ask<Answer>(commands: (redis: Redis) => Promise<Answer>): Promise<Answer | undefined> {
    if (this.isClosed || !this.isSet || this.clock.elapsed() < this.pausedUntil) return undefined;
    const connection = (this.connection ??= this.connect());
    try {
      // Loading the package may be slow on a busy machine and does not count as Redis' delay.
      const { client, open } = await connection;
      const answer = await inTime(open.then(() => commands(client)));
      this.found();
      return answer;
    } catch (error) {
      this.lose(connection, error);
      return undefined;
    }
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
    if (this.connection) void destroy(this.connection);
  }

  private async connect(): Promise<Connection> {
    const { createClient } = await import('@redis/client');
    const client = createClient({
      url: this.config.redisUrl!,
      RESP: 2,
      disableOfflineQueue: true,
      disableClientInfo: true,
      maintNotifications: 'disabled',
      socket: { connectTimeout: PATIENCE_MS, reconnectStrategy: false },
    });
    // Callers that wait for an answer get the same error.
    client.on('error', () => undefined);
    const open = client.connect();
    open.catch(() => undefined);
    return { client, open };
  }

  private found(): void {
    this.pauseMs = LEAST_PAUSE_MS;
    if (!this.isAway) return;
    this.isAway = false;
    this.logger.info({}, 'Redis is back');
  }

  private lose(lost: Promise<Connection>, error: unknown): void {
    // Several callers may have waited on it.
    if (this.connection !== lost) return;
    this.connection = undefined;
    void destroy(lost);
    this.pausedUntil = this.clock.elapsed() + this.pauseMs;
    this.pauseMs = Math.min(2 * this.pauseMs, MOST_PAUSE_MS);
    if (this.isAway || this.isClosed) return;
    this.isAway = true;
    const cause = (error as Error).message;
    this.logger.warn({ cause }, 'Redis is away: streams do not outlive their process meanwhile');
  }
}

/**
 * Returns true if Redis refused the command: out of memory, not allowed, still loading. READONLY counts as a lost
 * connection: the server became a replica, and a new connection may reach its successor.
 */
export const isRefusal = (error: unknown): error is ErrorReply =>
  error instanceof Error &&
  ['SimpleError', 'BlobError', 'ErrorReply'].includes(error.constructor.name) &&
  !error.message.startsWith('READONLY');

async function destroy(connection: Promise<Connection>): Promise<void> {
  try {
    (await connection).client.destroy();
  } catch {
    // It never opened.
  }
}

async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it does not answer')), PATIENCE_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
