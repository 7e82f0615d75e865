import { Injectable } from '@nestjs/common';
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { In, MoreThan, Not } from 'typeorm';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { InvalidRequest, NotFound } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { SqlReader } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { BlobStore } from '../../storage/blob-store.js';
import { StoredFileDamaged } from '../../storage/sound-file.js';
import type { EvidenceManifest } from '../seal/evidence-manifest.js';
import { PackPartEntity } from '../vault/pack-part.entity.js';
import type { LinkedFile } from '../vault/report-files.js';
import { ReportLinks } from '../vault/report-links.js';
import { type StoredReport, ReportVault } from '../vault/report-vault.js';
import { filesOf, type StoredFile } from './packed-files.js';
import { entryBytes, INDEX_NAME, planPack } from './plan-parts.js';
import { zipOf } from './zip.js';

/** Parts of one pack at most: a smaller `partMaxBytes` is refused. */
const MOST_PARTS = 1_000;
/** Of its time, addresses of parts that were made before are given again only while this much is left. */
const SPARE_MS = 3_600_000;

/** A part of a pack as its caller gets it. */
export interface PackPart {
  n: number;
  filename: string;
  bytes: number;
  sha256: string;
  url: string;
}

/**
 * Packs of a report (contract section 6): ZIP parts with the report, the originals and the list of evidence, for those who
 * take files of a limited size. A part is kept as long as its address works, or until parts of another size replace it; the
 * same pack asked for again is the same parts.
 */
@Injectable()
export class Packs {
  /** One is made at a time: it reads every original. */
  private turn: Promise<unknown> = Promise.resolve();

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
   * Throws 400 where it would have too many parts, 404 where the file of the report is lost, 500 `stored_file_damaged`, and
   * 503 where the disk has no room for it.
   */
  pack(report: StoredReport, partMaxBytes: number, origin: string): Promise<{ parts: PackPart[] }> {
    const made = this.turn.then(async () => {
      const stored = await this.storedParts(this.reader, report.id, partMaxBytes);
      return stored.length > 0 ? stored : this.make(report, partMaxBytes);
    });
    this.turn = made.catch(() => undefined);
    return made.then((rows) => ({ parts: rows.map((row) => this.shown(row, origin)) }));
  }

  /** Undefined once its time is over. */
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
    const list = await this.store.read(report.manifestKey);
    const { manifest } = (JSON.parse(list.toString()) as { signed: { manifest: EvidenceManifest } }).signed;
    const { files, missing } = await filesOf(
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
    await this.store.requireRoom(all.reduce((sum, file) => sum + entryBytes(file), 0));
    const expiresAt = this.clock.now() + this.config.reportLinkMs;
    const made: PackPartEntity[] = [];
    try {
      for (const [place, part] of plan.entries()) {
        const text = place === 0 ? [{ name: INDEX_NAME, read: () => once(index) }] : [];
        const zipped = zipOf([...text, ...part.map((file) => this.zipFile(file))], report.createdAt);
        const { key: storageKey, ...blob } = await this.store.put('packs', Readable.from(zipped), '.zip');
        const filename = nameOf(report.filename, place + 1, plan.length);
        const row = { id: randomUUID(), reportId: report.id, partMaxBytes, n: place + 1, filename };
        made.push({ ...row, storageKey, ...blob, expiresAt });
      }
      const { rows, unused } = await this.gate.write(async (tx) => {
        // Another process may have made it meanwhile: whoever asks gets its parts once.
        const others = await this.storedParts(tx, report.id, partMaxBytes);
        if (others.length > 0) return { rows: others, unused: made };
        const parts = tx.repository(PackPartEntity);
        const replaced = await parts.findBy({ reportId: report.id, partMaxBytes: Not(partMaxBytes) });
        await parts.delete({ id: In(replaced.map(({ id }) => id)) });
        await parts.insert(made);
        return { rows: made, unused: replaced };
      });
      // Files that stay are named by no row: they are swept.
      await this.remove(unused).catch(() => undefined);
      return rows;
    } catch (error) {
      await this.remove(made);
      throw error;
    }
  }

  private async remove(parts: readonly PackPartEntity[]): Promise<void> {
    for (const { storageKey } of parts) await this.store.remove(storageKey);
  }

  private zipFile({ name, key }: StoredFile) {
    return { name, read: () => this.store.stream(key) as AsyncIterable<Uint8Array> };
  }

  private shown({ id, n, filename, bytes, sha256, expiresAt }: PackPartEntity, origin: string): PackPart {
    return { n, filename, bytes, sha256, url: this.links.linkTo('pack', origin, id, expiresAt) };
  }
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function nameOf(report: string, n: number, of: number): string {
  const name = report.replace(/\.pdf$/, '');
  return of === 1 ? `${name}.zip` : `${name} part ${n} of ${of}.zip`;
}
