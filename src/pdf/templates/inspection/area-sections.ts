import type {
  ExternalAreas,
  InspectionReport,
  ReportFact,
  ReportPhotograph,
  ReportRemark,
  RoomSection,
  ServiceSection,
} from '../../../inspection/report/inspection-report.js';
import { ABSENCE_NOTE } from '../../../inspection/report/skipped-areas.js';
import { labelledValues } from '../cover-parts.js';
import { type Block, child, type StructureElement } from '../definition.js';
import { NOTE } from '../look.js';
import {
  type Bookmark,
  type Bookmarks,
  heading,
  KEEP_TEXT,
  NAME_HEIGHT,
  nameHeading,
  paragraph,
  subheading,
  SUBHEADING_HEIGHT,
  remarkBlocks,
} from '../parts.js';
import { firstRowHeight, type GridColumns, photographGrid } from '../photograph-grid.js';
import { observationTable, serviceTables } from './fact-tables.js';

/** Height of a table's head and first row. */
const TABLE_KEEP = 2 * KEEP_TEXT;

/** Builds the body of the report: Meters & Keys, the rooms, External Areas. */
export function areaSections(
  report: InspectionReport,
  bookmarks: Bookmarks,
  root: StructureElement,
): Block[] {
  const { externalAreas } = report;
  return [
    ...metersAndKeysSection(report, bookmarks, root),
    ...report.rooms.filter(hasContent).flatMap((room) => roomSection(room, bookmarks, root)),
    ...(externalAreas ? externalSection(externalAreas, bookmarks, root) : []),
  ];
}

/** Prints readings, keys and alarms first, then each area that has more than these. */
function metersAndKeysSection(
  { metersAndKeys, serviceFacts }: InspectionReport,
  bookmarks: Bookmarks,
  root: StructureElement,
): Block[] {
  const areas = metersAndKeys.filter(hasContent);
  if (areas.length + serviceFacts.length === 0) return [];
  const parent = child(root, 'Sect');
  const bookmark = bookmarks.add('Meters & Keys');
  const [first] = areas;
  const tables = serviceTables(serviceFacts, parent);
  const keep =
    tables.length > 0 ? TABLE_KEEP : SUBHEADING_HEIGHT + (first ? opening(first, columnsOf(first)) : 0);
  return [
    heading({ bookmark, parent, keep }),
    ...tables,
    ...areas.flatMap((area) => serviceArea(area, bookmarks, bookmark.id, parent)),
  ];
}

/** Prints meters one a row, so that they can be read. */
const columnsOf = ({ service }: Partial<ServiceSection>): GridColumns =>
  service?.endsWith('-meter') ? 1 : 2;

function serviceArea(
  area: ServiceSection,
  bookmarks: Bookmarks,
  parentId: string,
  root: StructureElement,
): Block[] {
  const parent = child(root, 'Sect');
  const columns = columnsOf(area);
  const bookmark = bookmarks.add(area.heading, parentId);
  return [
    subheading({ bookmark, parent, keep: opening(area, columns), ...countNote(area) }),
    ...observationTable(area.facts, parent),
    ...filedPhotographs(area.photographs, columns, parent),
    ...(area.absent ? [paragraph(parent, ABSENCE_NOTE, NOTE, [0, 0, 0, 6])] : []),
    ...labelledValues(parent, area.keyDetails),
    ...comments(area.comments, parent),
  ];
}

function roomSection(room: RoomSection, bookmarks: Bookmarks, root: StructureElement): Block[] {
  const parent = child(root, 'Sect');
  const columns = columnsOf(room);
  const bookmark = bookmarks.add(room.heading);
  return [
    heading({ bookmark, parent, keep: opening(room, columns), ...countNote(room) }),
    ...observationTable(room.facts, parent),
    ...photographGrid(room.photographs, columns, parent, room.comments.length > 0 ? KEEP_TEXT : 0),
    ...comments(room.comments, parent),
  ];
}

/** Prints one pooled heading, sub-headed by room, with all comments after the photographs. */
function externalSection(areas: ExternalAreas, bookmarks: Bookmarks, root: StructureElement): Block[] {
  const parent = child(root, 'Sect');
  const bookmark = bookmarks.add('External Areas');
  const rooms = areas.rooms.filter((room) => room.heading === bookmark.title || hasContent(room));
  const [first] = rooms;
  const keep = SUBHEADING_HEIGHT + (first ? opening(first, columnsOf(first)) : KEEP_TEXT);
  return [
    heading({ bookmark, parent, keep }),
    ...rooms.flatMap((room) => externalRoom(room, { pooled: bookmark, bookmarks }, parent)),
    ...comments(areas.comments, parent, bookmark),
  ];
}

function externalRoom(
  room: RoomSection,
  { pooled, bookmarks }: { pooled: Bookmark; bookmarks: Bookmarks },
  root: StructureElement,
): Block[] {
  const parent = child(root, 'Sect');
  const columns = columnsOf(room);
  const content = (): Block[] => [
    ...observationTable(room.facts, parent),
    ...photographGrid(room.photographs, columns, parent),
  ];
  if (room.heading === pooled.title) return content();
  const bookmark = bookmarks.add(room.heading, pooled.id);
  return [subheading({ bookmark, parent, keep: opening(room, columns), ...countNote(room) }), ...content()];
}

/** Prints the photographs of a service area, with the names of their own as sub-headings. */
function filedPhotographs(
  photographs: readonly ReportPhotograph[],
  columns: GridColumns,
  root: StructureElement,
): Block[] {
  return runsOf(photographs).flatMap((run) => {
    const name = run[0]?.filedUnder;
    if (name === undefined) return photographGrid(run, columns, root);
    const parent = child(root, 'Sect');
    return [nameHeading(parent, name, firstRowHeight(run, columns)), ...photographGrid(run, columns, parent)];
  });
}

/** Groups consecutive photographs of one name. */
function runsOf(photographs: readonly ReportPhotograph[]): ReportPhotograph[][] {
  const runs: ReportPhotograph[][] = [];
  for (const photograph of photographs) {
    const run = runs.at(-1);
    if (run?.[0]?.filedUnder === photograph.filedUnder && run) run.push(photograph);
    else runs.push([photograph]);
  }
  return runs;
}

/** Keeps the first lines of each remark on one page. */
function comments(remarks: readonly ReportRemark[], parent: StructureElement, section?: Bookmark): Block[] {
  return remarks.flatMap((remark) => {
    const [first, ...others] = remarkBlocks(remark, parent, section);
    return [{ ...first!, keep: KEEP_TEXT + 13 * (others.length - 1) }, ...others];
  });
}

/** Returns true if an area has more than the tables at the head of Meters & Keys. */
const hasContent = (area: RoomSection & Partial<ServiceSection>): boolean =>
  area.photographs.length + area.comments.length + (area.keyDetails?.length ?? 0) > 0 ||
  area.absent === true ||
  area.facts.some(isObservation);

const isObservation = ({ kind }: ReportFact): boolean => kind === 'observation';

function opening({ photographs, facts }: RoomSection, columns: GridColumns): number {
  if (facts.some(isObservation)) return TABLE_KEEP;
  const [first] = runsOf(photographs);
  if (!first) return KEEP_TEXT;
  return firstRowHeight(first, columns) + (first[0]?.filedUnder === undefined ? 0 : NAME_HEIGHT);
}

function countNote({ photographs: { length } }: RoomSection): { note?: string } {
  if (length === 0) return {};
  return { note: length === 1 ? '1 photograph' : `${length} photographs` };
}
