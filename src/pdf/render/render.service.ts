import { Injectable } from '@nestjs/common';
import { Logger } from '../../common/logger.js';
import { foldWarnings } from '../../common/warnings.js';
import type { Claim } from '../../inspection/claims/claim.js';
import type { MailFile, MailOrder } from '../delivery/mail-outbox.js';
import { ReportDelivery } from '../delivery/report-delivery.js';
import type { DrawingWatch, DrawnReport } from '../drawing/drawn-report.js';
import { ReportDrawing } from '../drawing/report-drawing.js';
import { ReportFitting } from '../drawing/report-fitting.js';
import type { RenderProgress } from '../renderer/render-job.js';
import { SourceFinder } from '../sources/source-finder.js';
import type { RenderAnswer } from '../vault/report-vault.js';
import { Previews } from './previews.js';
import { RenderClosing } from './render-closing.js';
import { type NothingRendered, RenderOpening } from './render-opening.js';
import type { RenderCaller, RenderOrder } from './render-request.js';

/** On each page of a preview (contract section 6). */
const DRAFT = 'Draft';

/** A render that has begun: what it claimed, and its answer once the report is stored. */
export type StartedRender = { nothing: NothingRendered } | { claim: Claim; answer: Promise<RenderAnswer> };

/**
 * A render (description section 4.3, contract section 6), for HTTP and for flows: claim → nothing pending? no file →
 * draw → report, settled claim, mail and the execution's end in one transaction. Any failure releases the claim. A
 * render continues when its caller hangs up: the report goes into the vault. A preview claims and keeps nothing.
 */
@Injectable()
export class RenderService {
  /** Progress of the renders that this process draws, by claim. */
  private readonly progress = new Map<string, RenderProgress>();

  constructor(
    private readonly sources: SourceFinder,
    private readonly opening: RenderOpening,
    private readonly drawing: ReportDrawing,
    private readonly fitting: ReportFitting,
    private readonly delivery: ReportDelivery,
    private readonly closing: RenderClosing,
    private readonly previews: Previews,
    private readonly logger: Logger,
  ) {}

  /** Resolves as soon as the claim is made, or found empty. */
  async start(order: RenderOrder, caller: RenderCaller): Promise<StartedRender> {
    this.drawing.requireRoom();
    const opened = order.preview
      ? await this.opening.preview(order, caller)
      : await this.opening.open(order, caller);
    if ('nothing' in opened) return opened;
    const answer = this.finish(opened.claim, order, caller);
    // A caller who does not wait learns of a failure through the claim; this keeps the rejection from being unhandled.
    answer.catch(() => undefined);
    return { claim: opened.claim, answer };
  }

  /** Returns the progress of a render that this process draws. */
  progressOf(claimId: string): RenderProgress | undefined {
    return this.progress.get(claimId);
  }

  private async finish(claimed: Claim, order: RenderOrder, caller: RenderCaller): Promise<RenderAnswer> {
    const next = (progress: RenderProgress): void => {
      this.progress.set(claimed.id, progress);
      caller.onProgress?.(progress);
    };
    next({ phase: 'waiting' });
    try {
      const { claim, warnings } = await this.sources.find(order).printable(claimed);
      const watch = { signal: caller.signal, progress: { next } };
      const { preview, maxBytes } = order;
      const fitted = {
        ...(preview ? { mark: DRAFT } : {}),
        ...(maxBytes === undefined ? {} : { maxBytes }),
      };
      const drawn = await this.fitting.draw(claim, watch, fitted);
      const complete = { ...drawn, warnings: foldWarnings(warnings, drawn.warnings) };
      if (order.preview) return await this.previews.finish(claim, complete, order, caller);
      const mailFile = await this.mailEdition(claim, complete, order.email, watch);
      const sealed = { ...(await this.drawing.storeEvidence(complete)), ...(mailFile ? { mailFile } : {}) };
      return await this.closing.store(claim, sealed, order, caller);
    } catch (error) {
      throw await this.closing.fail(claimed, caller, error);
    } finally {
      this.progress.delete(claimed.id);
    }
  }

  /**
   * Makes the file for a mail that would need a link (contract section 6): the same report, its pictures stepped down until
   * it can be attached. Returns undefined where none is needed, or none fits. A failure is logged and the mail has a link;
   * only the stop of the render itself is thrown.
   */
  private async mailEdition(
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
