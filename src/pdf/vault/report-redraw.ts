import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { ClaimService } from '../../inspection/claims/claim.service.js';
import { BlobStore } from '../../storage/blob-store.js';
import { ReportFitting } from '../fitting/report-fitting.js';
import { ReportDrawing } from '../render/report-drawing.js';
import { type RenderAnswer, ReportVault, type StoredReport } from './report-vault.js';

/** A report drawn again. `identical` is false when this version of the service draws it otherwise: then nothing is kept. */
export type Redrawn = RenderAnswer & { identical: boolean };

const UNWATCHED = { signal: new AbortController().signal, progress: { next: () => undefined } };

/**
 * Proves a report by drawing its claim again, and restores its file when that was lost. Behind what is drawn comes the
 * revision with the signature, as it was kept: nothing is signed anew.
 */
@Injectable()
export class ReportRedraw {
  constructor(
    private readonly claims: ClaimService,
    private readonly drawing: ReportDrawing,
    private readonly fitting: ReportFitting,
    private readonly vault: ReportVault,
    private readonly gate: WriteGate,
    private readonly store: BlobStore,
  ) {}

  async redraw(report: StoredReport, origin: string): Promise<Redrawn> {
    this.drawing.requireRoom();
    const claim = await this.claims.find(report.claimId);
    if (claim?.state !== 'settled') throw notKept();
    const { prints } = report;
    const again = { signature: await this.vault.signatureOf(report.id) };
    const drawn = await this.fitting.draw(claim, UNWATCHED, prints ? { again, prints } : { again });
    const { blob, evidence, pages, warnings } = drawn;
    await this.store.discard(evidence);
    const identical = blob.sha256 === report.sha256;
    if (identical) await this.gate.write((tx) => this.vault.replaceFile(tx, report.id, blob));
    await this.store.remove(identical ? report.key : blob.key);
    const answer = this.vault.answer(report, origin);
    const { bytes, sha256 } = blob;
    return { ...answer, file: { ...answer.file, bytes, pages, sha256 }, warnings, identical };
  }
}

const notKept = (): ServiceError =>
  new ServiceError('internal_error', 'The claim of this report is missing. Restore it from a backup.');
