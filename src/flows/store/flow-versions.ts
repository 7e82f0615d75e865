import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { DatabaseReader } from '../../database/database-reader.js';
import { FlowStore } from './flow-store.js';
import { FlowSettingChangeEntity, FlowVersionEntity } from './flow.entity.js';

/** The end of a page of changes of settings. */
export interface ChangePosition {
  changedAt: number;
  setting: string;
}

/** Reads the versions of flows and the changes of their settings, newest first. */
@Injectable()
export class FlowVersions {
  constructor(private readonly reader: DatabaseReader) {}

  /** Returns a page of versions without their definitions. */
  list(flowId: string, limit: number, before?: number): Promise<Omit<FlowVersionEntity, 'definition'>[]> {
    return this.reader.repository(FlowVersionEntity).find({
      select: { flowId: true, version: true, name: true, note: true, author: true, publishedAt: true },
      where: { flowId, ...(before === undefined ? {} : { version: LessThan(before) }) },
      order: { version: 'DESC' },
      take: limit,
    });
  }

  async find(flowId: string, version: number): Promise<FlowVersionEntity | undefined> {
    if (!FlowStore.isFlowId(flowId)) return undefined;
    return (await this.reader.repository(FlowVersionEntity).findOneBy({ flowId, version })) ?? undefined;
  }

  /** Returns a page of changes of settings. */
  settingChanges(flowId: string, limit: number, before?: ChangePosition): Promise<FlowSettingChangeEntity[]> {
    const { changedAt = 0, setting = '' } = before ?? {};
    return this.reader.repository(FlowSettingChangeEntity).find({
      where: before
        ? [
            { flowId, changedAt: LessThan(changedAt) },
            { flowId, changedAt, setting: LessThan(setting) },
          ]
        : { flowId },
      order: { changedAt: 'DESC', setting: 'DESC' },
      take: limit,
    });
  }
}
