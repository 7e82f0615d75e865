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

/** Of a process that the others cannot reach. */
const NONE = '';

/** A silent database keeps no calls from being ended. */
const STOP_WAITS_MS = 2_000;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/**
 * Announces in the database where the other processes reach this one (contract section 13): `INTERNAL_URL`, else its own
 * host and port where that is loopback, and so the same machine.
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

  /** A process that is told to stop while it announces itself still writes to the end. */
  onModuleDestroy(): Promise<void> {
    return Promise.race([this.announced, wait(STOP_WAITS_MS, undefined, { ref: false })]);
  }

  /** Empty for a process that said that it has none; undefined while it has said nothing. */
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

  /** Undefined while nothing can be said: it is announced once the process listens. */
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
