import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import { callerError } from './away.js';
import { type Connections, CONNECTIONS } from './connections.js';
import { managerOver } from './statement-runner.js';
import type { ReadingRepository, SqlReader, SqlValue } from './tx.js';

/**
 * Reads outside of a transaction. Each read sees everything that was acknowledged before it. Throws 503 `overloaded` when
 * the database cannot be reached.
 */
@Injectable()
export class DatabaseReader implements SqlReader {
  private manager: EntityManager | undefined;

  constructor(@Inject(CONNECTIONS) private readonly connections: Connections) {}

  async all<Row>(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    try {
      return await this.connections.read<Row>(sql, parameters);
    } catch (error) {
      throw callerError(error);
    }
  }

  async one<Row>(sql: string, parameters: readonly SqlValue[] = []): Promise<Row | undefined> {
    return (await this.all<Row>(sql, parameters))[0];
  }

  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): ReadingRepository<Entity> {
    this.manager ??= managerOver(this.connections.dataSource, this);
    return this.manager.getRepository(entity);
  }
}
