import type { Socket } from 'node:net';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import type { DataSource } from 'typeorm';
import { ConnectionLost, isAway } from '../away.js';

/**
 * A pooled connection that detects its loss: from then on every error is `ConnectionLost`, whatever the driver throws. A
 * statement that the server refused throws the server's error with its SQLSTATE.
 */
export class PostgresConnection {
  private static readonly held = new WeakMap<PoolClient, PostgresConnection>();

  /** Returns the connection of this client, the same as long as the client lives. */
  static wrap(client: PoolClient): PostgresConnection {
    let held = this.held.get(client);
    if (held === undefined) this.held.set(client, (held = new PostgresConnection(client)));
    return held;
  }

  private broken = false;

  private constructor(private readonly client: PoolClient) {
    // The driver emits this before it rejects the pending statements.
    const lose = () => (this.broken = true);
    client.on('error', lose).on('end', lose);
  }

  get lost(): boolean {
    return this.broken;
  }

  /** Sends a statement. Those of one tick share a packet, because each packet costs both sides a wake-up. */
  async query(query: string | QueryConfig): Promise<QueryResult> {
    const { stream } = this;
    stream.cork();
    process.nextTick(() => stream.uncork());
    try {
      return await this.client.query(query);
    } catch (error) {
      throw this.broken ? new ConnectionLost(error) : error;
    }
  }

  /** Destroys the connection; pending statements fail at once. */
  breakOff(): void {
    this.broken = true;
    this.stream.destroy();
  }

  private get stream(): Socket {
    return (this.client as unknown as { connection: { stream: Socket } }).connection.stream;
  }

  /** Ends a connection with settings of its own, which the pool must not lend to others. */
  discard(): void {
    this.client.release(true);
  }

  /** Returns the connection to the pool, or discards it when `failure` means that it is unusable. */
  release(failure?: unknown): void {
    this.client.release(this.broken || isAway(failure));
  }
}

/** Returns the driver's own pool, which TypeORM holds. */
export const poolOf = ({ driver }: DataSource): Pool => (driver as unknown as { master: Pool }).master;

/** Leases a connection of the pool; release it afterwards. */
export const lease = async (dataSource: DataSource): Promise<PostgresConnection> =>
  PostgresConnection.wrap(await opened(poolOf(dataSource).connect()));

/** Any error while a connection is opened means that the database is unavailable. */
const opened = (connecting: Promise<PoolClient>): Promise<PoolClient> =>
  connecting.catch((error: unknown) => {
    throw new ConnectionLost(error);
  });
