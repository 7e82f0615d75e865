import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { isSqlite, withUser } from '../open/data-source.js';
import { PostgresPresence } from './postgres-presence.js';
import type { Life, Presence } from './presence.js';
import { GONE_AFTER_MS } from './silent-processes.js';
import { SqlitePresence } from './sqlite-presence.js';

/**
 * The name under which this process marks its runs and claims, and the proof whether another process is gone: a lock
 * that the operating system or the database releases when the process dies, however it dies (contract section 8,
 * recovery).
 */
@Injectable()
export class ProcessPresence implements OnModuleInit, OnApplicationShutdown {
  private readonly presence: Presence;
  private entered: Promise<void> | undefined;

  constructor(@Inject(AppConfig) config: AppConfig, logger: Logger, clock: Clock) {
    this.presence = isSqlite(config.databaseUrl)
      ? new SqlitePresence(config.databaseUrl)
      : new PostgresPresence(withUser(config.databaseUrl), logger, clock);
  }

  async onModuleInit(): Promise<void> {
    await this.enter();
  }

  /** From then on the process has a name; entered once, however often it is called. */
  enter(): Promise<void> {
    return (this.entered ??= this.presence.enter(randomUUID()));
  }

  /**
   * The name in every running record and claim of this process. On PostgreSQL it changes after a loss of connection
   * that was so long that others may have taken the process for dead.
   */
  get id(): string {
    const name = this.presence.names.at(-1);
    if (name === undefined) throw new Error('the process has not entered the database yet');
    return name;
  }

  /** This name and the earlier ones, under which runs of this process may still be under way. */
  get ids(): readonly string[] {
    return this.presence.names;
  }

  /** Whether others may take this process for dead by now, and interrupt what it runs: its lock is not known to hold. */
  get mayBeTakenForDead(): boolean {
    return this.presence.provenMsAgo >= GONE_AFTER_MS;
  }

  /** True only when the named process provably ended; never for this one. */
  async isGone(processId: string): Promise<boolean> {
    return (await this.lifeOf(processId)) === 'gone';
  }

  /** This process is `living` under all of its names; another may be `silent` for some seconds before it is `gone`. */
  async lifeOf(processId: string): Promise<Life> {
    return this.ids.includes(processId) ? 'living' : this.presence.lifeOf(processId);
  }

  /** Adds a listener, called when a process that was asked about is found to be gone later. */
  onGone(listener: () => void): void {
    this.presence.onGone(listener);
  }

  /** Adds a listener, called when this process goes on under a new name. */
  onRenamed(listener: () => void): void {
    this.presence.onRenamed(listener);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.presence.leave();
  }
}
