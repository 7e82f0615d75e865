import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { In, type Repository } from 'typeorm';
import { FLOW_ID } from '../../api/flow-definition.js';
import { declareBudget } from '../../common/budgets/budget.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { inList, SharedRead } from '../../database/shared-read.js';
import type { FlowContent, FlowSettings } from '../definition/flow-definition.js';
import { Flow } from '../definition/flow.js';
import { NodeKindRegistry } from '../definition/node-kind-registry.js';
import { flowColumns, FlowEntity, FlowVersionEntity } from './flow.entity.js';

/** A stored flow. Instants are epoch milliseconds; `sourceHash` is that of the file from which it was last loaded. */
export interface StoredFlow extends Pick<FlowEntity, 'sourceHash' | 'createdAt' | 'updatedAt'> {
  flow: Flow;
}

/** The end of a page of the list. */
export interface FlowPosition {
  createdAt: number;
  id: string;
}

/** The columns of a flow and its published definition. */
type FlowRow = FlowEntity & Pick<FlowVersionEntity, 'definition'>;

/** Selects flows with the definition of their published version. */
const SELECT = `SELECT ${flowColumns.selected(flowColumns.without([]))}, flow_versions.definition AS definition FROM flows
  JOIN flow_versions ON flow_versions.flow_id = flows.id AND flow_versions.version = flows.version`;

const MOST_CACHED = 1_000;

const COMPILED = declareBudget({
  name: 'compiled flows in memory, by the characters of their definitions',
  unit: 'bytes',
  owner: 'flow',
  share: 10 * 1024 * 1024,
  total: 32 * 1024 * 1024,
  beyond: 'read and compiled again',
  reason: 'A thousand flows of thirty nodes; the flows that were called last stay.',
});

/**
 * The stored flows. `find` costs one small statement: the compiled flow is cached in the process, and valid as long as the
 * row has the same revision, whichever replica changes it.
 */
@Injectable()
export class FlowStore {
  private readonly compiled = new LRUCache<string, Flow>({
    max: MOST_CACHED,
    maxSize: COMPILED.total,
    maxEntrySize: COMPILED.share,
  });
  private readonly revisions: SharedRead<{ id: string; revision: string }>;

  constructor(
    private readonly reader: DatabaseReader,
    private readonly kinds: NodeKindRegistry,
  ) {
    this.revisions = new SharedRead(reader, inList('SELECT id, revision FROM flows WHERE id IN'), (row) => [
      row.id,
    ]);
  }

  /** Returns the flow with this id, which may be any text. */
  async find(id: string): Promise<Flow | undefined> {
    if (!FlowStore.isFlowId(id)) return undefined;
    if (!this.compiled.has(id)) return (await this.get(id))?.flow;
    return this.findAt(id, (await this.revisions.one(id))?.revision ?? null);
  }

  /** Like `find`, for a caller who has just read the revision of the flow; null: there is no flow. */
  async findAt(id: string, revision: string | null): Promise<Flow | undefined> {
    const cached = this.compiled.get(id);
    if (cached && revision === cached.revision) return cached;
    this.compiled.delete(id);
    return revision === null ? undefined : (await this.get(id))?.flow;
  }

  /** Returns the cached flow, which may be out of date. */
  cached(id: string): Flow | undefined {
    return this.compiled.get(id);
  }

  /** Returns whether a flow can have this id. */
  static isFlowId(text: string): boolean {
    return FLOW_ID.test(text);
  }

  /** Returns a flow with its row's data. */
  async get(id: string): Promise<StoredFlow | undefined> {
    if (!FlowStore.isFlowId(id)) return undefined;
    const row = await this.reader.one<FlowRow>(`${SELECT} WHERE flows.id = ?`, [id]);
    return row ? this.read(row) : undefined;
  }

  /** Returns the flow with its settings at this version; undefined when there is no such version. */
  async findAtVersion(id: string, version: number): Promise<Flow | undefined> {
    const flow = await this.find(id);
    if (!flow || flow.version === version) return flow;
    const row = await this.reader.repository(FlowVersionEntity).findOneBy({ flowId: id, version });
    return row ? flow.at(version, JSON.parse(row.definition) as FlowContent) : undefined;
  }

  /**
   * Returns the newest flows from the cache as far as possible, for lists of models and tools.
   */
  async listed(): Promise<Pick<StoredFlow, 'flow' | 'createdAt'>[]> {
    const rows = await this.reader.repository(FlowEntity).find({
      select: { id: true, revision: true, createdAt: true },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: MOST_CACHED,
    });
    const found: Pick<StoredFlow, 'flow' | 'createdAt'>[] = [];
    for (const { id, revision, createdAt } of rows) {
      const flow = await this.findAt(id, revision);
      if (flow) found.push({ flow, createdAt });
    }
    return found;
  }

  /** Returns a page of flows, newest first. */
  async list(limit: number, after?: FlowPosition): Promise<StoredFlow[]> {
    const before = 'WHERE flows.created_at < ? OR (flows.created_at = ? AND flows.id < ?)';
    const rows = await this.reader.all<FlowRow>(
      `${SELECT} ${after ? before : ''} ORDER BY flows.created_at DESC, flows.id DESC LIMIT ?`,
      [...(after ? [after.createdAt, after.createdAt, after.id] : []), limit],
    );
    return rows.map((row) => this.read(row));
  }

  /** Drops the cached flow, which was deleted. */
  forget(id: string): void {
    this.compiled.delete(id);
  }

  /** Returns the ids that are taken. */
  async taken(ids: readonly string[]): Promise<Set<string>> {
    return takenAmong(this.reader.repository(FlowEntity), ids);
  }

  /** Returns the time of the last change; undefined when there is no such flow. */
  async changedAt(id: string): Promise<number | undefined> {
    if (!FlowStore.isFlowId(id)) return undefined;
    const row = await this.reader
      .repository(FlowEntity)
      .findOne({ select: { id: true, updatedAt: true }, where: { id } });
    return row?.updatedAt;
  }

  private read(row: FlowRow): StoredFlow {
    let flow = this.compiled.get(row.id);
    if (flow?.revision !== row.revision) {
      const settings = JSON.parse(row.settings) as FlowSettings;
      const definition = { ...settings, ...(JSON.parse(row.definition) as FlowContent) };
      flow = new Flow(row.id, row.revision, definition, this.kinds.all, row.version);
      this.compiled.set(row.id, flow, { size: row.settings.length + row.definition.length });
    }
    const { sourceHash, createdAt, updatedAt } = row;
    return { flow, sourceHash, createdAt, updatedAt };
  }
}

/** Ids looked for in one statement. */
const MOST_IDS = 500;

/** Returns the ids that are taken. */
export async function takenAmong(
  flows: Pick<Repository<FlowEntity>, 'find'>,
  ids: readonly string[],
): Promise<Set<string>> {
  const taken = new Set<string>();
  for (let from = 0; from < ids.length; from += MOST_IDS) {
    const some = ids.slice(from, from + MOST_IDS);
    for (const { id } of await flows.find({ select: { id: true }, where: { id: In(some) } })) taken.add(id);
  }
  return taken;
}
