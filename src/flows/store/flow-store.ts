import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import { In, LessThan, type Repository } from 'typeorm';
import { FLOW_ID } from '../../api/flow-definition.js';
import { declareBudget } from '../../common/budgets/budget.js';
import { Clock } from '../../common/clock.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { inList, SharedRead } from '../../database/shared-read.js';
import type { Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { type FlowDefinition, withSettingsOf } from '../definition/flow-definition.js';
import { Flow } from '../definition/flow.js';
import { NodeKindRegistry } from '../definition/node-kind-registry.js';
import { FlowEntity } from './flow.entity.js';
import { holdsMissing, withSealedSettings } from './sealed-settings.js';

/** A stored flow. Instants are epoch milliseconds; `sourceHash` is that of the file from which it was last loaded. */
export interface StoredFlow extends Pick<FlowEntity, 'sourceHash' | 'createdAt' | 'updatedAt'> {
  flow: Flow;
}

/** The end of a page of the list. */
export interface FlowPosition {
  createdAt: number;
  id: string;
}

type WithId = FlowDefinition & { id: string };

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
  private readonly removedListeners: (() => void)[] = [];
  private readonly revisions: SharedRead<{ id: string; revision: string }>;

  constructor(
    private readonly reader: DatabaseReader,
    private readonly gate: WriteGate,
    private readonly clock: Clock,
    private readonly kinds: NodeKindRegistry,
    private readonly secrets: Secrets,
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
    const row = await this.reader.repository(FlowEntity).findOneBy({ id });
    return row ? this.read(row) : undefined;
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
    const rows = await this.reader.repository(FlowEntity).find({
      where: after
        ? [{ createdAt: LessThan(after.createdAt) }, { createdAt: after.createdAt, id: LessThan(after.id) }]
        : {},
      order: { createdAt: 'DESC', id: 'DESC' },
      take: limit,
    });
    return rows.map((row) => this.read(row));
  }

  /** Stores a checked definition under its id or a new one. Resolves to undefined when the id is taken. */
  async create(
    definition: FlowDefinition,
    sourceHash: string | null = null,
  ): Promise<StoredFlow | undefined> {
    const id = definition.id ?? randomUUID();
    const now = this.clock.now();
    const made = await this.insert(id, definition, { sourceHash, createdAt: now, updatedAt: now });
    return made ? this.get(id) : undefined;
  }

  /** Returns the ids that are taken. */
  async taken(ids: readonly string[]): Promise<Set<string>> {
    return takenAmong(this.reader.repository(FlowEntity), ids);
  }

  /**
   * Stores checked definitions under their ids in one transaction. Those in `replaced` may replace a flow, which keeps its
   * settings. Resolves to other ids that are taken; nothing is stored then.
   */
  saveAll(definitions: readonly WithId[], replaced: ReadonlySet<string>): Promise<Set<string>> {
    return this.gate.write(async (tx) => {
      const flows = tx.repository(FlowEntity);
      const taken = await takenAmong(
        flows,
        definitions.map(({ id }) => id),
      );
      const refused = new Set([...taken].filter((id) => !replaced.has(id)));
      if (refused.size > 0) return refused;
      const now = this.clock.now();
      for (const definition of definitions) {
        const { id } = definition;
        const row = taken.has(id) ? await flows.findOneBy({ id }) : null;
        const before = row ? (JSON.parse(row.definition) as FlowDefinition) : undefined;
        const whole = before ? withSettingsOf(definition, before) : definition;
        const stored = {
          name: whole.name,
          definition: this.textOf(whole, id, before),
          revision: randomUUID(),
        };
        if (row) await flows.update({ id }, { ...stored, updatedAt: now });
        else await flows.insert({ id, ...stored, sourceHash: null, createdAt: now, updatedAt: now });
      }
      return refused;
    });
  }

  /** Stores a checked definition of another service with its dates. Resolves to false when its id is taken. */
  adopt(
    id: string,
    definition: FlowDefinition,
    dates: Pick<StoredFlow, 'createdAt' | 'updatedAt'>,
  ): Promise<boolean> {
    return this.insert(id, definition, { sourceHash: null, ...dates });
  }

  /** Returns the time of the last change; undefined when there is no such flow. */
  async changedAt(id: string): Promise<number | undefined> {
    if (!FlowStore.isFlowId(id)) return undefined;
    const row = await this.reader
      .repository(FlowEntity)
      .findOne({ select: { id: true, updatedAt: true }, where: { id } });
    return row?.updatedAt;
  }

  /**
   * Replaces a definition, with `revision` only that one; `sourceHash` is that of its file. Resolves to undefined when there
   * is no such flow or revision.
   */
  async update(
    id: string,
    definition: FlowDefinition,
    { sourceHash, revision }: { sourceHash?: string; revision?: string | undefined } = {},
  ): Promise<StoredFlow | undefined> {
    const { affected } = await this.gate.write(async (tx) =>
      tx.repository(FlowEntity).update(named(id, revision), {
        name: definition.name,
        definition: await this.textAfter(tx, definition, id),
        revision: randomUUID(),
        updatedAt: this.clock.now(),
        ...(sourceHash === undefined ? {} : { sourceHash }),
      }),
    );
    return affected === 1 ? this.get(id) : undefined;
  }

  /** Deletes a flow, with `revision` only that one. Returns false when there was none. */
  async remove(id: string, revision?: string): Promise<boolean> {
    this.compiled.delete(id);
    const { affected } = await this.gate.write((tx) => tx.repository(FlowEntity).delete(named(id, revision)));
    if (affected !== 1) return false;
    for (const listener of this.removedListeners) listener();
    return true;
  }

  /** Adds a listener that is called when this process has deleted a flow. */
  onRemoved(listener: () => void): void {
    this.removedListeners.push(listener);
  }

  private insert(
    id: string,
    definition: FlowDefinition,
    more: Pick<FlowEntity, 'sourceHash' | 'createdAt' | 'updatedAt'>,
  ): Promise<boolean> {
    return this.gate.write(async (tx) => {
      const flows = tx.repository(FlowEntity);
      if (await flows.existsBy({ id })) return false;
      const text = this.textOf(definition, id);
      const { name } = definition;
      await flows.insert({ id, name, definition: text, revision: randomUUID(), ...more });
      return true;
    });
  }

  /** Returns the text of a definition in which masked secrets are replaced by those of the stored flow. */
  private async textAfter(tx: Tx, definition: FlowDefinition, id: string): Promise<string> {
    const row = holdsMissing(definition) ? await tx.repository(FlowEntity).findOneBy({ id }) : null;
    return this.textOf(definition, id, row ? (JSON.parse(row.definition) as FlowDefinition) : undefined);
  }

  private textOf(definition: FlowDefinition, id: string, before?: FlowDefinition): string {
    const key = this.secrets.credentialsKey;
    return JSON.stringify({ ...withSealedSettings(definition, { key, flowId: id, before }), id });
  }

  private read(row: FlowEntity): StoredFlow {
    let flow = this.compiled.get(row.id);
    if (flow?.revision !== row.revision) {
      const definition = JSON.parse(row.definition) as FlowDefinition;
      flow = new Flow(row.id, row.revision, definition, this.kinds.all);
      this.compiled.set(row.id, flow, { size: row.definition.length });
    }
    const { sourceHash, createdAt, updatedAt } = row;
    return { flow, sourceHash, createdAt, updatedAt };
  }
}

/** Ids looked for in one statement. */
const MOST_IDS = 500;

/** Returns the ids that are taken. */
async function takenAmong(
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

/** Returns the condition for a flow, with `revision` only in that one. */
const named = (id: string, revision: string | undefined) =>
  revision === undefined ? { id } : { id, revision };
