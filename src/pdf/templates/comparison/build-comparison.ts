import type { Warning } from '../../../common/warnings.js';
import { SERVICE_AREA_TITLES, SERVICE_AREAS } from '../../../inspection/areas/area-type.js';
import { EXTERNAL_AREAS } from '../../../inspection/report/area-groups.js';
import { type BuiltReport, buildReport } from '../../../inspection/report/build-report.js';
import type { InspectionReport } from '../../../inspection/report/inspection-report.js';
import { reportFilename } from '../../../inspection/report/report-filename.js';
import type { ReportInput } from '../../../inspection/report/report-input.js';
import type {
  ComparedArea,
  ComparedReport,
  ComparisonInput,
  ComparisonReport,
  SideName,
  Sides,
} from './comparison-report.js';
import { pairAreas } from './pair-areas.js';
import type { Looks } from './pair-photographs.js';

/**
 * Puts two reports side by side (templateId `comparison`): each area once, with the contents of either report. Numbers,
 * stamps and remarks are those of their own report. Pure; only the file name depends on the time of the comparison.
 */
export function buildComparison(input: ComparisonInput): { report: ComparisonReport; warnings: Warning[] } {
  const [before, after] = [buildReport(input.before), buildReport(input.after)];
  const names = sideNames(before.meta.reportType, after.meta.reportType);
  const areas = pairAreas(before.report, after.report, {
    before: looksOf(input.before),
    after: looksOf(input.after),
  });
  const outside = areas.filter(({ section }) => section === 'external');
  const pooled = ({ heading }: ComparedArea) => heading === EXTERNAL_AREAS;
  const rooms = [...outside.filter(pooled), ...outside.filter((area) => !pooled(area))];
  const comments = both(before, after, ({ report }) => report.externalAreas?.comments ?? []);
  const hasOutside = rooms.length > 0 || comments.before.length + comments.after.length > 0;
  const report: ComparisonReport = {
    reportId: `${before.report.reportId}+${after.report.reportId}`,
    createdAt: Math.max(before.report.createdAt, after.report.createdAt),
    fileName: fileName(before, after, input.now),
    cover: { title: title(before, after), ...sharedCover(before.report.cover, after.report.cover) },
    sides: {
      before: comparedReport(before.report, names.before),
      after: comparedReport(after.report, names.after),
    },
    metersAndKeys: inFixedOrder(areas.filter(({ section }) => section === 'service')),
    rooms: areas.filter(({ section }) => section === 'room'),
    externalAreas: hasOutside ? { rooms, comments } : null,
  };
  return { report, warnings: warningsOf(before.report, after.report) };
}

const both = <From, To>(before: From, after: From, read: (one: From) => To): Sides<To> => ({
  before: read(before),
  after: read(after),
});

const looksOf = ({ photographs }: ReportInput): Looks =>
  new Map(photographs.flatMap(({ id, look }) => (look === undefined ? [] : [[id, look]])));

const NAMES: ReadonlyMap<string | undefined, SideName & { title: string }> = new Map([
  ['checkin', { label: 'Check-in', when: 'at check-in', where: 'in the check-in', title: 'Check-In' }],
  ['checkout', { label: 'Check-out', when: 'at check-out', where: 'in the check-out', title: 'Check-Out' }],
  ['interim', { label: 'Interim', when: 'at interim', where: 'in the interim report', title: 'Interim' }],
]);

/** Names the sides by their report types if these differ, else by their order. */
function sideNames(before: string | undefined, after: string | undefined): Sides<SideName> {
  const [one, other] = [NAMES.get(before), NAMES.get(after)];
  if (one && other && one !== other) return { before: one, after: other };
  return {
    before: { label: 'Before', when: 'in the earlier report', where: 'in the earlier report' },
    after: { label: 'After', when: 'in the later report', where: 'in the later report' },
  };
}

function title(before: BuiltReport, after: BuiltReport): string {
  const [one, other] = [NAMES.get(before.meta.reportType), NAMES.get(after.meta.reportType)];
  return one && other && one !== other
    ? `Comparison of ${one.title} and ${other.title}`
    : 'Comparison of Two Inspection Reports';
}

function fileName(before: BuiltReport, after: BuiltReport, now: number): string {
  const propertyNo = after.meta.propertyNo ?? before.meta.propertyNo;
  return reportFilename({ propertyNo, postcode: after.meta.postcode ?? before.meta.postcode }, now);
}

type ReportCover = InspectionReport['cover'];

/** Returns the cover values that both reports share or only one of them has. */
function sharedCover(
  before: ReportCover,
  after: ReportCover,
): Partial<Omit<ComparisonReport['cover'], 'title'>> {
  const logo = after.logo ?? before.logo;
  const company = after.company ?? before.company;
  const address = after.address ?? before.address;
  return {
    ...(address !== undefined && !differ(before.address, after.address) ? { address } : {}),
    ...(logo === undefined ? {} : { logo }),
    ...(company === undefined ? {} : { company }),
  };
}

const differ = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && plain(one) !== plain(other);

const plain = (text: string): string =>
  text
    .replace(/[\s,]+/g, ' ')
    .trim()
    .toLowerCase();

function comparedReport(report: InspectionReport, { label, when, where }: SideName): ComparedReport {
  const { reportId, reference, cover, photographCount } = report;
  const sections = [...report.metersAndKeys, ...report.rooms];
  const remarks = sections.reduce((sum, { comments }) => sum + comments.length, 0);
  return {
    name: { label, when, where },
    ...{ reportId, reference, cover, photographs: photographCount },
    remarks: remarks + (report.externalAreas?.comments.length ?? 0),
  };
}

/** Puts the five expected areas first in their order, then the others. */
function inFixedOrder(areas: readonly ComparedArea[]): ComparedArea[] {
  const titles = SERVICE_AREAS.map((service) => SERVICE_AREA_TITLES[service]);
  const place = ({ heading }: ComparedArea): number => {
    const found = titles.indexOf(heading);
    return found < 0 ? titles.length : found;
  };
  return [...areas].sort((one, other) => place(one) - place(other));
}

function warningsOf(before: InspectionReport, after: InspectionReport): Warning[] {
  const warnings: Warning[] = [];
  if (before.createdAt > after.createdAt)
    warnings.push({
      code: 'sides_reversed',
      message: 'source.before was made later than source.after. They are printed in the requested order.',
      path: 'source.before',
    });
  if (differ(before.cover.address, after.cover.address))
    warnings.push({
      code: 'addresses_differ',
      message: 'The two reports have different addresses. Check that they are of the same property.',
    });
  return warnings;
}
