import { foldWarnings, type Warning } from '../../common/warnings.js';
import { normalizeArea } from '../areas/normalize-area.js';
import { roomKindOf } from '../areas/room-kind.js';
import {
  type AreaGroup,
  EXTERNAL_AREAS,
  groupByArea,
  headingOf,
  isPooled,
  POOLED_KEY,
} from './area-groups.js';
import { editionChanges } from './edition-changes.js';
import { frontMatter } from './front-matter.js';
import {
  sectionsOf,
  type Cover,
  type ExternalAreas,
  type InspectionReport,
  type ReportRemark,
  type RoomSection,
  type ServiceSection,
  type SummaryRow,
} from './inspection-report.js';
import { matchRemarks, remarksOf } from './match-remarks.js';
import { COVER_ROWS, META_MEMBERS } from './meta-members.js';
import { PhotographNumbers } from './number-photographs.js';
import { inOrderOfItems } from './order-items.js';
import { QuotedItems, quotedReport } from './quoted-items.js';
import { actionsIn, factsIn, gradesUsed, isToNote, pointsToNote, serviceFacts } from './report-facts.js';
import { reportFilename } from './report-filename.js';
import type { ReportInput } from './report-input.js';
import { type ReportMeta, readMeta, reportTitle } from './report-meta.js';
import { DEFAULT_SETTINGS, printedSettings } from './report-settings.js';
import { describedAbsences, serviceEntries } from './service-sections.js';
import { ukDate, ukDays } from './uk-time.js';

/** The report, its meta (for completeness and delivery), and warnings for the caller. */
export interface BuiltReport {
  readonly report: InspectionReport;
  readonly meta: ReportMeta;
  readonly warnings: readonly Warning[];
  /** Ids of all photographs with a number in this edition or an earlier one, in the order of their numbers. */
  readonly photographIds: readonly string[];
}

/**
 * Builds the content of a report (description sections 2.3 and 2.5, contract section 6) from claimed photographs, recorded
 * remarks and the request's meta. Pure: equal input gives an equal report.
 */
export function buildReport(input: ReportInput): BuiltReport {
  const { meta, warnings } = readMeta(input.meta);
  const matched = matchRemarks(groupByArea(input.photographs), input, meta);
  const entries = serviceEntries(matched.groups, meta, input.photographedBefore);
  const inside = matched.groups.filter((group) => group.type === 'room');
  const external = matched.groups.filter((group) => group.type === 'external');
  const outside = [...external.filter(isPooled), ...external.filter((group) => !isPooled(group))];
  const numbers = new PhotographNumbers(
    [...entries.map(({ group }) => group), ...inside, ...outside],
    input.edition?.numbered,
  );
  const settings = input.settings ?? DEFAULT_SETTINGS;
  const previous = input.previous && buildReport(input.previous).report;
  const quotes = new QuotedItems(previous);
  const section = (group: AreaGroup): RoomSection => {
    const { service, type } = group;
    const heading = headingOf(group);
    const facts = factsIn(group, numbers).map((fact) => quotes.quote({ heading, service }, fact));
    return {
      heading,
      photographs: numbers.of(group),
      comments: remarksOf(group),
      facts: type === 'service' ? facts : inOrderOfItems(facts, settings, roomKindOf(heading, type)),
    };
  };
  const metersAndKeys: ServiceSection[] = entries.map((entry) => ({
    ...section(entry.group),
    service: entry.group.service ?? null,
    absent: entry.absent,
    keyDetails: entry.keyDetails,
  }));
  const rooms = inside.map(section);
  const externalAreas = pool(outside.map(section), matched.pooledComments);
  const sections = sectionsOf({ metersAndKeys, rooms, externalAreas });
  const withdrawn = (input.withdrawn ?? []).map(({ id, areaName }) => ({ id, area: areaName }));
  const report: InspectionReport = {
    reportId: input.reportId,
    reference: shortReference(input.reportId),
    ...(input.edition === undefined ? {} : { edition: input.edition.number }),
    createdAt: input.now,
    fileName: reportFilename(meta, input.now),
    cover: { ...cover(meta, input), ...inspected(input) },
    frontMatter: frontMatter(meta),
    ...printedSettings(settings),
    ...(previous === undefined ? {} : { previousReport: quotedReport(previous) }),
    summary: summaryRows(metersAndKeys, rooms, externalAreas),
    pointsToNote: pointsToNote(sections),
    actions: actionsIn(sections),
    gradesUsed: gradesUsed(sections),
    serviceFacts: serviceFacts(sections),
    metersAndKeys,
    rooms,
    externalAreas,
    declaration: { ...signatories(meta), ...(withdrawn.length === 0 ? {} : { withdrawn: withdrawn.length }) },
    photographCount: numbers.count,
    ...(withdrawn.length === 0 ? {} : { withdrawn }),
    ...(input.edition === undefined
      ? {}
      : { changes: editionChanges(input, input.edition, { meta, sections, numbers }) }),
  };
  return {
    photographIds: numbers.numbered,
    report,
    meta,
    warnings: foldWarnings(warnings, matched.warnings, describedAbsences(entries), quotes.warnings),
  };
}

