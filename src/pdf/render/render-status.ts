import { Injectable } from '@nestjs/common';
import type { RenderStatusView } from '../../api/reports.js';
import { isoTime } from '../../common/iso-time.js';
import { NotFound } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Claim } from '../../inspection/claims/claim.js';
import { ClaimService } from '../../inspection/claims/claim.service.js';
import { ReportDelivery } from '../delivery/report-delivery.js';
import type { RenderProgress } from '../renderer/render-job.js';
import { ReportVault } from '../vault/report-vault.js';
import { RenderService } from './render.service.js';

/** Reads the state of renders by the id of their claim, which nobody can guess. */
@Injectable()
export class RenderStatus {
  constructor(
    private readonly claims: ClaimService,
    private readonly vault: ReportVault,
    private readonly delivery: ReportDelivery,
    private readonly renders: RenderService,
    private readonly reader: DatabaseReader,
  ) {}

  /** Returns the flows that the render's photographs came from. Throws 404. */
  async flowIds(id: string): Promise<readonly string[]> {
    return (await this.claim(id)).flowIds;
  }

  /** Throws 404. */
  async read(id: string, origin: string): Promise<RenderStatusView> {
    const claim = await this.claim(id);
    const begun = { id, executionId: claim.executionId, startedAt: isoTime(claim.createdAt) };
    if (claim.state === 'released') {
      const code = await this.failureCode(claim.executionId);
      return { ...begun, status: 'failed', error: { code, message: claim.failure ?? '' } };
    }
    const report = claim.state === 'settled' ? await this.vault.findByClaim(id) : undefined;
    if (!report) return { ...begun, status: 'running', progress: this.progress(id) ?? { phase: 'waiting' } };
    const delivery = (await this.delivery.statusOf([report.id])).get(report.id);
    return { ...begun, status: 'succeeded', result: this.vault.answer(report, origin, delivery) };
  }

  private async claim(id: string): Promise<Claim> {
    const claim = await this.claims.find(id);
    if (!claim) throw new NotFound('The render');
    return claim;
  }

  /** Returns the progress of a render that this process draws. */
  progress(id: string): RenderProgress | undefined {
    return this.renders.progressOf(id);
  }

  /** Returns the code of the failure while its record is stored, else `internal_error`. */
  private async failureCode(executionId: string): Promise<string> {
    const record = await this.reader.one<{ code: string | null }>(
      'SELECT code FROM executions WHERE id = ?',
      [executionId],
    );
    return record?.code ?? 'internal_error';
  }
}
