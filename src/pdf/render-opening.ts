import { Injectable } from '@nestjs/common';
import { InvalidApiKey } from '../auth/guards/api-key.guard.js';
import type { Tx } from '../database/tx.js';
import { WriteGate } from '../database/write-gate.js';
import { requirementsOf } from '../inspection/claim-requirements.js';
import { type Claim, ClaimService } from '../inspection/claim.service.js';
import { type RenderCaller, RenderRecords } from './render-records.js';
import type { RenderOrder } from './render-request.js';
import { type PreviousReport, ReportVault } from './report-vault.js';

/** A render that found no pending photograph: no file is produced at all (description section 3). */
export interface NothingRendered {
  file: null;
  reason: 'nothing_pending' | 'render_in_progress';
  previousReports: PreviousReport[];
}

/** What a caller who does not wait is told at once. */
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

/** How a render begins: everything pending is claimed and the execution's record opened, in one transaction. */
@Injectable()
export class RenderOpening {
  constructor(
    private readonly gate: WriteGate,
    private readonly claims: ClaimService,
    private readonly vault: ReportVault,
    private readonly records: RenderRecords,
  ) {}

  /** Throws 401 when all that is pending is of flows that this caller may not use, and 409 `incomplete_inspection`. */
  async open(
    order: RenderOrder,
    caller: RenderCaller,
  ): Promise<{ claim: Claim } | { nothing: NothingRendered }> {
    const requirements = requirementsOf(order.meta, order);
    const { sessionId, meta } = order;
    const { flowIds, executionId } = caller;
    const found = await this.gate.write(async (tx) => {
      const claim = await this.claims.claim(tx, { sessionId, flowIds, executionId, meta, requirements });
      if (!claim) return this.reasonForNothing(tx, sessionId, caller);
      await this.records.open(tx, caller);
      if (caller.respondAsync) await this.records.keepAcceptance(tx, caller, acceptanceOf(claim));
      return claim;
    });
    return typeof found === 'string'
      ? { nothing: await this.nothing(found, sessionId, caller) }
      : { claim: found };
  }

  private async reasonForNothing(
    tx: Tx,
    sessionId: string,
    caller: RenderCaller,
  ): Promise<NothingRendered['reason']> {
    if (caller.closedPending) throw new InvalidApiKey();
    return (await this.claims.isDrawing(tx, sessionId)) ? 'render_in_progress' : 'nothing_pending';
  }

  private async nothing(
    reason: NothingRendered['reason'],
    sessionId: string,
    caller: RenderCaller,
  ): Promise<NothingRendered> {
    const previousReports: PreviousReport[] = [];
    for (const report of await this.vault.latest(sessionId)) {
      const withUrl = await caller.mayRead(report.flowIds);
      previousReports.push(this.vault.previous(report, caller.origin, withUrl));
    }
    const answer: NothingRendered = { file: null, reason, previousReports };
    await this.gate.write(async (tx) => {
      await this.records.open(tx, caller);
      await this.records.succeed(tx, { ...caller, respondAsync: false }, answer, reason);
    });
    return answer;
  }
}
