import { ABSENCE_NOTE } from '../../../inspection/areas/skipped-areas.js';
import {
  isObservation,
  sectionsOf,
  type ExternalAreas,
  type FactInArea,
  type InspectionReport,
  type ReportPhotograph,
  type ReportRemark,
  type RoomSection,
  type ServiceSection,
} from '../../../inspection/report/inspection-report.js';
import { labelledValues, linesOf } from '../cover-parts.js';
import { type Block, child, type StructureElement } from '../definition.js';
import { BODY, NOTE } from '../look.js';
import {
  type Bookmark,
  type Bookmarks,
  heading,
  NAME_HEIGHT,
  nameHeading,
  paragraph,
  subheading,
  SUBHEADING_HEIGHT,
  remarkBlocks,
} from '../parts.js';
import { firstRowHeight, photographGrid } from '../photograph-grid.js';
import { Citations } from './citations.js';
import { observationsKeep, observationTable, serviceTables, serviceTablesKeep } from './fact-tables.js';
import { cardHeight, readingsBeside, runsOf } from './meter-cards.js';
import { isMeter, meterPhotographs, remarkOnCard } from './meter-photographs.js';

/** Lines of a remark that stay with the photographs above it, and letters on a line. */
const MOST_REMARK_LINES = 8;
const REMARK_LETTERS = 96;

/** The parts of a report that every section needs. */
interface Body {
  readonly report: InspectionReport;
  readonly bookmarks: Bookmarks;
  readonly citations: Citations;
}

/** Builds the body of the report: Meters & Keys, the rooms, External Areas. */
export function areaSections(
  report: InspectionReport,
  bookmarks: Bookmarks,
  root: StructureElement,
): Block[] {
  const { externalAreas, rooms } = report;
  const inTables = tableFacts(report);
  const observations = sectionsOf(report).flatMap(({ facts }) => facts.filter(isObservation));
  const body: Body = { report, bookmarks, citations: new Citations([...inTables, ...observations]) };
  return [
    ...metersAndKeysSection(body, inTables, root),
    ...rooms.filter((room) => hasContent(room, report)).flatMap((room) => roomSection(room, body, root)),
    ...(externalAreas ? externalSection(externalAreas, body, root) : []),
  ];
}

/** Returns the readings, keys and alarms of the tables: all but the readings on cards. */
function tableFacts({ serviceFacts, metersAndKeys }: InspectionReport): FactInArea[] {
  const onCards = new Set(
    metersAndKeys
      .filter(isMeter)
      .flatMap((area) => [...readingsBeside(area).values()].flat().map(({ words }) => words)),
  );
  return serviceFacts.filter(({ words }) => !onCards.has(words));
}

/** Prints the tables of readings, keys and alarms first, then each area that has more than these. */
function metersAndKeysSection(body: Body, inTables: readonly FactInArea[], root: StructureElement): Block[] {
  const { report, bookmarks, citations } = body;
  const areas = report.metersAndKeys.filter((area) => hasContent(area, report));
  if (areas.length + inTables.length === 0) return [];
  const parent = child(root, 'Sect');
  const bookmark = bookmarks.add('Meters & Keys');
  const [first] = areas;
  const keep =
    serviceTablesKeep(inTables) ||
    SUBHEADING_HEIGHT + (first ? opening(first, body, belowService(first)) : 0);
  return [
    heading({ bookmark, parent, keep }),
    ...serviceTables(inTables, parent, citations),
    ...areas.flatMap((area) => serviceArea(area, body, bookmark.id, parent)),
  ];
}

function serviceArea(area: ServiceSection, body: Body, parentId: string, root: StructureElement): Block[] {
  const parent = child(root, 'Sect');
  const bookmark = body.bookmarks.add(area.heading, parentId);
  const onCard = remarkOnCard(area);
  const remarks = onCard === undefined ? area.comments : [];
  const below = belowService(area);
  return [
    subheading({ bookmark, parent, keep: opening(area, body, below), ...countNote(area) }),
    ...observationTable(area.facts, parent, body.citations),
    ...(isMeter(area)
      ? meterPhotographs(area, { layout: body.report.layout, citations: body.citations, onCard }, parent)
      : filedPhotographs(area.photographs, body, parent, below)),
    ...(area.absent ? [paragraph(parent, ABSENCE_NOTE, NOTE, [0, 0, 0, 6])] : []),
    ...labelledValues(parent, area.keyDetails),
    ...comments(remarks, parent),
  ];
}

/** Returns the height of what stays with the last photographs of a service area. */
const belowService = (area: ServiceSection): number =>
  remarkKeep(remarkOnCard(area) === undefined ? area.comments : []);

function roomSection(room: RoomSection, body: Body, root: StructureElement): Block[] {
  const { report, bookmarks, citations } = body;
  const { defaultSentence } = report;
  const parent = child(root, 'Sect');
  const bookmark = bookmarks.add(room.heading);
  const below = remarkKeep(room.comments);
  const keep = opening(room, body, below) + sentenceHeight(report);
  return [
    heading({ bookmark, parent, keep, ...countNote(room) }),
    ...observationTable(room.facts, parent, citations),
    ...(defaultSentence === undefined ? [] : [paragraph(parent, defaultSentence, BODY, [0, 0, 0, 10])]),
    ...photographGrid(citations.under(room.photographs), parent, { below, layout: report.layout }),
    ...comments(room.comments, parent),
  ];
}

