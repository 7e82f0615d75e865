import { z } from 'zod';
import { sentIdentifier } from '../../../common/texts/identifier.js';
import { SERVICE_AREA_TITLES } from '../../../inspection/areas/area-type.js';
import { buildReport } from '../../../inspection/report/build-report.js';
import { sectionsOf, type InspectionReport } from '../../../inspection/report/inspection-report.js';
import { metaSchema } from '../../../inspection/report/meta-schema.js';
import { type Evidence, sourceType, type Template } from '../template.js';
import { inspectionDocument } from './inspection-document.js';

const flag = z
  .boolean()
  .nullish()
  .transform((value) => value === true);

const schema = z
  .object({
    type: sourceType('inspection'),
    sessionId: sentIdentifier.describe('The session whose photographs are claimed.'),
    meta: z.unknown().optional().meta(metaSchema),
    flowId: z.string().nullish().describe('Narrows the render to the photographs of one flow.'),
    requireComplete: flag.describe(
      'Renders nothing while areas are outstanding: 409 `incomplete_inspection`, and nothing is claimed.',
    ),
    forceFinish: flag.describe(
      'Renders whatever is missing: no area counts as outstanding, even with `requireComplete`.',
    ),
  })
  .transform(({ type, sessionId, meta, flowId, requireComplete, forceFinish }) => ({
    ...{ type, sessionId, meta, requireComplete, forceFinish },
    ...(typeof flowId === 'string' ? { flowId } : {}),
  }));

/** The report of an inspection: the pending photographs of a session, area by area (description section 4.3). */
export const inspection: Template<z.infer<typeof schema>, InspectionReport> = {
  id: 'inspection',
  about: 'Claims the pending photographs of the session once and draws the report.',
  example: {
    name: 'check-in',
    source: {
      type: 'inspection',
      sessionId: 'my-first-inspection',
      meta: {
        address: '14 Acacia Avenue, Leeds',
        assessor: 'Duty Inspector',
        reportType: 'checkin',
        propertyNo: '14',
        postcode: 'LS1 4AP',
        skippedAreas: 'gas-meter|water-meter',
      },
    },
  },
  schema,
  source: ({ type: _, ...details }) => ({ of: 'session', ...details }),
  build: ({ reports: [input], draft }) => {
    if (!input) throw new Error('an inspection report is made of a session');
    const { report, warnings } = buildReport(input);
    const outstanding = draft?.outstandingAreas.map((area) => SERVICE_AREA_TITLES[area]);
    return { report: { ...report, ...(outstanding === undefined ? {} : { outstanding }) }, warnings };
  },
  evidence,
  document: inspectionDocument,
};

function evidence(report: InspectionReport): Evidence {
  const { reportId: id, fileName, createdAt } = report;
  const photographs = sectionsOf(report).flatMap((section) =>
    section.photographs.map((photograph) => ({ photograph, area: section.heading })),
  );
  const { withdrawn } = report;
  return {
    report: { id, fileName, createdAt },
    photographs,
    ...(withdrawn === undefined ? {} : { withdrawn }),
  };
}
