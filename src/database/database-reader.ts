import { Inject, Injectable } from '@nestjs/common';
import { toldOf } from './away.js';
import { CONNECTIONS } from './database.tokens.js';
import type { Connections } from './connections.js';
import type { SqlReader, SqlValue } from './tx.js';

/**
 * Plain reads outside a transaction: each sees everything that was acknowledged before it. Throws 503 `overloaded`
 * where the database cannot be reached.
 */
@Injectable()
export class DatabaseReader implements SqlReader {
  constructor(@Inject(CONNECTIONS) private readonly connections: Connections) {}

  async all<Row>(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    try {
      return await this.connections.read<Row>(sql, parameters);
    } catch (error) {
      throw toldOf(error);
    }
  }

  async one<Row>(sql: string, parameters: readonly SqlValue[] = []): Promise<Row | undefined> {
    return (await this.all<Row>(sql, parameters))[0];
  }
}
