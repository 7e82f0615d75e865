import { Injectable } from '@nestjs/common';
import type { Delivery, NothingRendered, RenderedReport } from '../../api/reports.js';
import { isoTime } from '../../common/iso-time.js';
import { NotFound } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Tx } from '../../database/tx.js';
import type { OutboxState } from '../../executions/outbox/outbox.js';
import type { ServiceArea } from '../../inspection/areas/area-type.js';
import type { PrintStep } from '../../inspection/pictures/picture.js';
import { ReportLinks } from './report-links.js';
import { ReportEntity } from './report.entity.js';

/** A finished report; `key` is that of its bytes in storage. */
export interface StoredReport extends Omit<
  ReportEntity,
  'storageKey' | 'flowIds' | 'warnings' | 'outstandingAreas' | 'prints' | 'signature'
> {
  key: string;
  flowIds: string[];
  warnings: Warning[];
  outstandingAreas: ServiceArea[];
  prints: PrintStep | null;
}

export type MailState = OutboxState;

export type MailFaultCode = NonNullable<Delivery['email']['code']>;

/** The attached file of a mail edition: its size and hash, and the size of its pictures. */
export type Attached = NonNullable<Delivery['email']['attached']>;

/** An earlier report in the answer of a render that found nothing. */
export type PreviousReport = NothingRendered['previousReports'][number];

const MOST_LISTED = 200;

/** All reports: rows here, bytes in storage. */
@Injectable()
export class ReportVault {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly links: ReportLinks,
  ) {}

  /** Adds a report; `signature` is the revision of its file that signs it. */
  async add(tx: Tx, report: StoredReport, signature?: Buffer): Promise<void> {
    const { key, flowIds, warnings, outstandingAreas, prints, ...row } = report;
    await tx.repository(ReportEntity).insert({
      ...row,
      storageKey: key,
      flowIds: JSON.stringify(flowIds),
      warnings: JSON.stringify(warnings),
      outstandingAreas: JSON.stringify(outstandingAreas),
      prints: prints && JSON.stringify(prints),
      signature: signature?.toString('base64') ?? null,
    });
  }

  /** Returns the revision that signs the file of a report, if it is signed. */
  async signatureOf(id: string): Promise<Buffer | undefined> {
    const row = await this.reader
      .repository(ReportEntity)
      .findOne({ where: { id }, select: { id: true, signature: true } });
    return row?.signature ? Buffer.from(row.signature, 'base64') : undefined;
  }

  /**
   * Replaces the file of a report and its list of evidence by the same bytes, drawn again. Returns false, and changes
   * nothing, if they have been replaced since `report` was read.
   */
  async replaceFiles(
    tx: Tx,
    { id, key: storageKey, manifestKey }: StoredReport,
    files: { storageKey: string; manifestKey: string },
  ): Promise<boolean> {
    const stored = { id, storageKey, manifestKey };
    return (await tx.repository(ReportEntity).update(stored, files)).affected === 1;
  }

  find(id: string): Promise<StoredReport | undefined> {
    return this.one({ id });
  }

  /** Throws 404. */
  async get(id: string): Promise<StoredReport> {
    const report = await this.find(id);
    if (!report) throw new NotFound('The report');
    return report;
  }

  findByClaim(claimId: string): Promise<StoredReport | undefined> {
    return this.one({ claimId });
  }

  /** Returns the newest reports of one session or of all, newest first. */
  async latest(sessionId?: string): Promise<StoredReport[]> {
    const rows = await this.reader.repository(ReportEntity).find({
      where: sessionId === undefined ? {} : { sessionId },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: MOST_LISTED,
    });
    return rows.map(reportOf);
  }

  answer(report: StoredReport, origin: string, delivery?: Delivery): RenderedReport {
    const { id, filename, bytes, pages, sha256, photographs, prints } = report;
    const url = this.links.link(origin, id);
    return {
      file: { id, filename, url, bytes, pages, sha256, photographs, ...reducedTo(prints) },
      ...(report.replaces === null ? {} : { edition: report.edition, replaces: report.replaces }),
      claimed: report.claimed,
      outstandingAreas: report.outstandingAreas,
      warnings: report.warnings,
      ...(delivery === undefined ? {} : { delivery }),
      executionId: report.executionId,
    };
  }

  /** Leaves out the address unless `withUrl`, because a session may be a telephone number that the caller merely knows. */
  previous(report: StoredReport, origin: string, withUrl: boolean): PreviousReport {
    const { id, filename, createdAt } = report;
    return {
      id,
      filename,
      date: isoTime(createdAt),
      ...(withUrl ? { url: this.links.link(origin, id) } : {}),
    };
  }

  private async one(where: { id: string } | { claimId: string }): Promise<StoredReport | undefined> {
    const row = await this.reader.repository(ReportEntity).findOneBy(where);
    return row ? reportOf(row) : undefined;
  }
}

/** Returns the member `reducedTo` of an answer's `file`. */
export const reducedTo = (prints: PrintStep | null) => (prints ? { reducedTo: prints } : {});

const reportOf = ({
  storageKey,
  flowIds,
  warnings,
  outstandingAreas,
  prints,
  ...row
}: ReportEntity): StoredReport => ({
  ...row,
  key: storageKey,
  flowIds: JSON.parse(flowIds) as string[],
  warnings: JSON.parse(warnings) as Warning[],
  outstandingAreas: JSON.parse(outstandingAreas) as ServiceArea[],
  prints: prints === null ? null : (JSON.parse(prints) as PrintStep),
});
