import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/tx.js';
import { tryOut } from '../../database/writes/try-out.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { CallLifecycle } from '../../executions/calls/call-lifecycle.js';
import { fence } from '../../executions/run-fence.js';
import { readHeld } from '../../inspection/claims/claim-contents.js';
import type { Claim } from '../../inspection/claims/claim.js';
import type { NothingToRender } from '../sources/report-source.js';
import { SourceFinder } from '../sources/source-finder.js';
import { type PreviousReport, ReportVault } from '../vault/report-vault.js';
import { RenderClosing } from './render-closing.js';
import { type RenderCaller, type RenderOrder, runOf } from './render-request.js';

/** A render that found no pending photograph: no file is produced at all (description section 3). */
export interface NothingRendered {
  file: null;
  reason: NothingToRender['nothing'];
  previousReports: PreviousReport[];
}

/** The 202 for a caller who does not wait. */
export interface AcceptedRender {
  id: string;
  status: 'running';
  executionId: string;
}

export const acceptanceOf = ({ id, executionId }: Claim): AcceptedRender => ({
  id,
  status: 'running',
  executionId,
});

/** Opens a render: claims its photographs and opens the execution's record in one transaction. */
@Injectable()
export class RenderOpening {
  constructor(
    private readonly gate: WriteGate,
    private readonly sources: SourceFinder,
    private readonly vault: ReportVault,
    private readonly closing: RenderClosing,
    private readonly lifecycle: CallLifecycle,
  ) {}

  /** Throws the refusal of the source; then nothing is claimed and no record opened. */
  async open(
    order: RenderOrder,
    caller: RenderCaller,
  ): Promise<{ claim: Claim } | { nothing: NothingRendered }> {
    const source = this.sources.find(order);
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
    if ('nothing' in taken) return { nothing: await this.nothing(taken, caller) };
    if (caller.context) caller.context.call.recorded = true;
    return { claim: taken };
  }

  /** The claim as `open` would make it, and all that it would hold: tried, and given back. */
  async preview(
    order: RenderOrder,
    caller: RenderCaller,
  ): Promise<{ claim: Claim } | { nothing: NothingRendered }> {
    const take = await this.sources.find(order).taking(caller);
    const found = await tryOut(this.gate, async (tx) => {
      const claim = await take(tx);
      return 'nothing' in claim ? claim : { ...claim, held: await readHeld(tx, claim) };
    });
    if ('nothing' in found) return { nothing: await this.nothing(found, caller) };
    await this.gate.write((tx) => this.openRecord(tx, caller), runOf(caller));
    if (caller.context) caller.context.call.recorded = true;
    return { claim: found };
  }

  /** Opens the record of a call, or checks the fence of the run that the render is an effect of. */
  private async openRecord(tx: Tx, { context, effect }: RenderCaller): Promise<void> {
    if (context) await this.lifecycle.open(tx, context, {});
    else if (effect) await fence(tx, effect);
  }

  private async nothing(
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
}
