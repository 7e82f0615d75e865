import { Injectable } from '@nestjs/common';
import { AppConfig } from '../common/app-config.js';
import { Clock } from '../common/clock.js';
import { hmacOf, sameSecret } from '../common/constant-time.js';
import { Secrets } from '../common/secrets/secrets.js';

/** What the address of a report carries: an expiry in epoch seconds and a signature over it and the report's id. */
export interface LinkProof {
  expires: string;
  signature: string;
}

/** Addresses of reports that nobody can guess or lengthen, and that stop working after `REPORT_LINK_HOURS`. */
@Injectable()
export class ReportLinks {
  constructor(
    private readonly config: AppConfig,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** The absolute address of a report's file, for whoever it is given to. `origin` has no slash at its end. */
  link(origin: string, reportId: string): string {
    const expires = String(Math.floor((this.clock.now() + this.config.reportLinkMs) / 1000));
    const query = new URLSearchParams({ expires, signature: this.sign(reportId, expires) });
    return `${origin}/api/v1/pdf/reports/${reportId}/file?${query.toString()}`;
  }

  /** Whether the proof is ours, for this report, and not yet expired. */
  opens(reportId: string, proof: LinkProof): boolean {
    if (!/^\d{1,12}$/.test(proof.expires)) return false;
    const genuine = sameSecret(proof.signature, this.sign(reportId, proof.expires));
    return genuine && Number(proof.expires) * 1000 > this.clock.now();
  }

  private sign(reportId: string, expires: string): string {
    return hmacOf(this.secrets.linkSecret, `report\n${reportId}\n${expires}`);
  }
}
