import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Clock } from '../../common/clock.js';
import { Secrets } from '../../common/secrets/secrets.js';
import type { Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import {
  contentOf,
  type FlowContent,
  type FlowDefinition,
  type FlowSettings,
  settingsOf,
} from '../definition/flow-definition.js';
import { FlowStore, type StoredFlow, takenAmong } from './flow-store.js';
import { FlowDraftEntity, FlowEntity, FlowSettingChangeEntity, FlowVersionEntity } from './flow.entity.js';
import { withSealedSettings } from './sealed-settings.js';

type WithId = FlowDefinition & { id: string };

/** The author of a version that names none. */
export const ADMIN = 'admin';

/** The words about a new version. */
export interface Publication {
  author?: string | undefined;
  name?: string | undefined;
  note?: string | undefined;
}

interface Replacement extends Publication {
  /** SHA-256 of the file from which it is loaded. */
  sourceHash?: string;
  /** Only this revision is replaced. */
  revision?: string | undefined;
}

/**
 * Writes flows and publishes their versions. A unit of it runs alone on the whole database, so that replicas which publish at
 * once number their versions without a gap; the primary key refuses a second version with one number.
 */
@Injectable()
export class FlowWrites {
  private readonly creatingListeners: (() => Promise<void>)[] = [];
  private readonly removedListeners: (() => void)[] = [];

  constructor(
    private readonly store: FlowStore,
    private readonly gate: WriteGate,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
  ) {}

  /** Stores a checked flow under its id or a new one, as version 1. Resolves to undefined when the id is taken. */
  async create(
    definition: FlowDefinition,
    { sourceHash = null, ...words }: Publication & { sourceHash?: string | null } = {},
  ): Promise<StoredFlow | undefined> {
    const id = definition.id ?? randomUUID();
    if (definition.id !== undefined) await this.beforeCreating();
    const now = this.clock.now();
    const row = { sourceHash, createdAt: now, updatedAt: now };
    const made = await this.gate.write((tx) => this.insert(tx, id, definition, row, words));
    return made ? this.store.get(id) : undefined;
  }

  /** Stores a checked definition of another service with its dates. Resolves to false when its id is taken. */
  adopt(
    id: string,
    definition: FlowDefinition,
    dates: Pick<StoredFlow, 'createdAt' | 'updatedAt'>,
  ): Promise<boolean> {
    return this.gate.write((tx) => this.insert(tx, id, definition, { sourceHash: null, ...dates }));
  }

  /**
   * Replaces a flow: changed settings take effect, and a changed definition is published as a new version. Resolves to
   * undefined when there is no such flow or revision.
   */
  async replace(
    id: string,
    definition: FlowDefinition,
    { revision, sourceHash, ...words }: Replacement = {},
  ): Promise<StoredFlow | undefined> {
    const replaced = await this.gate.write(async (tx) => {
      const row = await tx.repository(FlowEntity).findOneBy(named(id, revision));
      if (row)
        await this.rewrite(tx, row, definition, { ...words, settings: settingsOf(definition), sourceHash });
      return row !== null;
    });
    return replaced ? this.store.get(id) : undefined;
  }

  /**
   * Stores checked definitions under their ids in one transaction. Those in `replaced` may replace a flow, which keeps its
   * settings. Resolves to other ids that are taken; nothing is stored then.
   */
  async saveAll(
    definitions: readonly WithId[],
    replaced: ReadonlySet<string>,
    words: Publication = {},
  ): Promise<Set<string>> {
    await this.beforeCreating();
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
        if (row) await this.rewrite(tx, row, definition, words);
        else
          await this.insert(tx, id, definition, { sourceHash: null, createdAt: now, updatedAt: now }, words);
      }
      return refused;
    });
  }

  /** Deletes a flow with its versions and draft, with `revision` only that one. Returns false when there was none. */
  async remove(id: string, revision?: string): Promise<boolean> {
    this.store.forget(id);
    const removed = await this.gate.write(async (tx) => {
      const { affected } = await tx.repository(FlowEntity).delete(named(id, revision));
      if (affected !== 1) return false;
      for (const entity of [FlowVersionEntity, FlowDraftEntity, FlowSettingChangeEntity])
        await tx
          .repository<FlowVersionEntity | FlowDraftEntity | FlowSettingChangeEntity>(entity)
          .delete({ flowId: id });
      return true;
    });
    if (removed) for (const listener of this.removedListeners) listener();
    return removed;
  }

  /** Adds work to be done before a flow is created under an id that a deleted one may have had. */
  onCreating(listener: () => Promise<void>): void {
    this.creatingListeners.push(listener);
  }

  /** Adds a listener that is called when this process has deleted a flow. */
  onRemoved(listener: () => void): void {
    this.removedListeners.push(listener);
  }

  /** Publishes a sealed definition as the next version, in the caller's transaction. */
  async publish(tx: Tx, row: FlowEntity, definition: string, words: Publication): Promise<void> {
    const version = row.version + 1;
    const now = this.clock.now();
    await this.insertVersion(tx, { flowId: row.id, version, definition, publishedAt: now }, words);
    await tx
      .repository(FlowEntity)
      .update({ id: row.id }, { version, revision: randomUUID(), updatedAt: now });
  }

  /** Returns the text of a definition for storage. Masked secrets are replaced by those of `before`, if it has them. */
  sealed(flowId: string, definition: Partial<FlowContent>, before?: readonly string[]): string {
    const key = this.secrets.credentialsKey;
    return JSON.stringify(withSealedSettings(definition, { key, flowId, before }));
  }

  private async beforeCreating(): Promise<void> {
    for (const listener of this.creatingListeners) await listener();
  }

  private async insert(
    tx: Tx,
    id: string,
    definition: FlowDefinition,
    row: Pick<FlowEntity, 'sourceHash' | 'createdAt' | 'updatedAt'>,
    words: Publication = {},
  ): Promise<boolean> {
    const flows = tx.repository(FlowEntity);
    if (await flows.existsBy({ id })) return false;
    const text = this.sealed(id, contentOf(definition));
    const version = { flowId: id, version: 1, definition: text, publishedAt: row.updatedAt };
    await this.insertVersion(tx, version, words);
    const { name } = definition;
    const settings = JSON.stringify(settingsOf(definition));
    await flows.insert({ id, name, settings, version: 1, revision: randomUUID(), ...row });
    return true;
  }

  private async insertVersion(
    tx: Tx,
    version: Pick<FlowVersionEntity, 'flowId' | 'version' | 'definition' | 'publishedAt'>,
    { author = ADMIN, name = null, note = null }: { [Name in keyof Publication]: Publication[Name] | null },
  ): Promise<void> {
    await tx.repository(FlowVersionEntity).insert({ ...version, author: author ?? ADMIN, name, note });
  }

  private async rewrite(
    tx: Tx,
    row: FlowEntity,
    definition: FlowDefinition,
    {
      settings,
      sourceHash,
      ...words
    }: Publication & { settings?: FlowSettings; sourceHash?: string | undefined },
  ): Promise<void> {
    const flows = tx.repository(FlowEntity);
    const { id } = row;
    const published = await publishedText(tx, row);
    const text = this.sealed(id, contentOf(definition), [published]);
    if (text !== published) await this.publish(tx, row, text, words);
    const change = settings && (await this.noteSettings(tx, row, settings, words.author));
    const more = { ...change, ...(sourceHash === undefined ? {} : { sourceHash }) };
    if (Object.keys(more).length > 0) await flows.update({ id }, more);
  }

  /** Records each changed setting. Returns the columns to change; undefined if all settings are the same. */
  private async noteSettings(
    tx: Tx,
    { id: flowId, settings: text, updatedAt }: FlowEntity,
    settings: FlowSettings,
    author = ADMIN,
  ): Promise<Partial<FlowEntity> | undefined> {
    const before = JSON.parse(text) as Record<string, unknown>;
    const after = settings as Record<string, unknown>;
    // Later than the last change, because it is part of the key.
    const changedAt = Math.max(this.clock.now(), updatedAt + 1);
    let changed = false;
    for (const setting of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [was, became] = [before, after].map((of) => textOf(of[setting]));
      if (was === became) continue;
      changed = true;
      const change = { flowId, setting, was: was!, became: became!, author, changedAt };
      await tx.repository(FlowSettingChangeEntity).insert(change);
    }
    if (!changed) return undefined;
    const columns = { name: settings.name, settings: JSON.stringify(settings) };
    return { ...columns, revision: randomUUID(), updatedAt: changedAt };
  }
}

/** Returns the stored text of the published definition. */
export async function publishedText(tx: Tx, { id, version }: FlowEntity): Promise<string> {
  const row = await tx.repository(FlowVersionEntity).findOneBy({ flowId: id, version });
  if (!row) throw new Error(`The flow ${id} has no version ${version}.`);
  return row.definition;
}

const textOf = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** Returns the condition for a flow, with `revision` only in that one. */
const named = (id: string, revision: string | undefined) =>
  revision === undefined ? { id } : { id, revision };
