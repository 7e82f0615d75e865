import { Injectable } from '@nestjs/common';
import { foldWarnings } from '../../common/warnings.js';
import type { Claim } from '../../inspection/claims/claim.js';
import { MailEditions } from '../fitting/mail-editions.js';
import { ReportFitting } from '../fitting/report-fitting.js';
import { Previews } from '../previews/previews.js';
import { ReportSources } from '../sources/report-sources.js';
import type { RenderAnswer } from '../vault/report-vault.js';
import { ActiveRenders } from './active-renders.js';
import { RenderClosing } from './render-closing.js';
import { type NothingRendered, RenderOpening } from './render-opening.js';
import type { RenderCaller } from './render-records.js';
import type { RenderOrder } from './render-request.js';
import { ReportDrawing } from './report-drawing.js';

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
  constructor(
    private readonly sources: ReportSources,
    private readonly opening: RenderOpening,
    private readonly drawing: ReportDrawing,
    private readonly fitting: ReportFitting,
    private readonly mailEditions: MailEditions,
    private readonly closing: RenderClosing,
    private readonly previews: Previews,
    private readonly active: ActiveRenders,
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

  private async finish(claimed: Claim, order: RenderOrder, caller: RenderCaller): Promise<RenderAnswer> {
    const progress = this.active.begin(claimed.id, caller.onProgress);
    try {
      const { claim, warnings } = await this.sources.of(order).printable(claimed);
      const watch = { signal: caller.signal, progress };
      const { preview, maxBytes } = order;
      const fitted = {
        ...(preview ? { mark: DRAFT } : {}),
        ...(maxBytes === undefined ? {} : { maxBytes }),
      };
      const drawn = await this.fitting.draw(claim, watch, fitted);
      const told = { ...drawn, warnings: foldWarnings(warnings, drawn.warnings) };
      if (order.preview) return await this.previews.keep(claim, told, order, caller);
      const mailFile = await this.mailEditions.make(claim, told, order.email, watch);
      const sealed = { ...(await this.drawing.keepEvidence(told)), ...(mailFile ? { mailFile } : {}) };
      return await this.closing.store(claim, sealed, order, caller);
    } catch (error) {
      throw await this.closing.fail(claimed, caller, error);
    } finally {
      progress.end();
    }
  }
}
