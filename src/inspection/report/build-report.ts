import { foldWarnings, type Warning } from '../../common/warnings.js';
import { type AreaGroup, EXTERNAL_AREAS, groupByArea, headingOf, isPooled } from './area-groups.js';
import type {
  Cover,
  ExternalAreas,
  InspectionReport,
  RoomSection,
  ServiceSection,
} from './inspection-report.js';
import { matchRemarks } from './match-remarks.js';
import { PhotographNumbers } from './number-photographs.js';
import { reportFilename } from './report-filename.js';
import type { ReportInput } from './report-input.js';
import { type ReportMeta, readMeta } from './report-meta.js';
import { reportTitle } from './report-title.js';
import { serviceEntries } from './service-sections.js';
import { summaryRows } from './summary-rows.js';
import { ukDate } from './uk-time.js';

/** The report, the meta it was made from (for completeness and delivery), and what the caller should be told. */
export interface BuiltReport {
  readonly report: InspectionReport;
  readonly meta: ReportMeta;
  readonly warnings: readonly Warning[];
}

/**
 * Decides everything that the report says (description 2.3 to 2.5, contract section 6) from claimed photographs,
 * recorded remarks and the request's meta. Pure: the same input gives an equal report.
 */
export function buildReport(input: ReportInput): BuiltReport {
  const { meta, warnings } = readMeta(input.meta);
  const matched = matchRemarks(groupByArea(input.photographs), input.remarks, meta.areaComments);
  const numbers = new PhotographNumbers();
  const section = (group: AreaGroup): RoomSection => ({
    heading: headingOf(group),
    photographs: numbers.number(group),
    comments: group.comments,
  });
  const metersAndKeys: ServiceSection[] = serviceEntries(matched.groups, meta).map((entry) => ({
    ...section(entry.group),
    service: entry.group.service ?? null,
    absent: entry.absent,
    keyDetails: entry.keyDetails,
  }));
  const rooms = matched.groups.filter((group) => group.type === 'room').map(section);
  const external = matched.groups.filter((group) => group.type === 'external');
  const outside = [...external.filter(isPooled), ...external.filter((group) => !isPooled(group))].map(
    section,
  );
  const externalAreas = pool(outside, matched.pooledComments);
  const report: InspectionReport = {
    reportId: input.reportId,
    reference: shortReference(input.reportId),
    createdAt: input.now,
    fileName: reportFilename(meta, input.now),
    cover: cover(meta, input.now),
    summary: summaryRows(metersAndKeys, rooms, externalAreas),
    metersAndKeys,
    rooms,
    externalAreas,
    declaration: signatories(meta),
    photographCount: numbers.count,
  };
  return { report, meta, warnings: foldWarnings(warnings, matched.warnings) };
}

function pool(rooms: readonly RoomSection[], comments: readonly string[]): ExternalAreas | null {
  if (rooms.length > 0) return { rooms, comments };
  if (comments.length === 0) return null;
  return { rooms: [{ heading: EXTERNAL_AREAS, photographs: [], comments: [] }], comments };
}

function cover(meta: ReportMeta, now: number): Cover {
  const { address, company, assessor, tenant, logo, location, guided } = meta;
  return {
    title: reportTitle(meta.reportType),
    guided,
    ...(logo === undefined ? {} : { logo }),
    ...(address === undefined ? {} : { address }),
    ...(company === undefined ? {} : { company }),
    ...(assessor === undefined ? {} : { assessor }),
    ...(tenant === undefined ? {} : { tenant }),
    ...(location === undefined ? {} : { location }),
    reportDate: ukDate(now),
  };
}

const signatories = ({ assessor, tenant }: ReportMeta): InspectionReport['declaration'] => ({
  ...(assessor === undefined ? {} : { clerk: assessor }),
  ...(tenant === undefined ? {} : { tenant }),
});

/** The end of the id: version 7 ids of one day begin alike. */
const shortReference = (reportId: string): string => reportId.replaceAll('-', '').slice(-8).toUpperCase();
