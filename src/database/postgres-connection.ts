import type { Socket } from 'node:net';
import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import { ConnectionLost, isAway } from './away.js';

/**
 * A pooled connection that knows when it has broken off: whatever fails on it from then on is `ConnectionLost`, whatever
 * the driver says. A statement that the server refused keeps the server's error, with its SQLSTATE.
 */
export class PostgresConnection {
  private static readonly held = new WeakMap<PoolClient, PostgresConnection>();

  /** The one of this client, for as long as the client lives. */
  static of(client: PoolClient): PostgresConnection {
    let held = this.held.get(client);
    if (held === undefined) this.held.set(client, (held = new PostgresConnection(client)));
    return held;
  }

  private broken = false;

  private constructor(private readonly client: PoolClient) {
    // The driver tells of it before it rejects what was on its way.
    const lose = () => (this.broken = true);
    client.on('error', lose).on('end', lose);
  }

  get lost(): boolean {
    return this.broken;
  }

  async query(query: string | QueryConfig): Promise<QueryResult> {
    try {
      return await this.client.query(query);
    } catch (error) {
      throw this.broken ? new ConnectionLost(error) : error;
    }
  }

  /** Breaks the connection off: what is on its way fails at once. */
  breakOff(): void {
    this.broken = true;
    (this.client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  }

  /** Back to the pool; thrown away where `failure` was the database's. */
  release(failure?: unknown): void {
    this.client.release(this.broken || isAway(failure));
  }
}
