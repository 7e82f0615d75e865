import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../../common/logger.js';
import { isAway } from '../../database/away.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { IndexLeftoverEntity } from './index-leftover.entity.js';
import { VectorIndexes } from './sqlite-vec-index.js';
import { vectorsIn, type VectorIndex } from './vector-index.js';

/** A pack of vectors that is not in the index. */
interface Lacking {
  storeId: string;
  documentId: string;
  first: number;
  dimensions: number;
}

const PACKS_AT_ONCE = 32;

/**
 * Adds to and removes from the index of vectors what processes without it have written and deleted: at the start, and when
 * a search finds that it lacks some. One pack at a time, so that others can write in between; two processes never add the
 * same pack.
 */
@Injectable()
export class IndexUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private going: Promise<void> | undefined;
  private over = false;

  constructor(
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly indexes: VectorIndexes,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.begin();
  }

  async onModuleDestroy(): Promise<void> {
    this.over = true;
    await this.going;
  }

  /** Starts unless it is running already or has failed before, not counting a database that was away. */
  begin(): void {
    if (this.over) return;
    this.going ??= this.catchUp()
      .catch((error: unknown) => {
        // Searches give the same results without it.
        this.over ||= !isAway(error);
        this.logger.error({ err: error }, 'the index of vectors could not be brought up to date');
      })
      .finally(() => (this.going = undefined));
  }

  private async catchUp(): Promise<void> {
    const index = await this.indexes.current();
    if (!index) return;
    while (!this.over && (await this.gate.write((tx) => removeLeftover(tx, index))));
    for (let packs = await this.lacking(); packs.length > 0; packs = await this.lacking())
      for (const pack of packs) {
        if (this.over) return;
        await this.gate.write((tx) => addPack(tx, index, pack));
      }
  }

  private lacking(): Promise<Lacking[]> {
    return this.reader.all<Lacking>(
      `SELECT store_id AS "storeId", document_id AS "documentId", first_position AS first, dimensions
         FROM document_vectors JOIN store_documents ON store_documents.id = document_id
         WHERE indexed = 0 LIMIT ${PACKS_AT_ONCE}`,
    );
  }
}

/** Removes leftovers of a document before its vectors are added, because they may have the same positions. */
export async function removeLeftoversOf(tx: Tx, index: VectorIndex, documentId: string): Promise<void> {
  const leftovers = await tx.repository(IndexLeftoverEntity).findBy({ documentId });
  for (const leftover of leftovers) await forget(tx, index, leftover);
}

/** Records vectors that are left in the index, for a process that has it. */
export function leaveOver(tx: Tx, leftover: IndexLeftoverEntity): Promise<unknown> {
  return tx.repository(IndexLeftoverEntity).insert(leftover);
}

/** Returns false if there was none. */
async function removeLeftover(tx: Tx, index: VectorIndex): Promise<boolean> {
  const [leftover] = await tx.repository(IndexLeftoverEntity).find({ take: 1 });
  if (leftover) await forget(tx, index, leftover);
  return leftover !== undefined;
}

async function forget(tx: Tx, index: VectorIndex, leftover: IndexLeftoverEntity): Promise<void> {
  const { documentId, firstPosition: first, dimensions, count } = leftover;
  await index.remove(tx, { documentId, first, dimensions, count });
  await tx.repository(IndexLeftoverEntity).delete({ documentId, firstPosition: first, dimensions });
}

async function addPack(tx: Tx, index: VectorIndex, pack: Lacking): Promise<void> {
  const { storeId, documentId, first, dimensions } = pack;
  const row = await tx.one<{ vectors: Buffer }>(
    `UPDATE document_vectors SET indexed = 1 WHERE document_id = ? AND first_position = ? AND indexed = 0
       RETURNING vectors`,
    [documentId, first],
  );
  if (!row) return;
  await removeLeftoversOf(tx, index, documentId);
  await index.add(tx, { storeId, documentId, first, vectors: vectorsIn(row.vectors, dimensions) });
}
