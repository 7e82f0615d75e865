import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { hmacOf, sameSecret } from '../../common/secrets/constant-time.js';
import { Secrets } from '../../common/secrets/secrets.js';

/** The query of a file's address: an expiry in epoch seconds and a signature over it and the file's kind and id. */
export interface LinkProof {
  expires: string;
  signature: string;
}

/** A kind of file with an address of its own, and where its files stand below `/api/v1/pdf`. */
const PLACES = { report: 'reports', preview: 'previews', pack: 'packs' } as const;

export type LinkedKind = keyof typeof PLACES;

/** Addresses of files that nobody can guess or lengthen, and that stop working: those of reports after `REPORT_LINK_HOURS`. */
@Injectable()
export class ReportLinks {
  constructor(
    private readonly config: AppConfig,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** The absolute address of a report's file, for whoever it is given to. `origin` has no slash at its end. */
  link(origin: string, reportId: string): string {
    return this.linkTo('report', origin, reportId, this.clock.now() + this.config.reportLinkMs);
  }

  /** The same of a file of another kind, until an instant in epoch milliseconds. */
  linkTo(kind: LinkedKind, origin: string, id: string, until: number): string {
    const expires = String(Math.floor(until / 1000));
    const query = new URLSearchParams({ expires, signature: this.sign(kind, id, expires) });
    return `${origin}/api/v1/pdf/${PLACES[kind]}/${id}/file?${query.toString()}`;
  }

  /** Whether the proof is ours, for this file, and not yet expired. */
  opens(id: string, proof: LinkProof, kind: LinkedKind = 'report'): boolean {
    if (!/^\d{1,12}$/.test(proof.expires)) return false;
    const genuine = sameSecret(proof.signature, this.sign(kind, id, proof.expires));
    return genuine && Number(proof.expires) * 1000 > this.clock.now();
  }

  private sign(kind: LinkedKind, id: string, expires: string): string {
    return hmacOf(this.secrets.linkSecret, `${kind}\n${id}\n${expires}`);
  }
}
