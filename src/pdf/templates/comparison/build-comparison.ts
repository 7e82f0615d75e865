import type { Warning } from '../../../common/warnings.js';
import { SERVICE_AREAS, SERVICE_AREA_TITLES } from '../../../inspection/areas/area-type.js';
import { EXTERNAL_AREAS } from '../../../inspection/report/area-groups.js';
import { buildReport, type BuiltReport } from '../../../inspection/report/build-report.js';
import type { Declaration, InspectionReport } from '../../../inspection/report/inspection-report.js';
import { reportFilename } from '../../../inspection/report/report-filename.js';
import type { ReportInput } from '../../../inspection/report/report-input.js';
import { inPrintOrder } from './area-photographs.js';
import { changesOf } from './changes.js';
import type {
  AreaSide,
  ComparedArea,
  ComparedFact,
  ComparedReport,
  ComparisonInput,
  ComparisonReport,
  PairedFact,
  SideName,
  Sides,
} from './comparison-report.js';
import { differenceOf } from './fact-difference.js';
import { pairAreas, type PlacedArea } from './pair-areas.js';
import { pairFacts } from './pair-facts.js';
import { pairPhotographs, type Looks } from './pair-photographs.js';

/**
 * Puts two reports side by side (templateId `comparison`): each area once, with the contents of either report. Numbers,
 * stamps and remarks are those of their own report. Pure; only the file name depends on the time of the comparison.
 */
export function buildComparison(input: ComparisonInput): { report: ComparisonReport; warnings: Warning[] } {
  const [before, after] = [buildReport(input.before), buildReport(input.after)];
  const names = sideNames(both(before, after, ({ meta }) => meta.reportType));
  const looks = { before: looksOf(input.before), after: looksOf(input.after) };
  const placed = pairAreas(before.report, after.report);
  const { facts, warnings } = pairFacts(placed, input.pairs ?? []);
  const areas = placed
    .map((area, place) => comparedArea(area, facts[place]!, looks))
    .filter((area) => !isEmpty(area));
  const metersAndKeys = inFixedOrder(areas.filter(({ section }) => section === 'service'));
  const inside = areas.filter(({ section }) => section === 'room');
  const outside = areas.filter(({ section }) => section === 'external');
  const pooled = ({ heading }: ComparedArea) => heading === EXTERNAL_AREAS;
  const rooms = [...outside.filter(pooled), ...outside.filter((area) => !pooled(area))];
  const comments = both(before, after, ({ report }) => report.externalAreas?.comments ?? []);
  const hasOutside = rooms.length > 0 || comments.before.length + comments.after.length > 0;
  const report: ComparisonReport = {
    reportId: `${before.report.reportId}+${after.report.reportId}`,
    createdAt: Math.max(before.report.createdAt, after.report.createdAt),
    fileName: fileName(before, after, input.now),
    cover: { title: names.title, ...sharedCover(before.report.cover, after.report.cover) },
    sides: {
      before: comparedReport(before.report, names.before),
      after: comparedReport(after.report, names.after),
    },
    changes: changesOf([...metersAndKeys, ...inside, ...rooms]),
    metersAndKeys,
    rooms: inside,
    externalAreas: hasOutside ? { rooms, comments } : null,
    signatories: signatoriesOf(before.report.declaration, after.report.declaration),
  };
  return { report, warnings: [...warnings, ...warningsOf(before.report, after.report)] };
}

const both = <From, To>(before: From, after: From, read: (one: From) => To): Sides<To> => ({
  before: read(before),
  after: read(after),
});

const looksOf = ({ photographs }: ReportInput): Looks =>
  new Map(photographs.flatMap(({ id, look }) => (look === undefined ? [] : [[id, look]])));

function comparedArea(area: PlacedArea, pairs: readonly PairedFact[], looks: Sides<Looks>) {
  const photographs = pairPhotographs(
    area.before?.photographs ?? [],
    area.after?.photographs ?? [],
    looks,
    pairs,
  );
  const facts = pairs.map((pair): ComparedFact => {
    const { before, after } = pair;
    const difference = before && after ? differenceOf({ before: before.fact, after: after.fact }) : null;
    return { ...pair, difference };
  });
  return { ...area, pairs: inPrintOrder(photographs), facts };
}

/** Returns true for an area of which everything was paired with a thing in another area. */
const isEmpty = ({ before, after, facts }: ComparedArea): boolean =>
  facts.length === 0 &&
  [before, after].every((side) => side === null || (side.facts.length > 0 && isBare(side)));

const isBare = ({ photographs, comments, absent, keyDetails }: AreaSide): boolean =>
  photographs.length + comments.length + keyDetails.length === 0 && !absent;

function signatoriesOf(before: Declaration, after: Declaration): ComparisonReport['signatories'] {
  const [clerk, agent] = [after.clerk ?? before.clerk, after.agent ?? before.agent];
  return {
    ...(clerk === undefined ? {} : { clerk }),
    tenants: after.tenants.length > 0 ? after.tenants : before.tenants,
    ...(agent === undefined ? {} : { agent }),
  };
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

function comparedReport(report: InspectionReport, { label, short, when, where }: SideName): ComparedReport {
  const { reportId, reference, cover, photographCount } = report;
  const sections = [...report.metersAndKeys, ...report.rooms];
  const remarks = sections.reduce((sum, { comments }) => sum + comments.length, 0);
  return {
    name: { label, short, when, where },
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

interface TypeName extends SideName {
  /** In the title of the document. */
  readonly title: string;
  /** In a name that tells two reports of one type apart. */
  readonly noun: string;
}

const NAMES: ReadonlyMap<string | undefined, TypeName> = new Map([
  ['checkin', typeName('Check-in', 'at check-in', 'in the check-in', 'Check-In')],
  ['checkout', typeName('Check-out', 'at check-out', 'in the check-out', 'Check-Out')],
  [
    'interim',
    typeName(
      'Interim',
      'at the interim inspection',
      'in the interim report',
      'Interim',
      'interim inspection',
    ),
  ],
]);
const NEUTRAL = typeName('Inspection', 'at the inspection', 'in the inspection report', 'Inspection');

function typeName(
  label: string,
  when: string,
  where: string,
  title: string,
  noun: string = label.toLowerCase(),
): TypeName {
  return { label, short: label.toLowerCase(), when, where, title, noun };
}

const nameOf = (reportType: string | undefined): TypeName => NAMES.get(reportType) ?? NEUTRAL;

/** Returns the names of the sides, by the types of the reports, and the title of the document. */
function sideNames({ before, after }: Sides<string | undefined>): Sides<SideName> & { title: string } {
  const [one, other] = [nameOf(before), nameOf(after)];
  if (one === other)
    return {
      ...{ before: inOrder('First', one), after: inOrder('Second', one) },
      title: `Comparison of Two ${one === NEUTRAL ? '' : `${one.title} `}Inspection Reports`,
    };
  return { before: one, after: other, title: `Comparison of ${one.title} and ${other.title}` };
}

function inOrder(place: 'First' | 'Second', { label, noun }: TypeName): SideName {
  const short = place.toLowerCase();
  const name = `the ${short} ${noun}`;
  return { label: `${place} ${label.toLowerCase()}`, short, when: `at ${name}`, where: `in ${name}` };
}
