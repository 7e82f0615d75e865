import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { Periodic } from '../../common/periodic.js';
import { connectionsOf, dataSourceOptions, openDataSource } from '../../database/open/data-source.js';
import { migrate } from '../../database/open/migrate.js';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import { ExecutionEntity } from '../../executions/log/execution.entity.js';
import type { RehearsedRun, Rehearsal } from '../../flows/definition/rehearsals.js';
import { RunInspections } from '../../inspection/runs/run-inspections.js';
import { DiskStore } from '../../storage/disk-store.js';
import { type ProcessFolder, ProcessFolders } from '../../storage/process-folders.js';
import { FlowRenders, type RendersInRun } from '../render/flow-renders.js';
import { type OpenRehearsal, OwnRehearsal } from './own-rehearsal.js';
import { rehearsalServices } from './rehearsal-services.js';

const EVERY_MS = 3_600_000;

/**
 * Rehearsed runs (contract section 9, cases with live calls): each has a SQLite database and a store of files in a folder of
 * its own, so that no reader of the service's database or files can see what it records, renders or mails. The folder is
 * deleted with the rehearsal; those of dead processes are deleted at the start and when a process is found dead.
 */
@Injectable()
export class ReportRehearsals implements RendersInRun, OnApplicationBootstrap, OnModuleDestroy {
  private readonly folders: ProcessFolders;
  private readonly underWay = new Map<string, OwnRehearsal>();
  private readonly sweeping: Periodic;

  constructor(
    config: AppConfig,
    private readonly modules: ModuleRef,
    private readonly inspections: RunInspections,
    private readonly renders: FlowRenders,
    private readonly presence: ProcessPresence,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.folders = new ProcessFolders(join(config.storageDir, 'rehearsals'));
    this.sweeping = new Periodic(
      EVERY_MS,
      () => this.sweep(),
      (error) =>
        logger.error({ err: error }, 'leftovers of live cases were not deleted; retrying in an hour'),
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    this.presence.onGone(() => void this.sweeping.kick());
    await this.sweeping.kick();
    this.sweeping.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.sweeping.stop();
  }

  /** Its database and folder are made when a node needs them: most live cases only ask models. */
  open({ executionId, flow }: RehearsedRun): Rehearsal {
    const rehearsal = new OwnRehearsal({
      make: () => this.make({ executionId, flow }),
      removed: () => {
        leave();
        this.underWay.delete(executionId);
      },
      logger: this.logger,
    });
    const leave = this.inspections.rehearse(executionId, (work) =>
      rehearsal.during(({ inspection }) => work(inspection)),
    );
    this.underWay.set(executionId, rehearsal);
    return rehearsal;
  }

  readonly readOrder: FlowRenders['readOrder'] = (settings, around, fill) =>
    this.during(around.run, (renders) => renders.readOrder(settings, around, fill));

  readonly render: FlowRenders['render'] = (order, around, effects) =>
    this.during(around.run, (renders) => renders.render(order, around, effects));

  private during<Made>(
    { executionId }: { executionId: string },
    work: (renders: FlowRenders) => Promise<Made>,
  ): Promise<Made> {
    const rehearsal = this.underWay.get(executionId);
    return rehearsal ? rehearsal.during(({ renders }) => work(renders)) : work(this.renders);
  }

  private async make({ executionId, flow }: RehearsedRun): Promise<OpenRehearsal> {
    const folder = await this.folders.make(this.presence.id, executionId);
    try {
      return await this.openIn(folder, { executionId, flow });
    } catch (error) {
      await folder.remove();
      throw error;
    }
  }

  private async openIn(folder: ProcessFolder, { executionId, flow }: RehearsedRun): Promise<OpenRehearsal> {
    const url = `sqlite:${join(folder.path, 'rehearsal.sqlite')}`;
    await migrate(url);
    const entities = this.modules
      .get(DataSource, { strict: false })
      .entityMetadatas.map(({ target }) => target);
    const dataSource = await openDataSource({ ...dataSourceOptions(url), entities });
    const store = new DiskStore(folder.path);
    const services = rehearsalServices(this.modules, {
      connections: connectionsOf(dataSource),
      store,
      flow,
    });
    // The fence of each effect looks for the record of its run.
    await services.gate.write((tx) =>
      tx.repository(ExecutionEntity).insert({
        ...{ id: executionId, kind: 'prediction', status: 'running', flowId: flow.id },
        ...{ startedAt: this.clock.now(), processId: this.presence.id },
      }),
    );
    return {
      services,
      remove: async () => {
        services.lateWrites.onModuleDestroy();
        await services.gate.beforeApplicationShutdown();
        await dataSource.destroy();
        await folder.remove();
      },
    };
  }

  /** Deletes the folders of dead processes, and those that this process could not delete. */
  private sweep(): Promise<void> {
    return this.folders.sweep(async (processId, executionId) =>
      this.presence.ids.includes(processId)
        ? !this.underWay.has(executionId)
        : this.presence.isGone(processId),
    );
  }
}
