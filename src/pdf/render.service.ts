import { Injectable } from '@nestjs/common';
import { foldWarnings } from '../common/warnings.js';
import type { Claim } from '../inspection/claim.js';
import { RenderProgress } from './render-progress.js';
import { RenderClosing } from './render-closing.js';
import { type NothingRendered, RenderOpening } from './render-opening.js';
import type { RenderCaller } from './render-records.js';
import type { RenderOrder } from './render-request.js';
import { ReportDrawing } from './report-drawing.js';
import type { RenderAnswer } from './report-vault.js';
import { ReportSources } from './sources/report-sources.js';

/** A render that has begun: what it claimed, and its answer once the report is stored. */
export type StartedRender = { nothing: NothingRendered } | { claim: Claim; answer: Promise<RenderAnswer> };

/**
 * A render (description section 4.3, contract section 6), for HTTP and for flows: claim → nothing pending? no file →
 * draw → report, settled claim, mail and the execution's end in one transaction. Whatever fails releases the claim. It
 * goes on when its caller hangs up: the report is in the vault.
 */
@Injectable()
export class RenderService {
  constructor(
    private readonly sources: ReportSources,
    private readonly opening: RenderOpening,
    private readonly drawing: ReportDrawing,
    private readonly closing: RenderClosing,
    private readonly active: RenderProgress,
  ) {}

  /** Resolves as soon as it is known what was claimed. */
  async start(order: RenderOrder, caller: RenderCaller): Promise<StartedRender> {
    this.drawing.requireRoom();
    const opened = await this.opening.open(order, caller);
    if ('nothing' in opened) return opened;
    const answer = this.finish(opened.claim, order, caller);
    // A caller who does not wait hears of a failure through the claim; nobody may be left to catch it here.
    answer.catch(() => undefined);
    return { claim: opened.claim, answer };
  }

  private async finish(claimed: Claim, order: RenderOrder, caller: RenderCaller): Promise<RenderAnswer> {
    const progress = this.active.begin(claimed.id, caller.onProgress);
    try {
      const { claim, warnings } = await this.sources.of(order.source.type).printable(claimed, order.source);
      const drawn = await this.drawing.draw(claim, { signal: caller.signal, progress });
      const told = { ...drawn, warnings: foldWarnings(warnings, drawn.warnings) };
      const sealed = await this.drawing.keepEvidence(told);
      return await this.closing.store(claim, sealed, order, caller);
    } catch (error) {
      throw await this.closing.fail(claimed, caller, error);
    } finally {
      progress.end();
    }
  }
}
