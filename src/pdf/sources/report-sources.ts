import { Injectable } from '@nestjs/common';
import type { Claim } from '../../inspection/claims/claim.js';
import { EditionSource } from '../editions/edition-source.js';
import type { RenderOrder } from '../render/render-request.js';
import type { Source } from '../templates/source.js';
import type { Contents, SourceDetails } from '../templates/template.js';
import { templateNamed } from '../templates/templates.js';
import { detailsOf } from './claimed-details.js';
import type { AskedSource, ReportSource } from './report-source.js';
import { ReportsSource } from './reports-source.js';
import { SessionSource } from './session-source.js';

/** Finds what a report is made of: its template names it, one of the sources has it. */
@Injectable()
export class ReportSources {
  constructor(
    private readonly session: SessionSource,
    private readonly reports: ReportsSource,
    private readonly editions: EditionSource,
  ) {}

  of({ source: details, edition }: Pick<RenderOrder, 'source' | 'edition'>): AskedSource {
    if (edition) return this.editions.of(edition);
    const from = templateNamed(details.type).source(details);
    return from.of === 'session' ? asked(this.session, from, details) : asked(this.reports, from, details);
  }

  /** Everything that decides what the report of a claim says. */
  async contents(claim: Claim): Promise<Contents<SourceDetails>> {
    const details = detailsOf(claim);
    const from = templateNamed(details.type).source(details);
    const reports = await (from.of === 'session'
      ? this.session.inputs(claim)
      : this.reports.inputs(claim, from));
    return { details, now: claim.createdAt, reports, look: claim.look };
  }
}

const asked = <From extends Source>(
  source: ReportSource<From>,
  from: From,
  details: SourceDetails,
): AskedSource => ({
  access: (request, use) => source.access(request, from, use),
  taking: (caller) => source.taking(from, details, caller),
  ...(source.touched ? { touched: source.touched(from) } : {}),
  printable: (claim) => source.printable(claim, from),
});
