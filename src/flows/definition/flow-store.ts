import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { LessThan } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { inList, SharedRead } from '../../database/shared-read.js';
import type { Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { NodeKindRegistry } from '../nodes/node-kind-registry.js';
import { Flow } from './flow.js';
import { FlowEntity } from './flow.entity.js';
import { FLOW_ID, type FlowDefinition } from './flow-definition.js';
import { holdsMissing, withSealedSettings } from './sealed-settings.js';

/** Instants are epoch milliseconds; `sourceHash` names the file it was last loaded from. */
export interface StoredFlow extends Pick<FlowEntity, 'sourceHash' | 'createdAt' | 'updatedAt'> {
  flow: Flow;
}

/** Where a page of the list ends. */
export interface FlowPosition {
  createdAt: number;
  id: string;
}

const MOST_KEPT = 1_000;

/**
 * The stored flows. `find` costs one small statement a call: the parsed and compiled flow is cached in the process and
 * valid as long as the row's revision is the same, whichever replica changes it.
 */
@Injectable()
export class FlowStore {
  private readonly compiled = new Map<string, Flow>();
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

  /** The flow with this id, whatever text that is. */
  async find(id: string): Promise<Flow | undefined> {
    if (!FlowStore.isFlowId(id)) return undefined;
    if (!this.compiled.has(id)) return (await this.get(id))?.flow;
    return this.findAt(id, (await this.revisions.one(id))?.revision ?? null);
  }

  /** The same for a caller who has just read which revision the flow has; null: there is none. */
  async findAt(id: string, revision: string | null): Promise<Flow | undefined> {
    const kept = this.compiled.get(id);
    if (kept && revision === kept.revision) return kept;
    this.compiled.delete(id);
    return revision === null ? undefined : (await this.get(id))?.flow;
  }

  /** The flow as this process last saw it, which may be out of date. */
  kept(id: string): Flow | undefined {
    return this.compiled.get(id);
  }

  /** Whether a flow can have this id at all. */
  static isFlowId(text: string): boolean {
    return FLOW_ID.test(text);
  }

  /** The whole row. */
  async get(id: string): Promise<StoredFlow | undefined> {
    if (!FlowStore.isFlowId(id)) return undefined;
    const row = await this.reader.repository(FlowEntity).findOneBy({ id });
    return row ? this.read(row) : undefined;
  }

  /**
   * Every flow, newest first, without reading again what this process has read: the list is asked for by whoever wants
   * to know what there is to call.
   */
  async listed(): Promise<Pick<StoredFlow, 'flow' | 'createdAt'>[]> {
    const rows = await this.reader.repository(FlowEntity).find({
      select: { id: true, revision: true, createdAt: true },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: MOST_KEPT,
    });
    const found: Pick<StoredFlow, 'flow' | 'createdAt'>[] = [];
    for (const { id, revision, createdAt } of rows) {
      const flow = await this.findAt(id, revision);
      if (flow) found.push({ flow, createdAt });
    }
    return found;
  }

  /** Newest first, those after `after`. */
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

  /** Stores a checked definition under its id, or a new one. Resolves to undefined when the id is taken. */
  async create(
    definition: FlowDefinition,
    sourceHash: string | null = null,
  ): Promise<StoredFlow | undefined> {
    const id = definition.id ?? randomUUID();
    const now = this.clock.now();
    const made = await this.insert(id, definition, { sourceHash, createdAt: now, updatedAt: now });
    return made ? this.get(id) : undefined;
  }

  /** Stores a checked definition of a flow that was made elsewhere, with its dates. False when its id is taken. */
  adopt(
    id: string,
    definition: FlowDefinition,
    dates: Pick<StoredFlow, 'createdAt' | 'updatedAt'>,
  ): Promise<boolean> {
    return this.insert(id, definition, { sourceHash: null, ...dates });
  }

  /** When the flow was last changed; undefined when there is none. */
  async changedAt(id: string): Promise<number | undefined> {
    if (!FlowStore.isFlowId(id)) return undefined;
    const row = await this.reader
      .repository(FlowEntity)
      .findOne({ select: { id: true, updatedAt: true }, where: { id } });
    return row?.updatedAt;
  }

  /**
   * Replaces a definition; `sourceHash` when a file says so, `revision` when only that one may be replaced. Resolves to
   * undefined when there is no such flow, or not in this revision.
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

  /** Whether there was such a flow; with `revision` it is deleted only in that one. */
  async remove(id: string, revision?: string): Promise<boolean> {
    this.compiled.delete(id);
    const { affected } = await this.gate.write((tx) => tx.repository(FlowEntity).delete(named(id, revision)));
    if (affected !== 1) return false;
    for (const listener of this.removedListeners) listener();
    return true;
  }

  /** Adds a listener for flows that this process has deleted. */
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

  /** With the secrets that the flow, as it is stored, has at the places where this one shows them masked. */
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
      if (this.compiled.size >= MOST_KEPT) this.compiled.clear();
      this.compiled.set(row.id, flow);
    }
    const { sourceHash, createdAt, updatedAt } = row;
    return { flow, sourceHash, createdAt, updatedAt };
  }
}

/** With `revision` only while the flow stands in that one. */
const named = (id: string, revision: string | undefined) =>
  revision === undefined ? { id } : { id, revision };
