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

/** A file is stored before its row, so a younger file without a row may still get one. */
const YOUNG_MS = 24 * 3_600_000;

/**
 * Deletes expired files of previews and packs, and files and drafts that a crash left behind, every five minutes in each
 * process.
 */
@Injectable()
export class ExpiredFiles implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly sweeping = new Periodic(
    EVERY_MS,
    () => this.sweep(),
    (error) =>
      this.logger.error(
        { err: error },
        'expired files could not be deleted; the next attempt is in five minutes',
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

  /** Returns the number of deleted files. */
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
        // The file is deleted before its row, so that a crash leaves neither for good.
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
      // Blobs are listed before rows, so that a file that is stored meanwhile is not deleted.
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
