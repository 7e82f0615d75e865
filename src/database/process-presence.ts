import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { AppConfig } from '../common/app-config.js';
import { Clock } from '../common/clock.js';
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

  constructor(@Inject(AppConfig) config: AppConfig, logger: Logger, clock: Clock) {
    this.presence = isSqlite(config.databaseUrl)
      ? new SqlitePresence(config.databaseUrl)
      : new PostgresPresence(withUser(config.databaseUrl), logger, clock);
  }

  async onModuleInit(): Promise<void> {
    await this.presence.enter(randomUUID());
  }

  /**
   * Of this process; stands in every running record and claim. On PostgreSQL it changes when the process could not say
   * that it lives for so long that others may have taken it for dead.
   */
  get id(): string {
    const name = this.presence.names.at(-1);
    if (name === undefined) throw new Error('the process has not entered the database yet');
    return name;
  }

  /** This one and those under which this process began what it may still run. */
  get ids(): readonly string[] {
    return this.presence.names;
  }

  /** True only when the named process provably ended; never for this one. */
  async isGone(processId: string): Promise<boolean> {
    return !this.ids.includes(processId) && this.presence.isGone(processId);
  }

  /** Hears when a process that was asked about has become known to be gone. */
  onGone(listener: () => void): void {
    this.presence.onGone(listener);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.presence.leave();
  }
}