/** Prints one pooled heading, sub-headed by room, with all comments after the photographs; nothing without any. */
function externalSection(areas: ExternalAreas, body: Body, root: StructureElement): Block[] {
  const rooms = areas.rooms.filter((room) => hasContent(room));
  if (rooms.length + areas.comments.length === 0) return [];
  const parent = child(root, 'Sect');
  const bookmark = body.bookmarks.add('External Areas');
  const [first] = rooms;
  const belowRoom = (room: RoomSection) => (room === rooms.at(-1) ? remarkKeep(areas.comments) : 0);
  const keep =
    SUBHEADING_HEIGHT + (first ? opening(first, body, belowRoom(first)) : commentKeep(areas.comments[0]));
  return [
    heading({ bookmark, parent, keep }),
    ...rooms.flatMap((room) =>
      externalRoom(room, { pooled: bookmark, body, below: belowRoom(room) }, parent),
    ),
    ...comments(areas.comments, parent, bookmark),
  ];
}

function externalRoom(
  room: RoomSection,
  { pooled, body, below }: { pooled: Bookmark; body: Body; below: number },
  root: StructureElement,
): Block[] {
  const { report, bookmarks, citations } = body;
  const parent = child(root, 'Sect');
  const content = (): Block[] => [
    ...observationTable(room.facts, parent, citations),
    ...photographGrid(citations.under(room.photographs), parent, { below, layout: report.layout }),
  ];
  if (room.heading === pooled.title) return content();
  const bookmark = bookmarks.add(room.heading, pooled.id);
  const keep = opening(room, body, below);
  return [subheading({ bookmark, parent, keep, ...countNote(room) }), ...content()];
}

/** Prints the photographs of a service area, with the names of their own as sub-headings. */
function filedPhotographs(
  photographs: readonly ReportPhotograph[],
  { report: { layout }, citations }: Body,
  root: StructureElement,
  below: number,
): Block[] {
  const runs = runsOf(photographs);
  return runs.flatMap((run, place) => {
    const name = run[0]?.filedUnder;
    const shown = citations.under(run);
    const options = { layout, below: place === runs.length - 1 ? below : 0 };
    if (name === undefined) return photographGrid(shown, root, options);
    const parent = child(root, 'Sect');
    return [
      nameHeading(parent, name, firstRowHeight(shown, options)),
      ...photographGrid(shown, parent, options),
    ];
  });
}

/** Keeps the first lines of each remark on one page. */
function comments(remarks: readonly ReportRemark[], parent: StructureElement, section?: Bookmark): Block[] {
  return remarks.flatMap((remark) => {
    const [first, ...others] = remarkBlocks(remark, parent, section);
    return [{ ...first!, keep: commentKeep(remark) }, ...others];
  });
}

/** Returns the height of a remark's label with up to three lines under it, which a page never parts. */
const commentKeep = (remark?: ReportRemark): number => (remark?.filedUnder === undefined ? 63 : 76);

/** Returns the height of the first remark, of which some lines stay with what it follows. */
function remarkKeep([first]: readonly ReportRemark[]): number {
  if (!first) return 0;
  const lines = Math.min(MOST_REMARK_LINES, linesOf(first.text, REMARK_LETTERS));
  return 24 + lines * 15 + (first.filedUnder === undefined ? 0 : 16);
}

/** Returns true if an area has more than the tables at the head of Meters & Keys. */
const hasContent = (
  area: RoomSection & Partial<ServiceSection>,
  { defaultSentence }: Pick<InspectionReport, 'defaultSentence'> = {},
): boolean =>
  area.photographs.length + area.comments.length + (area.keyDetails?.length ?? 0) > 0 ||
  area.absent === true ||
  (defaultSentence !== undefined && area.service === undefined) ||
  area.facts.some(isObservation);

/** Returns the height of what stands right under the heading of an area; `below` is that of what stays with its last row. */
function opening(
  area: RoomSection & Partial<ServiceSection>,
  { report: { layout }, citations }: Body,
  below = 0,
): number {
  const { photographs, facts } = area;
  if (facts.some(isObservation)) return observationsKeep(facts);
  const [first, ...others] = runsOf(photographs);
  if (!first) return commentKeep(area.comments[0]);
  const options = { layout, below: others.length === 0 ? below : 0 };
  const row = isMeter(area) ? cardHeight(first[0]!) : firstRowHeight(citations.under(first), options);
  return row + (first[0]?.filedUnder === undefined ? 0 : NAME_HEIGHT);
}

/** Returns the height of the default sentence, which stands between a heading and the photographs. */
const sentenceHeight = ({ defaultSentence }: InspectionReport): number =>
  defaultSentence === undefined ? 0 : 10 + 15 * linesOf(defaultSentence, REMARK_LETTERS);

function countNote({ photographs: { length } }: RoomSection): { note?: string } {
  if (length === 0) return {};
  return { note: length === 1 ? '1 photograph' : `${length} photographs` };
}
