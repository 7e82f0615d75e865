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
 * The name with which this process marks its runs and claims, and the proof that another process is gone: a lock that the
 * operating system or the database releases when the process dies (contract section 8, recovery).
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

  /** Gives the process a name. Further calls do nothing. */
  enter(): Promise<void> {
    return (this.entered ??= this.presence.enter(randomUUID()));
  }

  /**
   * The name in every running record and claim of this process. On PostgreSQL it changes after the connection was lost for
   * so long that others may have taken the process for dead.
   */
  get id(): string {
    const name = this.presence.names.at(-1);
    if (name === undefined) throw new Error('the process has not entered the database yet');
    return name;
  }

  /** The current name and earlier ones under which runs of this process may still be in progress. */
  get ids(): readonly string[] {
    return this.presence.names;
  }

  /** True when others may take this process for dead and interrupt its runs, because its lock is not known to hold. */
  get mayBeTakenForDead(): boolean {
    return this.presence.provenMsAgo >= GONE_AFTER_MS;
  }

  /** Returns true only when the named process provably ended; never for this one. */
  async isGone(processId: string): Promise<boolean> {
    return (await this.lifeOf(processId)) === 'gone';
  }

  /** Returns `living` for all names of this process; another may be `silent` for some seconds before it is `gone`. */
  async lifeOf(processId: string): Promise<Life> {
    return this.ids.includes(processId) ? 'living' : this.presence.lifeOf(processId);
  }

  /** Adds a listener that is called when a process that was silent turns out to be gone. */
  onGone(listener: () => void): void {
    this.presence.onGone(listener);
  }

  /** Adds a listener that is called when this process continues under a new name. */
  onRenamed(listener: () => void): void {
    this.presence.onRenamed(listener);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.presence.leave();
  }
}
