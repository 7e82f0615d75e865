import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import type { Logger } from '../common/logger.js';
import { presenceSettings } from './data-source.js';
import type { Presence } from './presence.js';

const RETRY_MS = 100;

/** A process whose connection breaks off has it back by then: a lock that is free twice is nobody's. */
const CONFIRM_MS = 500;

/** The 64-bit advisory lock that stands for a process. */
const lockOf = (processId: string): string =>
  createHash('sha256').update(`process:${processId}`).digest().readBigInt64BE(0).toString();

/**
 * A process on PostgreSQL holds a session advisory lock on a connection of its own; the server lets it go when the
 * session ends.
 */
export class PostgresPresence implements Presence {
  private client: Client | undefined;
  private name = '';
  private left = false;
  private asking = Promise.resolve(false);

  constructor(
    private readonly databaseUrl: string,
    private readonly logger: Logger,
  ) {}

  async enter(token: string): Promise<string> {
    this.name = token;
    await this.hold();
    return token;
  }

  async isGone(processId: string): Promise<boolean> {
    const lock = lockOf(processId);
    if (!(await this.ask(lock))) return false;
    await new Promise((resolve) => setTimeout(resolve, CONFIRM_MS));
    return this.ask(lock);
  }

  async leave(): Promise<void> {
    this.left = true;
    await this.client?.end();
    this.client = undefined;
  }

  /** One question at a time: the connection answers in order. Whom nobody can be asked about is not known to be gone. */
  private ask(lock: string): Promise<boolean> {
    this.asking = this.asking.then(() => this.lockIsFree(lock)).catch(() => false);
    return this.asking;
  }

  private async lockIsFree(lock: string): Promise<boolean> {
    if (!this.client) return false;
    const { rows } = await this.client.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1) AS free', [
      lock,
    ]);
    if (!rows[0]?.free) return false;
    await this.client.query('SELECT pg_advisory_unlock($1)', [lock]);
    return true;
  }

  private async hold(): Promise<void> {
    const { default: pg } = await import('pg');
    const client = new pg.Client({
      connectionString: this.databaseUrl,
      keepAlive: true,
      options: presenceSettings,
    });
    client.on('error', (error) => this.logger.warn({ err: error }, 'lost the presence connection'));
    client.on('end', () => this.holdAgain(client));
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1)', [lockOf(this.name)]);
    this.client = client;
  }

  private holdAgain(ended: Client): void {
    if (this.left || this.client !== ended) return;
    this.client = undefined;
    const retry = () => {
      if (!this.left) this.hold().catch(() => setTimeout(retry, RETRY_MS).unref());
    };
    retry();
  }
}
