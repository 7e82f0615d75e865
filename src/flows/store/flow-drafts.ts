import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { In } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import type { FlowContent } from '../definition/flow-definition.js';
import { FlowStore } from './flow-store.js';
import { ADMIN, FlowWrites, type Publication, publishedText } from './flow-writes.js';
import { FlowDraftEntity, FlowEntity, FlowVersionEntity } from './flow.entity.js';
import type { WantedRevision } from './if-match.js';

/** The result of a write: nothing is written if the flow, draft or version is missing, or has another revision. */
export type DraftWrite<Done> =
  | { done: Done }
  | { missing: 'flow' | 'draft' | 'version' }
  /** The draft, or the flow while there is none. */
  | { changed: FlowDraftEntity | FlowEntity };

/** The drafts of flows. At most one for each flow; publishing or discarding deletes it. */
@Injectable()
export class FlowDrafts {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly gate: WriteGate,
    private readonly clock: Clock,
    private readonly writes: FlowWrites,
  ) {}

  /** Returns which of these flows have a draft. */
  async among(ids: readonly string[]): Promise<Set<string>> {
    const drafts = this.reader.repository(FlowDraftEntity);
    const found = await drafts.find({ select: { flowId: true }, where: { flowId: In([...ids]) } });
    return new Set(found.map(({ flowId }) => flowId));
  }

  async find(flowId: string): Promise<FlowDraftEntity | undefined> {
    if (!FlowStore.isFlowId(flowId)) return undefined;
    return (await this.reader.repository(FlowDraftEntity).findOneBy({ flowId })) ?? undefined;
  }

  /** Stores a draft, which may be incomplete, in the place of the one before. */
  save(
    flowId: string,
    content: Partial<FlowContent>,
    wanted: WantedRevision,
    author?: string,
  ): Promise<DraftWrite<FlowDraftEntity>> {
    return this.write(flowId, wanted, async (tx, row, draft) => {
      const published = await publishedText(tx, row);
      const text = this.writes.sealed(flowId, content, draft ? [draft.definition, published] : [published]);
      return { done: await this.put(tx, text, row, draft, author) };
    });
  }

  /** Copies a version into the draft. */
  restore(
    flowId: string,
    version: number,
    wanted: WantedRevision,
    author?: string,
  ): Promise<DraftWrite<FlowDraftEntity>> {
    return this.write(flowId, wanted, async (tx, row, draft) => {
      const old = await tx.repository(FlowVersionEntity).findOneBy({ flowId, version });
      if (!old) return { missing: 'version' };
      // A new draft, because it is based on the version that is published now.
      if (draft) await tx.repository(FlowDraftEntity).delete({ flowId });
      return { done: await this.put(tx, old.definition, row, null, author) };
    });
  }

  discard(flowId: string, wanted: WantedRevision): Promise<DraftWrite<void>> {
    return this.write(flowId, wanted, async (tx, _row, draft) => {
      if (!draft) return { missing: 'draft' };
      await tx.repository(FlowDraftEntity).delete({ flowId });
      return { done: undefined };
    });
  }

  /**
   * Publishes the draft that was checked as `definition`, and deletes it. Only this revision of it is published. A draft
   * that equals the published version makes no version, unless it is given a name or a note.
   */
  publish(
    { flowId, revision }: Pick<FlowDraftEntity, 'flowId' | 'revision'>,
    definition: FlowContent,
    words: Publication,
  ): Promise<DraftWrite<void>> {
    return this.write(flowId, 'any', async (tx, row, draft) => {
      if (!draft) return { missing: 'draft' };
      if (draft.revision !== revision) return { changed: draft };
      // Sealed already, when the draft was saved.
      const text = JSON.stringify(definition);
      const isNamed = words.name !== undefined || words.note !== undefined;
      if (isNamed || text !== (await publishedText(tx, row)))
        await this.writes.publish(tx, row, text, { ...words, author: words.author ?? draft.author });
      await tx.repository(FlowDraftEntity).delete({ flowId });
      return { done: undefined };
    });
  }

  private write<Done>(
    flowId: string,
    wanted: WantedRevision,
    work: (tx: Tx, row: FlowEntity, draft: FlowDraftEntity | null) => Promise<DraftWrite<Done>>,
  ): Promise<DraftWrite<Done>> {
    if (!FlowStore.isFlowId(flowId)) return Promise.resolve({ missing: 'flow' });
    return this.gate.write(async (tx): Promise<DraftWrite<Done>> => {
      const row = await tx.repository(FlowEntity).findOneBy({ id: flowId });
      if (!row) return { missing: 'flow' };
      const draft = await tx.repository(FlowDraftEntity).findOneBy({ flowId });
      if (wanted !== 'any' && !wanted.has((draft ?? row).revision)) return { changed: draft ?? row };
      return work(tx, row, draft);
    });
  }

  private async put(
    tx: Tx,
    definition: string,
    row: FlowEntity,
    draft: FlowDraftEntity | null,
    author = ADMIN,
  ): Promise<FlowDraftEntity> {
    const drafts = tx.repository(FlowDraftEntity);
    const saved = { definition, author, revision: randomUUID(), updatedAt: this.clock.now() };
    const whole = { flowId: row.id, basedOn: draft?.basedOn ?? row.version, ...saved };
    if (draft) await drafts.update({ flowId: row.id }, saved);
    else await drafts.insert(whole);
    return whole;
  }
}
