import { Injectable } from '@nestjs/common';
import type { Delivery, RedrawnReport, ReportView } from '../../api/reports.js';
import { isoTime } from '../../common/iso-time.js';
import { ServiceError } from '../../common/service-error.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { ClaimService } from '../../inspection/claims/claim.service.js';
import { changed, type Details, readDetailsChange } from '../../inspection/details/read-details.js';
import { BlobStore } from '../../storage/blob-store.js';
import { ReportDelivery } from '../delivery/report-delivery.js';
import type { DrawnReport } from '../drawing/drawn-report.js';
import { ReportDrawing } from '../drawing/report-drawing.js';
import { ReportFitting } from '../drawing/report-fitting.js';
import { isSoundEvidence } from '../seal/stored-evidence.js';
import { ReportVault, type StoredReport } from '../vault/report-vault.js';

/** The details that a report prints: members of `meta` (description section 2.3). */
export interface DetailsOfReport {
  readonly id: string;
  readonly details: Details;
}

const UNWATCHED = { signal: new AbortController().signal, progress: { next: () => undefined } };

/** Lists, shows and redraws reports of the vault. */
@Injectable()
export class PastReports {
  constructor(
    private readonly vault: ReportVault,
    private readonly delivery: ReportDelivery,
    private readonly claims: ClaimService,
    private readonly drawing: ReportDrawing,
    private readonly fitting: ReportFitting,
    private readonly gate: WriteGate,
    private readonly store: BlobStore,
  ) {}

  /**
   * Returns the printed details: those of the request, filled from the record and changed by editions. Unknown, wrong and
   * blank members are not printed and left out. A comparison has none.
   */
  async details({ id, claimId }: StoredReport): Promise<DetailsOfReport> {
    const meta = (await this.claims.find(claimId))?.meta ?? {};
    const printed = Object.entries(changed({}, readDetailsChange(meta)));
    return { id, details: Object.fromEntries(printed.filter(([, value]) => !isBlank(value))) };
  }

  /**
   * Draws the claim of a report again, which proves the report and restores a lost file or list of evidence. The stored
   * signature is appended; the file is not signed again.
   */
  async redraw(report: StoredReport, origin: string): Promise<RedrawnReport> {
    this.drawing.requireSlot();
    const claim = await this.claims.find(report.claimId);
    if (claim?.state !== 'settled') throw claimMissing();
    const { prints } = report;
    const again = { signature: await this.vault.signatureOf(report.id) };
    const drawn = await this.fitting.draw(claim, UNWATCHED, prints ? { again, prints } : { again });
    const { blob, pages, warnings } = drawn;
    const identical = blob.sha256 === report.sha256;
    if (identical) await this.replaceFiles(report, drawn);
    else await this.drawing.discard(drawn);
    const answer = this.vault.answer(report, origin);
    const { bytes, sha256 } = blob;
    return { ...answer, file: { ...answer.file, bytes, pages, sha256 }, warnings, identical };
  }

  private async replaceFiles(report: StoredReport, drawn: DrawnReport): Promise<void> {
    const isSound = await isSoundEvidence(this.store, report.manifestKey);
    if (isSound) await this.drawing.discardEvidence(drawn);
    const { manifestKey } = isSound ? report : await this.drawing.storeEvidence(drawn);
    const files = { storageKey: drawn.blob.key, manifestKey };
    const isReplaced = await this.gate.write((tx) => this.vault.replaceFiles(tx, report, files));
    // Those of another redraw, which came first, stay.
    const left = isReplaced ? { storageKey: report.key, manifestKey: report.manifestKey } : files;
    await this.store.remove(left.storageKey);
    if (!isSound) await this.store.remove(left.manifestKey);
  }

  /** Lists the reports of one session, or of all, that the caller may read, newest first. */
  async list(
    sessionId: string | undefined,
    origin: string,
    mayRead: (flowIds: readonly string[]) => Promise<boolean>,
  ): Promise<ReportView[]> {
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
  ): Omit<ReportView, 'edition'> {
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
): Pick<ReportView, 'edition' | 'replaces' | 'reason' | 'replacedBy'> => ({
  edition,
  ...(replaces === null ? {} : { replaces }),
  ...(editionReason === null ? {} : { reason: editionReason }),
  ...(replacedBy === undefined ? {} : { replacedBy }),
});

const isBlank = (value: unknown): boolean => typeof value === 'string' && !/\S/.test(value);

const claimMissing = (): ServiceError =>
  new ServiceError('internal_error', 'The claim of this report is missing. Restore it from a backup.');
