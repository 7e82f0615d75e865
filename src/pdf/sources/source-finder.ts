import { Injectable } from '@nestjs/common';
import { templateNamed } from '../templates.js';
import type { SourceDetails } from '../templates/template.js';
import { EarlierReportsSource } from './earlier-reports-source.js';
import { type EditionRequest, EditionSource } from './edition-source.js';
import type { ReportSource } from './report-source.js';
import { SessionSource } from './session-source.js';

/** The source of a report in a request. */
export interface SourceOrder {
  /** The details, read by the schema of the template. */
  source: SourceDetails;
  /** Set to draw the claim of an earlier report again, with corrections. */
  edition?: EditionRequest;
}

/** Finds the source that a report's template names. */
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
