import type { Socket } from 'node:net';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import type { DataSource } from 'typeorm';
import { ConnectionLost, isAway } from '../away.js';

/**
 * A pooled connection that detects when it has broken off: every error on it from then on is `ConnectionLost`, whatever
 * the driver says. A statement that the server refused keeps the server's error, with its SQLSTATE.
 */
export class PostgresConnection {
  private static readonly held = new WeakMap<PoolClient, PostgresConnection>();

  /** The one of this client, for as long as the client lives. */
  static wrap(client: PoolClient): PostgresConnection {
    let held = this.held.get(client);
    if (held === undefined) this.held.set(client, (held = new PostgresConnection(client)));
    return held;
  }

  private broken = false;

  private constructor(private readonly client: PoolClient) {
    // The driver emits this before it rejects the statements under way.
    const lose = () => (this.broken = true);
    client.on('error', lose).on('end', lose);
  }

  get lost(): boolean {
    return this.broken;
  }

  /** Statements that are sent before the loop turns share a packet: each one costs both sides a wake-up. */
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

  /** Destroys the connection: statements under way fail at once. */
  breakOff(): void {
    this.broken = true;
    this.stream.destroy();
  }

  private get stream(): Socket {
    return (this.client as unknown as { connection: { stream: Socket } }).connection.stream;
  }

  /** Returns it to the pool; discards it where `failure` is a lost connection or the like. */
  release(failure?: unknown): void {
    this.client.release(this.broken || isAway(failure));
  }
}

/** The driver's own pool, which TypeORM keeps. */
export const poolOf = ({ driver }: DataSource): Pool => (driver as unknown as { master: Pool }).master;

/** A connection of the pool, to be released. */
export const lease = async (dataSource: DataSource): Promise<PostgresConnection> =>
  PostgresConnection.wrap(await opened(poolOf(dataSource).connect()));

/** Any error while a connection is opened means that the database is away. */
const opened = (connecting: Promise<PoolClient>): Promise<PoolClient> =>
  connecting.catch((error: unknown) => {
    throw new ConnectionLost(error);
  });
