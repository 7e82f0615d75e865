import type { QueryConfig } from 'pg';
import type { DataSource } from 'typeorm';
import { isAway } from '../away.js';
import type { Connections, GateConnection } from '../connections.js';
import type { SqlValue } from '../tx.js';
import { lease, poolOf, PostgresConnection } from './postgres-connection.js';
import { PostgresGate, SILENCE_MS } from './postgres-gate.js';
import { readOn, statement } from './postgres-statements.js';

/**
 * Makes every write find its rows by an index. Otherwise a plan that was cached while a table had few rows would scan the
 * whole table until PostgreSQL analyses it again, a minute later or more.
 */
const BY_INDEX = 'SET enable_seqscan = off; SET jit = off';

export class PostgresDatabase implements Connections {
  readonly locksByKey = true;

  /** A server that does not answer a read for `silenceMs` counts as gone. */
  constructor(
    readonly dataSource: DataSource,
    readonly lanes: number,
    private readonly silenceMs?: number,
  ) {
    // Listens at once: a server may end the session in the packet that opens it, and an unhandled error ends the process.
    poolOf(dataSource).on('connect', (client) => PostgresConnection.wrap(client));
  }

  async openGate(): Promise<GateConnection> {
    const connection = await lease(this.dataSource);
    const silence = setTimeout(() => connection.breakOff(), SILENCE_MS).unref();
    await connection.query(BY_INDEX).catch((error: unknown) => {
      connection.release(error);
      throw error;
    });
    clearTimeout(silence);
    return new PostgresGate(this.dataSource, connection);
  }

  /** Reads rows. Retries once on another connection when the first is lost, since a read changes nothing. */
  async read<Row>(sql: string, parameters: readonly SqlValue[]): Promise<Row[]> {
    this.dataSource.logger.logQuery(sql, parameters as unknown[]);
    const query: QueryConfig = statement(sql, parameters);
    const first = await lease(this.dataSource);
    try {
      return await readOn<Row>(first, query, this.silenceMs);
    } catch (error) {
      // A newer version has changed a table of the prepared plan: without a name it is planned again.
      if ((error as { code?: unknown }).code === STALE_PLAN) delete query.name;
      else if (!isAway(error)) throw error;
    }
    return readOn(await lease(this.dataSource), query, this.silenceMs);
  }
}

/** SQLSTATE of "cached plan must not change result type", among others. */
const STALE_PLAN = '0A000';
