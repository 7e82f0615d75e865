import { z } from 'zod';
import { identifier } from '../../../common/texts/identifier.js';
import { inspection } from '../inspection/inspection-template.js';
import { type Evidence, type PrintedPhotograph, sourceType, type Template } from '../template.js';
import { buildComparison } from './build-comparison.js';
import { comparisonDocument } from './comparison-document.js';
import { comparedAreas, type ComparisonReport } from './comparison-report.js';

const schema = z.object({
  type: sourceType('comparison'),
  before: identifier.describe('The id of the earlier report.'),
  after: identifier.describe('The id of the later report.'),
});

/** Two earlier inspection reports side by side. */
export const comparison: Template<z.infer<typeof schema>, ComparisonReport> = {
  id: 'comparison',
  about:
    'The template `comparison`, with `source: { type: "comparison", before, after }` and the ids of two reports, puts them side by side and claims nothing.',
  schema,
  source: ({ before, after }) => ({
    of: 'reports',
    reports: [
      { path: 'source.before', id: before, template: inspection.id },
      { path: 'source.after', id: after, template: inspection.id },
    ],
  }),
  build: ({ now, reports: [before, after] }) => {
    if (!before || !after) throw new Error('a comparison is made of two reports');
    return buildComparison({ now, before, after });
  },
  evidence,
  document: comparisonDocument,
};

/** Returns the photographs of both reports row by row, with the ids of both reports and no file name. */
function evidence(report: ComparisonReport): Evidence {
  const { before, after } = report.sides;
  const earlier = { side: before.name.label, reportId: before.reportId };
  const later = { side: after.name.label, reportId: after.reportId };
  const photographs = comparedAreas(report).flatMap((area) =>
    area.pairs.flatMap((pair): PrintedPhotograph[] => [
      ...(pair.before ? [{ photograph: pair.before, area: area.heading, source: earlier }] : []),
      ...(pair.after ? [{ photograph: pair.after, area: area.heading, source: later }] : []),
    ]),
  );
  return { report: { id: report.reportId, createdAt: report.createdAt }, photographs };
}
