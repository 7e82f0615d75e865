import { Injectable } from '@nestjs/common';
import { Logger } from '../../common/logger.js';
import type { Claim } from '../../inspection/claims/claim.js';
import type { MailFile, MailOrder } from '../delivery/mail-outbox.js';
import { ReportDelivery } from '../delivery/report-delivery.js';
import { ReportDrawing } from '../render/report-drawing.js';
import type { DrawingWatch, DrawnReport } from '../vault/drawn-report.js';
import { ReportFitting } from './report-fitting.js';

/** Reports for mails that would need a link (contract section 6): the same report, its pictures stepped down until it can be attached. */
@Injectable()
export class MailEditions {
  constructor(
    private readonly delivery: ReportDelivery,
    private readonly fitting: ReportFitting,
    private readonly drawing: ReportDrawing,
    private readonly logger: Logger,
  ) {}

  /**
   * Undefined where none is needed, or none fits. A mail never costs the report: what goes wrong here is logged, and the
   * mail has a link; only the stop of the render itself is thrown.
   */
  async make(
    claim: Claim,
    drawn: DrawnReport,
    order: MailOrder | undefined,
    watch: DrawingWatch,
  ): Promise<MailFile | undefined> {
    const { filename, blob } = drawn;
    const report = { id: claim.reportId, filename, bytes: blob.bytes };
    const maxBytes = order && this.delivery.mailEditionBytes(report, order);
    if (maxBytes === undefined) return undefined;
    try {
      const smaller = await this.fitting.smaller(claim, watch, drawn, maxBytes);
      if (!smaller?.prints) return undefined;
      await this.drawing.discardEvidence(smaller);
      const { key, bytes, sha256 } = smaller.blob;
      return { key, bytes, sha256, reducedTo: smaller.prints };
    } catch (error) {
      watch.signal.throwIfAborted();
      this.logger.error({ err: error, claimId: claim.id }, 'a mail edition could not be made');
      return undefined;
    }
  }
}
