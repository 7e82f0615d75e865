import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ErrorReply, RedisClientType } from '@redis/client';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';

// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- no modules, functions and scripts
type Client = RedisClientType<{}, {}, {}, 2>;

/** The commands that are used here; all of them also work in a Redis that others use, by keys of our own alone. */
export type Redis = Pick<Client, 'xAdd' | 'xRange' | 'pExpire'>;

/** For a connection and its answers together; it is given up then, with whatever else waits on it. */
const PATIENCE_MS = 2_000;

/** Before the next connection is tried: doubled each time that one fails. */
const [LEAST_PAUSE_MS, MOST_PAUSE_MS] = [500, 15_000];

interface Connection {
  readonly client: Client;
  readonly open: Promise<unknown>;
}

/**
 * The connection to the Redis of `REDIS_URL`, opened when it is first needed and again after each loss. Nothing that the
 * service promises needs it: whatever is wrong with it is logged once, and again when it is over.
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
   * The answer of Redis to these commands; undefined while it cannot be reached or does not answer, which takes at most
   * two seconds. They handle refusals (`isRefusal`) themselves: any other error is taken for a loss of the connection.
   */
  async ask<Answer>(commands: (redis: Redis) => Promise<Answer>): Promise<Answer | undefined> {
    if (this.isClosed || !this.isSet || this.clock.elapsed() < this.pausedUntil) return undefined;
    const connection = (this.connection ??= this.connect());
    try {
      // Loading the package takes its time on a busy machine, which says nothing of Redis.
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
    // Whoever waits for an answer gets the same error.
    client.on('error', () => undefined);
    const open = client.connect();
    open.catch(() => undefined);
    return { client, open };
  }

  private found(): void {
    this.pauseMs = LEAST_PAUSE_MS;
    if (!this.isAway) return;
    this.isAway = false;
    this.logger.info({}, 'Redis is there again');
  }

  private lose(lost: Promise<Connection>, error: unknown): void {
    // Several may have waited on it.
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
 * Whether Redis took the command and refused it: out of memory, not allowed, still loading. A server that has become a
 * replica of another is as good as gone: a new connection may lead to the one that took over.
 */
export const isRefusal = (error: unknown): error is ErrorReply =>
  error instanceof Error &&
  ['SimpleError', 'BlobError', 'ErrorReply'].includes(error.constructor.name) &&
  !error.message.startsWith('READONLY');

async function destroy(connection: Promise<Connection>): Promise<void> {
  try {
    (await connection).client.destroy();
  } catch {
    // It was not open.
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
