import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LessThanOrEqual } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { Periodic } from '../../common/periodic.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { ReadingRepository } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { BlobStore } from '../../storage/blob-store.js';
import { PackPartEntity } from './pack-part.entity.js';
import { PreviewEntity } from './preview.entity.js';

const EVERY_MS = 300_000;
const BATCH = 100;
const KINDS = [
  { entity: PreviewEntity, kind: 'previews' },
  { entity: PackPartEntity, kind: 'packs' },
];
type ExpiringRow = PreviewEntity | PackPartEntity;

/** A file is in its place before its row: a younger one may be waiting for it. */
const YOUNG_MS = 24 * 3_600_000;

/**
 * Deletes the files of previews and packs whose time is over, and those that a crash left without a row, every five
 * minutes, in each process; drafts that a crash left, too.
 */
@Injectable()
export class ExpiredFiles implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly sweeping = new Periodic(
    EVERY_MS,
    () => this.sweep(),
    (error) =>
      this.logger.error(
        { err: error },
        'expired files could not be deleted; it is tried again in five minutes',
      ),
  );

  constructor(
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly store: BlobStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.sweeping.start();
  }

  onModuleDestroy(): void {
    void this.sweeping.stop();
  }

  /** Answers how many went. */
  async sweep(): Promise<number> {
    let deleted = 0;
    for (const { entity } of KINDS) {
      const rows: ReadingRepository<ExpiringRow> = this.reader.repository(entity);
      for (let batch = BATCH; batch === BATCH && !this.sweeping.isStopped; deleted += batch) {
        const due = await rows.find({
          where: { expiresAt: LessThanOrEqual(this.clock.now()) },
          order: { expiresAt: 'ASC' },
          take: BATCH,
        });
        // The file before its row, so that a crash leaves neither for good.
        for (const { id, storageKey } of due) {
          await this.store.remove(storageKey);
          await this.gate.write((tx) => tx.repository(entity).delete({ id }));
        }
        batch = due.length;
      }
    }
    return deleted + (await this.sweepLeftovers());
  }

  private async sweepLeftovers(): Promise<number> {
    const now = this.clock.fileNow();
    await this.store.sweepDrafts(now);
    let deleted = 0;
    for (const { entity, kind } of KINDS) {
      // Blobs first, rows after them: whatever is kept meanwhile is named.
      const old: string[] = [];
      for await (const { key, changedAt } of this.store.blobsOf(kind))
        if (now - changedAt > YOUNG_MS) old.push(key);
      if (old.length === 0) continue;
      const rows: ReadingRepository<ExpiringRow> = this.reader.repository(entity);
      const named = new Set((await rows.find({ select: { storageKey: true } })).map((row) => row.storageKey));
      const left = old.filter((key) => !named.has(key));
      for (const key of left) await this.store.remove(key);
      deleted += left.length;
    }
    return deleted;
  }
}
