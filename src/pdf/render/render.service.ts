import { Injectable } from '@nestjs/common';
import type { AcceptedRenderView, NothingRendered, RenderedReport } from '../../api/reports.js';
import { Logger } from '../../common/logger.js';
import { foldWarnings } from '../../common/warnings.js';
import type { Tx } from '../../database/tx.js';
import { tryOut } from '../../database/writes/try-out.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { CallLifecycle } from '../../executions/calls/call-lifecycle.js';
import { fence } from '../../executions/run-fence.js';
import { readHeld } from '../../inspection/claims/claim-contents.js';
import type { Claim } from '../../inspection/claims/claim.js';
import type { MailFile, MailOrder } from '../delivery/mail-outbox.js';
import { ReportDelivery } from '../delivery/report-delivery.js';
import type { DrawingWatch, DrawnReport } from '../drawing/drawn-report.js';
import { ReportDrawing } from '../drawing/report-drawing.js';
import { ReportFitting } from '../drawing/report-fitting.js';
import type { RenderProgress } from '../renderer/render-job.js';
import type { NothingToRender, ReportSource } from '../sources/report-source.js';
import { SourceFinder } from '../sources/source-finder.js';
import { type PreviousReport, ReportVault } from '../vault/report-vault.js';
import { Previews } from './previews.js';
import { RenderClosing } from './render-closing.js';
import { type RenderCaller, type RenderOrder, runOf } from './render-request.js';

export const acceptanceOf = ({ id, executionId }: Claim): AcceptedRenderView => ({
  id,
  status: 'running',
  executionId,
});

/** The word on each page of a preview (contract section 6). */
const DRAFT = 'Draft';

type OpenedRender = { nothing: NothingRendered } | { claim: Claim };
/** A render that has begun: its claim, and its answer once the report is stored. */
type StartedRender = { nothing: NothingRendered } | { claim: Claim; answer: Promise<RenderedReport> };

/**
 * A render (description section 4.3, contract section 6), for HTTP and for flows: claim the photographs, draw them, then
 * store the report, settle the claim, queue the mail and end the execution in one transaction. A failure releases the
 * claim. A render continues when its caller hangs up: the report goes into the vault. A preview claims and stores nothing.
 */
@Injectable()
export class RenderService {
  /** Progress of the renders that this process draws, by claim. */
  private readonly progress = new Map<string, RenderProgress>();

  constructor(
    private readonly gate: WriteGate,
    private readonly sources: SourceFinder,
    private readonly lifecycle: CallLifecycle,
    private readonly drawing: ReportDrawing,
    private readonly fitting: ReportFitting,
    private readonly vault: ReportVault,
    private readonly delivery: ReportDelivery,
    private readonly closing: RenderClosing,
    private readonly previews: Previews,
    private readonly logger: Logger,
  ) {}

  /**
   * Resolves as soon as the claim is made or found empty. Throws the refusal of the source; then nothing is claimed and no
   * record is opened.
   */
  async start(order: RenderOrder, caller: RenderCaller): Promise<StartedRender> {
    this.drawing.requireSlot();
    const source = this.sources.find(order);
    const opened = order.preview ? await this.openPreview(source, caller) : await this.open(source, caller);
    if ('nothing' in opened) return opened;
    const answer = this.finish(opened.claim, source, order, caller);
    // A caller who does not wait learns of a failure through the claim; this keeps the rejection from being unhandled.
    answer.catch(() => undefined);
    return { claim: opened.claim, answer };
  }

  /** Returns the progress of a render that this process draws. */
  progressOf(claimId: string): RenderProgress | undefined {
    return this.progress.get(claimId);
  }

