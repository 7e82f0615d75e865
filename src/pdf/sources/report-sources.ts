import { Injectable } from '@nestjs/common';
import type { SourceOrder } from '../render-request.js';
import { ComparisonSource } from './comparison-source.js';
import { InspectionSource } from './inspection-source.js';
import type { ReportSource } from './report-source.js';

type Type = SourceOrder['type'];

/** The sources by their type: the one place that knows which there are. */
@Injectable()
export class ReportSources {
  private readonly byType: { [Name in Type]: ReportSource<Extract<SourceOrder, { type: Name }>> };

  constructor(inspection: InspectionSource, comparison: ComparisonSource) {
    this.byType = { inspection, comparison };
  }

  of(type: Type): ReportSource {
    return this.byType[type];
  }
}
