import { z } from 'zod';
import { identifier } from '../../../common/texts/identifier.js';
import { inspection } from '../inspection/inspection-template.js';
import { type Evidence, type PrintedPhotograph, sourceType, type Template } from '../template.js';
import { buildComparison } from './build-comparison.js';
import { comparisonDocument } from './comparison-document.js';
import { comparedAreas, type ComparisonReport } from './comparison-report.js';

const LONGEST_NAME = 500;
const MOST_PAIRS = 10_000;
const NAME_RULE = `must be a text of 1 to ${LONGEST_NAME} characters`;
const itemName = z
  .string(NAME_RULE)
  .max(LONGEST_NAME, NAME_RULE)
  .refine((name) => /\S/.test(name), NAME_RULE);

const schema = z.object({
  type: sourceType('comparison'),
  before: identifier
    .nullish()
    .transform((id) => id ?? undefined)
    .describe('The id of the earlier report; absent: the one that `meta.previousReport` of the later names.'),
  after: identifier.describe('The id of the later report.'),
  pairs: z
    .array(
      z.object(
        {
          before: itemName.describe('Its name in the earlier report.'),
          after: itemName.describe('Its name in the later report.'),
        },
        'must be { before, after }',
      ),
      'must be an array of { before, after }',
    )
    .max(MOST_PAIRS, `must have at most ${MOST_PAIRS} pairs`)
    .nullish()
    .describe(
      'Items, keys or alarms that are the same under two names. Others are paired by their names, without regard to case, dashes and punctuation. A name that is given twice, or that its report does not have, gives a warning.',
    ),
});

/** Two earlier inspection reports side by side. */
export const comparison: Template<z.infer<typeof schema>, ComparisonReport> = {
  id: 'comparison',
  about:
    'The template `comparison`, with `source: { type: "comparison", before, after, pairs? }` and the ids of two reports, puts them side by side and claims nothing.',
  schema,
  source: ({ before, after }) => ({
    of: 'reports',
    reports: [
      { path: 'source.before', ...(before === undefined ? {} : { id: before }), template: inspection.id },
      { path: 'source.after', id: after, template: inspection.id },
    ],
  }),
  build: ({ now, details: { pairs }, reports: [before, after] }) => {
    if (!before || !after) throw new Error('a comparison is made of two reports');
    return buildComparison({ now, before, after, pairs: pairs ?? [] });
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