  /** Claims the photographs and opens the execution's record in one transaction. */
  private async open(source: ReportSource, caller: RenderCaller): Promise<OpenedRender> {
    const take = await source.taking(caller);
    const taken = await this.gate.write(
      async (tx) => {
        const claim = await take(tx);
        if ('nothing' in claim) return claim;
        await this.openRecord(tx, caller);
        // Stored so that a retry is answered with the same 202.
        if (caller.respondAsync && caller.context)
          await this.lifecycle.storeAnswer(tx, caller.context, {
            httpStatus: 202,
            body: acceptanceOf(claim),
          });
        return claim;
      },
      source.touched && [...source.touched, ...runOf(caller)],
    );
    if ('nothing' in taken) return { nothing: await this.endWithNothing(taken, caller) };
    if (caller.context) caller.context.call.recorded = true;
    return { claim: taken };
  }

  /** Makes the claim as `open` would, reads what it would hold, and rolls it back. */
  private async openPreview(source: ReportSource, caller: RenderCaller): Promise<OpenedRender> {
    const take = await source.taking(caller);
    const found = await tryOut(this.gate, async (tx) => {
      const claim = await take(tx);
      return 'nothing' in claim ? claim : { ...claim, held: await readHeld(tx, claim) };
    });
    if ('nothing' in found) return { nothing: await this.endWithNothing(found, caller) };
    await this.gate.write((tx) => this.openRecord(tx, caller), runOf(caller));
    if (caller.context) caller.context.call.recorded = true;
    return { claim: found };
  }

  /** Opens the record of a call, or checks the fence of the run that the render is an effect of. */
  private async openRecord(tx: Tx, { context, effect }: RenderCaller): Promise<void> {
    if (context) await this.lifecycle.open(tx, context, {});
    else if (effect) await fence(tx, effect);
  }

  private async endWithNothing(
    { nothing: reason, sessionId }: NothingToRender,
    caller: RenderCaller,
  ): Promise<NothingRendered> {
    const previousReports: PreviousReport[] = [];
    for (const report of await this.vault.latest(sessionId)) {
      if (!(await caller.mayHearOf(report.flowIds))) continue;
      const withUrl = await caller.mayRead(report.flowIds);
      previousReports.push(this.vault.previous(report, caller.origin, withUrl));
    }
    const answer: NothingRendered = { file: null, reason, previousReports };
    await this.gate.write(async (tx) => {
      await this.openRecord(tx, caller);
      await this.closing.succeed(tx, { ...caller, respondAsync: false }, answer, reason);
    }, runOf(caller));
    if (caller.context) caller.context.call.recorded = true;
    return answer;
  }

  private async finish(
    claimed: Claim,
    source: ReportSource,
    order: RenderOrder,
    caller: RenderCaller,
  ): Promise<RenderedReport> {
    const next = (progress: RenderProgress): void => {
      this.progress.set(claimed.id, progress);
      caller.onProgress?.(progress);
    };
    next({ phase: 'waiting' });
    try {
      const { claim, warnings } = await source.printable(claimed, caller);
      const watch = { signal: caller.signal, progress: { next } };
      const { preview, maxBytes } = order;
      const fitted = {
        ...(preview ? { mark: DRAFT } : {}),
        ...(maxBytes === undefined ? {} : { maxBytes }),
      };
      const drawn = await this.fitting.draw(claim, watch, fitted);
      const complete = { ...drawn, warnings: foldWarnings(warnings, drawn.warnings) };
      if (preview) return await this.previews.finish(claim, complete, order, caller);
      const mailFile = await this.drawMailEdition(claim, complete, order.email, watch);
      const sealed = { ...(await this.drawing.storeEvidence(complete)), ...(mailFile ? { mailFile } : {}) };
      return await this.closing.store(claim, sealed, order, caller);
    } catch (error) {
      throw await this.closing.fail(claimed, caller, error);
    } finally {
      this.progress.delete(claimed.id);
    }
  }

  /**
   * Draws the file for a mail that would need a link (contract section 6): the same report, its pictures stepped down until
   * it can be attached. Returns undefined if none is needed or none fits. A failure is logged and the mail has a link;
   * only an abort of the render itself is thrown.
   */
  private async drawMailEdition(
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
