import { Inject, Injectable } from '@nestjs/common';
import { CONNECTIONS } from './database.tokens.js';
import type { Connections } from './connections.js';
import type { SqlReader, SqlValue } from './tx.js';

/** Plain reads outside a transaction: each sees everything that was acknowledged before it. */
@Injectable()
export class DatabaseReader implements SqlReader {
  constructor(@Inject(CONNECTIONS) private readonly connections: Connections) {}

  all<Row>(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return this.connections.read<Row>(sql, parameters);
  }

  async one<Row>(sql: string, parameters: readonly SqlValue[] = []): Promise<Row | undefined> {
    return (await this.connections.read<Row>(sql, parameters))[0];
  }
}
