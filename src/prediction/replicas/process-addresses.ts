import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { AppConfig } from '../../common/app-config.js';
import { Readiness } from '../../common/health/readiness.js';
import { Logger } from '../../common/logger.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { isSqlite } from '../../database/open/data-source.js';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import { LateWrites } from '../../database/writes/late-writes.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { ProcessAddress } from './process-address.entity.js';

/** Address of a process that the others cannot reach. */
const NONE = '';

/** Longest wait at shutdown, so that a silent database does not hold it up. */
const STOP_WAITS_MS = 2_000;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/**
 * Announces this process's address in the database (contract section 13): `INTERNAL_URL`, else its host and port if
 * that is loopback, so for the same machine.
 */
@Injectable()
export class ProcessAddresses implements OnModuleDestroy {
  private announced: Promise<void> = Promise.resolve();

  constructor(
    private readonly config: AppConfig,
    private readonly http: HttpAdapterHost,
    private readonly presence: ProcessPresence,
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly lateWrites: LateWrites,
    private readonly logger: Logger,
    readiness: Readiness,
  ) {
    const announce = () => void (this.announced = this.announced.then(() => this.announce()));
    readiness.onReady(announce);
    presence.onRenamed(announce);
  }

  /** Waits for an announcement that is being written. */
  onModuleDestroy(): Promise<void> {
    return Promise.race([this.announced, wait(STOP_WAITS_MS, undefined, { ref: false })]);
  }

  /** Returns the address of a process; empty if it has none, undefined if it has announced nothing. */
  async find(processId: string): Promise<string | undefined> {
    const found = await this.reader.repository(ProcessAddress).findOneBy({ processId });
    return found?.url;
  }

  private async announce(): Promise<void> {
    const { host, databaseUrl } = this.config;
    if (this.own() === NONE && !isSqlite(databaseUrl))
      this.logger.warn({ host }, 'other processes cannot resume streams of this one: set INTERNAL_URL');
    await this.lateWrites.attempt('the announcement of the address', () => this.write());
  }

  /** Returns this process's address; undefined until it listens. */
  private own(): string | undefined {
    const { host, internalUrl } = this.config;
    if (internalUrl !== undefined) return internalUrl;
    const address = (this.http.httpAdapter.getHttpServer() as { address(): AddressInfo | null }).address();
    if (!address) return undefined;
    return LOOPBACK.test(host) ? `http://${host.includes(':') ? `[${host}]` : host}:${address.port}` : NONE;
  }

  private async write(): Promise<void> {
    const { id: processId } = this.presence;
    const url = this.own();
    if (url === undefined) return;
    const rows = await this.reader.repository(ProcessAddress).find({ select: { processId: true } });
    const gone: string[] = [];
    for (const row of rows) if (await this.presence.isGone(row.processId)) gone.push(row.processId);
    await this.gate.write(async (tx) => {
      const addresses = tx.repository(ProcessAddress);
      for (const id of [...gone, processId]) await addresses.delete({ processId: id });
      await addresses.insert({ processId, url });
    }, []);
  }
}
