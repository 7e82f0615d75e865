import { Injectable } from '@nestjs/common';
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { In, MoreThan, Not } from 'typeorm';
import type { Pack } from '../../api/reports.js';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { InvalidRequest, NotFound } from '../../common/service-error.js';
import { removeUnlessCommitted } from '../../database/away.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { SqlReader } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { BlobStore } from '../../storage/blob-store.js';
import { StoredFileDamaged } from '../../storage/sound-file.js';
import { readEvidence } from '../seal/stored-evidence.js';
import { PackPartEntity } from '../vault/pack-part.entity.js';
import type { LinkedFile } from '../vault/report-files.js';
import { ReportLinks } from '../vault/report-links.js';
import { type StoredReport, ReportVault } from '../vault/report-vault.js';
import { findPackFiles, type StoredFile } from './packed-files.js';
import { entryBytes, INDEX_NAME, planPack, zipFiles } from './plan-parts.js';

/** The most parts of a pack; a smaller `partMaxBytes` is refused. */
const MOST_PARTS = 1_000;
/** Parts that expire sooner than this are not returned again; new ones are made. */
const SPARE_MS = 3_600_000;

/**
 * Packs of reports (contract section 6): ZIP parts with the report, the originals and the list of evidence, for recipients
 * who accept files of a limited size. Parts are stored as long as their addresses work, or until parts of another size
 * replace them. The same request returns the same parts.
 */
@Injectable()
export class Packs {
  /** Packs are made one at a time, because each reads every original. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly store: BlobStore,
    private readonly vault: ReportVault,
    private readonly links: ReportLinks,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws 400 if the pack would have too many parts, 404 if the file of the report is missing, 500 `stored_file_damaged`,
   * and 503 if the disk has too little space.
   */
  pack(report: StoredReport, partMaxBytes: number, origin: string): Promise<Pack> {
    const made = this.last.then(async () => {
      const stored = await this.storedParts(this.reader, report.id, partMaxBytes);
      return stored.length > 0 ? stored : this.make(report, partMaxBytes);
    });
    this.last = made.catch(() => undefined);
    return made.then((rows) => ({ parts: rows.map((row) => this.shown(row, origin)) }));
  }

  /** Returns undefined once the part has expired. */
  async find(id: string): Promise<LinkedFile | undefined> {
    const part = await this.reader.repository(PackPartEntity).findOneBy({ id });
    const report = part && (await this.vault.find(part.reportId));
    if (!part || !report || part.expiresAt <= this.clock.now()) return undefined;
    return { ...part, key: part.storageKey, flowIds: report.flowIds, type: 'application/zip' };
  }

  private storedParts(reader: SqlReader, reportId: string, partMaxBytes: number): Promise<PackPartEntity[]> {
    return reader.repository(PackPartEntity).find({
      where: { reportId, partMaxBytes, expiresAt: MoreThan(this.clock.now() + SPARE_MS) },
      order: { n: 'ASC' },
    });
  }

  private async make(report: StoredReport, partMaxBytes: number): Promise<PackPartEntity[]> {
    if (!(await this.store.exists(report.key))) throw new NotFound('The file of this report');
    if (!(await this.store.isSound(report))) throw new StoredFileDamaged();
    const { manifest, bytes: list } = await readEvidence(this.store, report.manifestKey);
    const { files, missing } = await findPackFiles(
      report,
      { manifest, list: { bytes: list.length, sha256: createHash('sha256').update(list).digest('hex') } },
      { reader: this.reader, store: this.store },
    );
    const head = { report: report.filename, reference: report.id, missing };
    const { plan, index } = planPack(head, files, partMaxBytes);
    if (plan.length > MOST_PARTS)
      throw new InvalidRequest([
        { path: 'partMaxBytes', message: `would make ${plan.length} parts; at most ${MOST_PARTS} are made` },
      ]);
    const all = [...files, { name: INDEX_NAME, bytes: Buffer.byteLength(index) }];
    await this.store.requireSpace(all.reduce((sum, file) => sum + entryBytes(file), 0));
    const expiresAt = this.clock.now() + this.config.reportLinkMs;
    const made: PackPartEntity[] = [];
    try {
      for (const [place, part] of plan.entries()) {
        const text = place === 0 ? [{ name: INDEX_NAME, read: () => once(index) }] : [];
        const zipped = zipFiles([...text, ...part.map((file) => this.zipFile(file))], report.createdAt);
        const { key: storageKey, ...blob } = await this.store.put('packs', Readable.from(zipped), '.zip');
        const filename = partFilename(report.filename, place + 1, plan.length);
        const row = { id: randomUUID(), reportId: report.id, partMaxBytes, n: place + 1, filename };
        made.push({ ...row, storageKey, ...blob, expiresAt });
      }
      const { rows, unused } = await this.gate.write(async (tx) => {
        // Another process may have made the pack meanwhile; its parts are returned.
        const others = await this.storedParts(tx, report.id, partMaxBytes);
        if (others.length > 0) return { rows: others, unused: made };
        const parts = tx.repository(PackPartEntity);
        const replaced = await parts.findBy({ reportId: report.id, partMaxBytes: Not(partMaxBytes) });
        await parts.delete({ id: In(replaced.map(({ id }) => id)) });
        await parts.insert(made);
        return { rows: made, unused: replaced };
      });
      // Files that cannot be removed have no row, so the sweep deletes them.
      await this.remove(unused).catch(() => undefined);
      return rows;
    } catch (error) {
      await removeUnlessCommitted(error, () => this.remove(made));
      throw error;
    }
  }

  private async remove(parts: readonly PackPartEntity[]): Promise<void> {
    for (const { storageKey } of parts) await this.store.remove(storageKey);
  }

  private zipFile({ name, key }: StoredFile) {
    return { name, read: () => this.store.stream(key) as AsyncIterable<Uint8Array> };
  }

  private shown(
    { id, n, filename, bytes, sha256, expiresAt }: PackPartEntity,
    origin: string,
  ): Pack['parts'][number] {
    return { n, filename, bytes, sha256, url: this.links.linkTo('pack', origin, id, expiresAt) };
  }
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function partFilename(report: string, n: number, of: number): string {
  const name = report.replace(/\.pdf$/, '');
  return of === 1 ? `${name}.zip` : `${name} part ${n} of ${of}.zip`;
}
