import { Injectable } from '@nestjs/common';
import { WriteGate } from '../database/write-gate.js';
import type { Claim } from '../inspection/claim.js';
import { type RenderCaller, RenderRecords } from './render-records.js';
import type { RenderOrder } from './render-request.js';
import { type PreviousReport, ReportVault } from './report-vault.js';
import type { NothingToRender } from './sources/report-source.js';
import { ReportSources } from './sources/report-sources.js';

/** A render that found no pending photograph: no file is produced at all (description section 3). */
export interface NothingRendered {
  file: null;
  reason: NothingToRender['nothing'];
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

/** How a render begins: what it is made of is claimed and the execution's record opened, in one transaction. */
@Injectable()
export class RenderOpening {
  constructor(
    private readonly gate: WriteGate,
    private readonly sources: ReportSources,
    private readonly vault: ReportVault,
    private readonly records: RenderRecords,
  ) {}

  /** Throws what the source refuses with; then nothing is claimed and no record opened. */
  async open(
    order: RenderOrder,
    caller: RenderCaller,
  ): Promise<{ claim: Claim } | { nothing: NothingRendered }> {
    const take = await this.sources.of(order.source.type).taking(order.source, caller);
    const taken = await this.gate.write(async (tx) => {
      const claim = await take(tx);
      if ('nothing' in claim) return claim;
      await this.records.open(tx, caller);
      if (caller.respondAsync) await this.records.keepAcceptance(tx, caller, acceptanceOf(claim));
      return claim;
    });
    if ('nothing' in taken) return { nothing: await this.nothing(taken, caller) };
    if (caller.life) caller.life.call.recorded = true;
    return { claim: taken };
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
      await this.records.open(tx, caller);
      await this.records.succeed(tx, { ...caller, respondAsync: false }, answer, reason);
    });
    if (caller.life) caller.life.call.recorded = true;
    return answer;
  }
}
