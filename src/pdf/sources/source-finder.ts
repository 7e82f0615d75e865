import { Injectable } from '@nestjs/common';
import { templateNamed } from '../templates.js';
import type { SourceDetails } from '../templates/template.js';
import { EarlierReportsSource } from './earlier-reports-source.js';
import { type EditionRequest, EditionSource } from './edition-source.js';
import type { ReportSource } from './report-source.js';
import { SessionSource } from './session-source.js';

/** The source of a report, as a request names it. */
export interface SourceOrder {
  /** As the schema of its template read it. */
  source: SourceDetails;
  /** Draws the claim of an earlier report again, with what is corrected. */
  edition?: EditionRequest;
}

/** Finds what a report is made of: its template names it, one of the sources has it. */
@Injectable()
export class SourceFinder {
  constructor(
    private readonly session: SessionSource,
    private readonly reports: EarlierReportsSource,
    private readonly editions: EditionSource,
  ) {}

  find({ source: details, edition }: SourceOrder): ReportSource {
    if (edition) return this.editions.sourceOf(edition);
    const from = templateNamed(details.type).source(details);
    return from.of === 'session'
      ? this.session.sourceOf(from, details)
      : this.reports.sourceOf(from, details);
  }
}
