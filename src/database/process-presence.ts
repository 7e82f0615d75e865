import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { AppConfig } from '../common/app-config.js';
import { Logger } from '../common/logger.js';
import { isSqlite, withUser } from './data-source.js';
import { PostgresPresence } from './postgres-presence.js';
import type { Presence } from './presence.js';
import { SqlitePresence } from './sqlite-presence.js';

/**
 * The name under which this process marks what it is doing, and the proof whether another process is gone: a lock that
 * the operating system or the database lets go when the process dies, however it dies (contract section 8, recovery).
 */
@Injectable()
export class ProcessPresence implements OnModuleInit, OnApplicationShutdown {
  private readonly presence: Presence;
  private name: string | undefined;

  constructor(@Inject(AppConfig) config: AppConfig, logger: Logger) {
    this.presence = isSqlite(config.databaseUrl)
      ? new SqlitePresence(config.databaseUrl)
      : new PostgresPresence(withUser(config.databaseUrl), logger);
  }

  async onModuleInit(): Promise<void> {
    this.name = await this.presence.enter(randomUUID());
  }

  /** Of this process; stands in every running record and claim. */
  get id(): string {
    if (this.name === undefined) throw new Error('the process has not entered the database yet');
    return this.name;
  }

  /** True only when the named process provably ended; never for this one. */
  async isGone(processId: string): Promise<boolean> {
    return processId !== this.id && this.presence.isGone(processId);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.presence.leave();
  }
}
