import { Injectable } from '@nestjs/common';
import { storedWarnings, type Warning } from '../common/warnings.js';
import { isoTime } from '../common/clock.js';
import { DatabaseReader } from '../database/database-reader.js';
import type { Tx } from '../database/tx.js';
import type { ServiceArea } from '../inspection/areas/area-type.js';
import type { StoredBlob } from '../storage/blob-store.js';
import type { Delivery } from './delivery/mail-outbox.js';
import { ReportLinks } from './report-links.js';

/** A finished report. `createdAt` is the render's instant, epoch milliseconds. */
export interface StoredReport {
  id: string;
  claimId: string;
  sessionId: string;
  flowIds: string[];
  executionId: string;
  filename: string;
  key: string;
  manifestKey: string;
  bytes: number;
  pages: number;
  sha256: string;
  /** In the file. */
  photographs: number;
  /** Taken by the render: none for a comparison. */
  claimed: number;
  warnings: Warning[];
  outstandingAreas: ServiceArea[];
  createdAt: number;
}

/** What a render answers when it made a report (contract section 6). */
export interface RenderAnswer {
  file: {
    id: string;
    filename: string;
    url: string;
    bytes: number;
    pages: number;
    sha256: string;
    photographs: number;
  };
  claimed: number;
  outstandingAreas: ServiceArea[];
  warnings: Warning[];
  delivery?: Delivery;
  executionId: string;
}

/** A report that was made before, for a caller whose render found nothing. */
export interface PreviousReport {
  id: string;
  filename: string;
  date: string;
  url?: string;
}

interface ReportRow {
  id: string;
  claim_id: string;
  session_id: string;
  flow_ids: string;
  execution_id: string;
  filename: string;
  storage_key: string;
  manifest_key: string;
  bytes: number;
  pages: number;
  sha256: string;
  photographs: number;
  claimed: number;
  warnings: string;
  outstanding_areas: string;
  created_at: number;
}

const MOST_LISTED = 200;

/** Every report ever made, by session: rows here, bytes in storage. */
@Injectable()
export class ReportVault {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly links: ReportLinks,
  ) {}

  async add(tx: Tx, report: StoredReport): Promise<void> {
    await tx.run(
      `INSERT INTO reports (id, claim_id, session_id, flow_ids, execution_id, filename, storage_key, manifest_key, bytes, pages,
         sha256, photographs, claimed, warnings, outstanding_areas, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        report.id,
        report.claimId,
        report.sessionId,
        JSON.stringify(report.flowIds),
        report.executionId,
        report.filename,
        report.key,
        report.manifestKey,
        report.bytes,
        report.pages,
        report.sha256,
        report.photographs,
        report.claimed,
        JSON.stringify(report.warnings),
        JSON.stringify(report.outstandingAreas),
        report.createdAt,
      ],
    );
  }

  /** Puts the same bytes, drawn again, where the report's file was lost or damaged. */
  async replaceFile(tx: Tx, reportId: string, blob: StoredBlob): Promise<void> {
    await tx.run('UPDATE reports SET storage_key = ? WHERE id = ? AND sha256 = ?', [
      blob.key,
      reportId,
      blob.sha256,
    ]);
  }

  async find(id: string): Promise<StoredReport | undefined> {
    const row = await this.reader.one<ReportRow>('SELECT * FROM reports WHERE id = ?', [id]);
    return row && reportOf(row);
  }

  async ofClaim(claimId: string): Promise<StoredReport | undefined> {
    const row = await this.reader.one<ReportRow>('SELECT * FROM reports WHERE claim_id = ?', [claimId]);
    return row && reportOf(row);
  }

  /** Newest first: of a session, or of all. */
  async latest(sessionId?: string): Promise<StoredReport[]> {
    const where = sessionId === undefined ? '' : 'WHERE session_id = ?';
    const rows = await this.reader.all<ReportRow>(
      `SELECT * FROM reports ${where} ORDER BY created_at DESC, id DESC LIMIT ${MOST_LISTED}`,
      sessionId === undefined ? [] : [sessionId],
    );
    return rows.map(reportOf);
  }

  answer(report: StoredReport, origin: string, delivery?: Delivery): RenderAnswer {
    const { id, filename, bytes, pages, sha256, photographs } = report;
    return {
      file: { id, filename, url: this.links.link(origin, id), bytes, pages, sha256, photographs },
      claimed: report.claimed,
      outstandingAreas: report.outstandingAreas,
      warnings: report.warnings,
      ...(delivery === undefined ? {} : { delivery }),
      executionId: report.executionId,
    };
  }

  /** Chat ids are telephone numbers: whoever only knows one gets no address of a file. */
  previous(report: StoredReport, origin: string, withUrl: boolean): PreviousReport {
    const { id, filename, createdAt } = report;
    return {
      id,
      filename,
      date: isoTime(createdAt),
      ...(withUrl ? { url: this.links.link(origin, id) } : {}),
    };
  }
}

const reportOf = (row: ReportRow): StoredReport => ({
  id: row.id,
  claimId: row.claim_id,
  sessionId: row.session_id,
  flowIds: JSON.parse(row.flow_ids) as string[],
  executionId: row.execution_id,
  filename: row.filename,
  key: row.storage_key,
  manifestKey: row.manifest_key,
  bytes: row.bytes,
  pages: row.pages,
  sha256: row.sha256,
  photographs: row.photographs,
  claimed: row.claimed,
  warnings: storedWarnings(row.warnings),
  outstandingAreas: JSON.parse(row.outstanding_areas) as ServiceArea[],
  createdAt: row.created_at,
});
