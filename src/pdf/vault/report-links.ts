import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { hmacOf, sameSecret } from '../../common/secrets/constant-time.js';
import { Secrets } from '../../common/secrets/secrets.js';

/** The query of a file's address: an expiry in epoch seconds, and a signature over the file's kind, id and expiry. */
interface LinkProof {
  expires: string;
  signature: string;
}

/** The kinds of files with addresses of their own, and their paths below `/api/v1/pdf`. */
const PLACES = { report: 'reports', preview: 'previews', pack: 'packs' } as const;

export type LinkedKind = keyof typeof PLACES;

/** Signed addresses of files, which nobody can guess or prolong. Those of reports expire after `REPORT_LINK_HOURS`. */
@Injectable()
export class ReportLinks {
  constructor(
    private readonly config: AppConfig,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** Returns the absolute address of a report's file. `origin` has no slash at its end. */
  link(origin: string, reportId: string): string {
    return this.linkTo('report', origin, reportId, this.clock.now() + this.config.reportLinkMs);
  }

  /** Returns the address of a file of any kind, which works until an instant in epoch milliseconds. */
  linkTo(kind: LinkedKind, origin: string, id: string, until: number): string {
    const expires = String(Math.floor(until / 1000));
    const query = new URLSearchParams({ expires, signature: this.sign(kind, id, expires) });
    return `${origin}/api/v1/pdf/${PLACES[kind]}/${id}/file?${query.toString()}`;
  }

  /** Returns true if the proof is genuine, for this file and not expired. */
  opens(id: string, proof: LinkProof, kind: LinkedKind = 'report'): boolean {
    if (!/^\d{1,12}$/.test(proof.expires)) return false;
    const genuine = sameSecret(proof.signature, this.sign(kind, id, proof.expires));
    return genuine && Number(proof.expires) * 1000 > this.clock.now();
  }

  private sign(kind: LinkedKind, id: string, expires: string): string {
    return hmacOf(this.secrets.linkSecret, `${kind}\n${id}\n${expires}`);
  }
}
