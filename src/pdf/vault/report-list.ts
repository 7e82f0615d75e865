import { Injectable } from '@nestjs/common';
import { isoTime } from '../../common/clock.js';
import type { Warning } from '../../common/warnings.js';
import type { PrintStep } from '../../inspection/pictures/picture.js';
import type { Delivery } from '../delivery/mail-outbox.js';
import { ReportDelivery } from '../delivery/report-delivery.js';
import { ReportVault, type StoredReport } from './report-vault.js';

/** A past report with its address and the state of its mail. */
export interface ListedReport {
  id: string;
  sessionId: string;
  filename: string;
  date: string;
  url: string;
  bytes: number;
  pages: number;
  sha256: string;
  photographs: number;
  /** The size that the pictures were stepped down to for `maxBytes`. */
  reducedTo?: PrintStep;
  /** The size into which it was asked to fit. */
  maxBytes?: number;
  outstandingAreas: string[];
  warnings: Warning[];
  delivery?: Delivery;
  executionId: string;
  /** 1 of the first report; a further edition names the report that it replaces, and why. */
  edition: number;
  replaces?: string;
  reason?: string;
  /** The report of the next edition. */
  replacedBy?: string;
}

/** Lists the reports of the vault. */
@Injectable()
export class ReportList {
  constructor(
    private readonly vault: ReportVault,
    private readonly delivery: ReportDelivery,
  ) {}

  find(id: string): Promise<StoredReport | undefined> {
    return this.vault.find(id);
  }

  /** The newest first: those of a session, or of all, that `mayRead` lets through. */
  async readable(
    sessionId: string | undefined,
    origin: string,
    mayRead: (flowIds: readonly string[]) => Promise<boolean>,
  ): Promise<ListedReport[]> {
    const reports: StoredReport[] = [];
    for (const report of await this.vault.latest(sessionId)) {
      if (await mayRead(report.flowIds)) reports.push(report);
    }
    const deliveries = await this.delivery.statusOf(reports.map((report) => report.id));
    const newer = new Map(reports.map(({ id, replaces }) => [replaces, id]));
    return reports.map((report) => ({
      ...this.listed(report, origin, deliveries.get(report.id)),
      ...editionOf(report, newer.get(report.id)),
    }));
  }

  private listed(
    report: StoredReport,
    origin: string,
    delivery: Delivery | undefined,
  ): Omit<ListedReport, 'edition'> {
    const { file, outstandingAreas, warnings, executionId } = this.vault.answer(report, origin);
    return {
      ...file,
      sessionId: report.sessionId,
      date: isoTime(report.createdAt),
      ...(report.maxBytes === null ? {} : { maxBytes: report.maxBytes }),
      outstandingAreas,
      warnings,
      ...(delivery === undefined ? {} : { delivery }),
      executionId,
    };
  }
}

const editionOf = (
  { edition, replaces, editionReason }: StoredReport,
  replacedBy: string | undefined,
): Pick<ListedReport, 'edition' | 'replaces' | 'reason' | 'replacedBy'> => ({
  edition,
  ...(replaces === null ? {} : { replaces }),
  ...(editionReason === null ? {} : { reason: editionReason }),
  ...(replacedBy === undefined ? {} : { replacedBy }),
});