function pool(rooms: readonly RoomSection[], comments: readonly ReportRemark[]): ExternalAreas | null {
  if (rooms.length > 0) return { rooms, comments };
  if (comments.length === 0) return null;
  return { rooms: [EXTERNAL_AREAS_ALONE], comments };
}

const EXTERNAL_AREAS_ALONE: RoomSection = {
  heading: EXTERNAL_AREAS,
  ...{ photographs: [], comments: [], facts: [] },
};

/** Returns a row per area in print order, without the fixed absence sentence (contract section 6, rule 2). */
function summaryRows(
  metersAndKeys: readonly ServiceSection[],
  rooms: readonly RoomSection[],
  externalAreas: ExternalAreas | null,
): SummaryRow[] {
  return [
    ...metersAndKeys.map((area) => summaryRow('meters-and-keys', area, area.absent)),
    ...rooms.map((area) => summaryRow('room', area)),
    ...externalRows(externalAreas),
  ];
}

/**
 * Returns the rows of external areas. Their remarks are printed merged but counted by area; remarks on areas without a row
 * count in the row of External Areas as a whole.
 */
function externalRows(areas: ExternalAreas | null): SummaryRow[] {
  const rows = new Map<string, RoomSection & { comments: ReportRemark[] }>();
  const add = (room: RoomSection) => {
    const row = { ...room, comments: [] };
    rows.set(normalizeArea(room.heading), row);
    return row;
  };
  areas?.rooms.forEach(add);
  for (const remark of areas?.comments ?? []) {
    const row = rows.get(normalizeArea(remark.filedUnder ?? EXTERNAL_AREAS)) ?? rows.get(POOLED_KEY);
    (row ?? add(EXTERNAL_AREAS_ALONE)).comments.push(remark);
  }
  return [...rows.values()].map((area) => summaryRow('external', area));
}

function summaryRow(section: SummaryRow['section'], area: RoomSection, absent = false): SummaryRow {
  const { photographs } = area;
  const inTime = [...photographs].sort((one, other) => one.instant - other.instant);
  return {
    section,
    area: area.heading,
    photographs: photographs.length,
    first: inTime[0]?.stamp ?? null,
    last: inTime.at(-1)?.stamp ?? null,
    status: absent ? 'Reported absent' : statusOf(area),
  };
}

/** Returns the counts of points to note and remarks, else a word for the state of the area. */
function statusOf({ facts, comments, photographs }: RoomSection): string {
  const found = [
    ...counted(facts.filter(isToNote).length, 'point', ' to note'),
    ...counted(comments.length, 'remark'),
  ];
  return found.length > 0 ? found.join(', ') : photographs.length > 0 ? 'Photographed' : 'Noted';
}

const counted = (count: number, what: string, more = ''): string[] =>
  count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'}${more}`];

function cover(meta: ReportMeta, { now, edition }: ReportInput): Cover {
  const { address, company, logo, location, guided } = meta;
  return {
    title: reportTitle(meta.reportType),
    guided,
    ...(logo === undefined ? {} : { logo }),
    ...(address === undefined ? {} : { address }),
    ...(company === undefined ? {} : { company }),
    rows: COVER_ROWS.flatMap((name) => {
      const value = meta[name];
      return value === undefined ? [] : [{ label: META_MEMBERS[name].label, value }];
    }),
    ...(location === undefined ? {} : { location }),
    reportDate: ukDate(now),
    ...(edition === undefined ? {} : { edition: editionLine(edition) }),
  };
}

function inspected({ photographs }: ReportInput): Pick<Cover, 'inspected'> {
  let [first, last] = [Infinity, -Infinity];
  for (const { capturedAt } of photographs)
    [first, last] = [Math.min(first, capturedAt), Math.max(last, capturedAt)];
  return photographs.length === 0 ? {} : { inspected: ukDays(first, last) };
}

const editionLine = ({ number, replaces }: NonNullable<ReportInput['edition']>): string =>
  `Edition ${number}, replaces ${replaces.reportId} of ${ukDate(replaces.createdAt)}`;

const signatories = ({ assessor, tenant, company }: ReportMeta): InspectionReport['declaration'] => ({
  ...(assessor === undefined ? {} : { clerk: assessor }),
  tenants: tenant === undefined ? [] : namesIn(tenant),
  ...(company === undefined ? {} : { agent: company }),
});

const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/;
const MOST_TENANTS = 20;

/** Returns the names, one per line; a text of more than twenty lines counts as one name. */
function namesIn(tenant: string): string[] {
  const lines = tenant.split(LINE_BREAK, MOST_TENANTS + 1);
  return lines.length > MOST_TENANTS ? [tenant] : lines.filter((name) => /\S/.test(name));
}

/** Returns the end of the id, because version 7 ids of one day have the same beginning. */
const shortReference = (reportId: string): string => reportId.replaceAll('-', '').slice(-8).toUpperCase();
