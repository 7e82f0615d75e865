import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Clock } from '../../common/clock.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { inList, SharedRead } from '../../database/shared-read.js';
import { WriteGate } from '../../database/write-gate.js';
import { NodeKindRegistry } from '../nodes/node-kind-registry.js';
import { Flow } from './flow.js';
import { FLOW_ID, type FlowDefinition } from './flow-definition.js';

/** A row of `flows`; instants are epoch milliseconds. */
export interface StoredFlow {
  flow: Flow;
  /** The file it was last loaded from, by hash. */
  sourceHash: string | null;
  createdAt: number;
  updatedAt: number;
}

interface Row {
  id: string;
  definition: string;
  revision: string;
  source_hash: string | null;
  created_at: number;
  updated_at: number;
}

/** Where a page of the list ends. */
export interface FlowPosition {
  createdAt: number;
  id: string;
}

const MOST_KEPT = 1_000;

/**
 * The stored flows. `find` costs one small statement a call: what was parsed and compiled is kept in the process and is
 * good for as long as the row's revision stays the same, on whichever replica it was changed.
 */
@Injectable()
export class FlowStore {
  private readonly compiled = new Map<string, Flow>();
  private readonly revisions: SharedRead<{ id: string; revision: string }>;

  constructor(
    private readonly reader: DatabaseReader,
    private readonly gate: WriteGate,
    private readonly clock: Clock,
    private readonly kinds: NodeKindRegistry,
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
    const row = await this.reader.one<Row>('SELECT * FROM flows WHERE id = ?', [id]);
    return row && this.read(row);
  }

  /** Newest first, those after `after`. */
  async list(limit: number, after?: FlowPosition): Promise<StoredFlow[]> {
    const from = after ? 'WHERE created_at < ? OR (created_at = ? AND id < ?)' : '';
    const rows = await this.reader.all<Row>(
      `SELECT * FROM flows ${from} ORDER BY created_at DESC, id DESC LIMIT ?`,
      [...(after ? [after.createdAt, after.createdAt, after.id] : []), limit],
    );
    return rows.map((row) => this.read(row));
  }

  /** Stores a checked definition under its id, or a new one. Resolves to undefined when the id is taken. */
  async create(
    definition: FlowDefinition,
    sourceHash: string | null = null,
  ): Promise<StoredFlow | undefined> {
    const id = definition.id ?? randomUUID();
    const now = this.clock.now();
    const made = await this.gate.write((tx) =>
      tx.run(
        `INSERT INTO flows (id, name, definition, revision, source_hash, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
        [id, definition.name, textOf(definition, id), randomUUID(), sourceHash, now, now],
      ),
    );
    return made === 1 ? this.get(id) : undefined;
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
    const text = textOf(definition, id);
    const changed = await this.gate.write((tx) =>
      tx.run(
        `UPDATE flows SET name = ?, definition = ?, revision = ?, updated_at = ?,
         source_hash = COALESCE(?, source_hash) WHERE id = ?${revision === undefined ? '' : ' AND revision = ?'}`,
        [
          ...[definition.name, text, randomUUID(), this.clock.now(), sourceHash ?? null, id],
          ...(revision === undefined ? [] : [revision]),
        ],
      ),
    );
    return changed === 1 ? this.get(id) : undefined;
  }

  /** Whether there was such a flow; with `revision` it is deleted only in that one. */
  async remove(id: string, revision?: string): Promise<boolean> {
    this.compiled.delete(id);
    const condition = revision === undefined ? '' : ' AND revision = ?';
    const named = revision === undefined ? [id] : [id, revision];
    return (await this.gate.write((tx) => tx.run(`DELETE FROM flows WHERE id = ?${condition}`, named))) === 1;
  }

  private read(row: Row): StoredFlow {
    let flow = this.compiled.get(row.id);
    if (flow?.revision !== row.revision) {
      const definition = JSON.parse(row.definition) as FlowDefinition;
      flow = new Flow(row.id, row.revision, definition, this.kinds.all);
      if (this.compiled.size >= MOST_KEPT) this.compiled.clear();
      this.compiled.set(row.id, flow);
    }
    return { flow, sourceHash: row.source_hash, createdAt: row.created_at, updatedAt: row.updated_at };
  }
}

const textOf = (definition: FlowDefinition, id: string): string => JSON.stringify({ ...definition, id });
