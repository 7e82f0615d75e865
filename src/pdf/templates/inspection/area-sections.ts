import type {
  ExternalAreas,
  InspectionReport,
  RoomSection,
  ServiceSection,
} from '../../../inspection/report/inspection-report.js';
import { ABSENCE_NOTE } from '../../../inspection/report/skipped-areas.js';
import { labelled } from '../cover-parts.js';
import { type Block, child, type StructureElement } from '../definition.js';
import { BODY, NOTE, REMARK_LABEL } from '../look.js';
import { type Bookmarks, heading, KEEP_TEXT, paragraph, subheading, SUBHEADING_HEIGHT } from '../parts.js';
import { firstRowHeight, photographGrid } from '../photograph-grid.js';

/** Meters & Keys, the rooms, External Areas: the body of the report. */
export function areaSections(
  report: InspectionReport,
  bookmarks: Bookmarks,
  root: StructureElement,
): Block[] {
  const { metersAndKeys, rooms, externalAreas } = report;
  return [
    ...(metersAndKeys.length > 0 ? metersAndKeysSection(metersAndKeys, bookmarks, root) : []),
    ...rooms.flatMap((room) => roomSection(room, bookmarks, root)),
    ...(externalAreas ? externalSection(externalAreas, bookmarks, root) : []),
  ];
}

function metersAndKeysSection(
  areas: readonly ServiceSection[],
  bookmarks: Bookmarks,
  root: StructureElement,
): Block[] {
  const parent = child(root, 'Sect');
  const bookmark = bookmarks.add('Meters & Keys');
  const [first] = areas;
  const keep = SUBHEADING_HEIGHT + (first ? opening(first, columnsOf(first)) : 0);
  return [
    heading({ bookmark, parent, keep }),
    ...areas.flatMap((area) => serviceArea(area, bookmarks, bookmark.id, parent)),
  ];
}

/** Meters are read off their photographs: one a row. */
const columnsOf = ({ service }: ServiceSection): 1 | 2 => (service?.endsWith('-meter') ? 1 : 2);

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
    ...photographGrid(area.photographs, columns, parent),
    ...(area.absent ? [paragraph(parent, ABSENCE_NOTE, NOTE, [0, 0, 0, 6])] : []),
    ...area.keyDetails.map(({ label, value }) => labelled(parent, label, value)),
    ...comments(area.comments, parent),
  ];
}

function roomSection(room: RoomSection, bookmarks: Bookmarks, root: StructureElement): Block[] {
  const parent = child(root, 'Sect');
  const bookmark = bookmarks.add(room.heading);
  return [
    heading({ bookmark, parent, keep: opening(room, 2), ...countNote(room) }),
    ...photographGrid(room.photographs, 2, parent),
    ...comments(room.comments, parent),
  ];
}

/** One pooled heading, sub-headed by room; all comments are merged after the photographs. */
function externalSection(areas: ExternalAreas, bookmarks: Bookmarks, root: StructureElement): Block[] {
  const parent = child(root, 'Sect');
  const bookmark = bookmarks.add('External Areas');
  const [first] = areas.rooms;
  const keep = SUBHEADING_HEIGHT + (first ? opening(first, 2) : KEEP_TEXT);
  return [
    heading({ bookmark, parent, keep }),
    ...areas.rooms.flatMap((room) => externalRoom(room, bookmark.title, bookmarks, bookmark.id, parent)),
    ...comments(areas.comments, parent),
  ];
}

function externalRoom(
  room: RoomSection,
  pooled: string,
  bookmarks: Bookmarks,
  parentId: string,
  root: StructureElement,
): Block[] {
  const parent = child(root, 'Sect');
  const grid = photographGrid(room.photographs, 2, parent);
  if (room.heading === pooled) return grid;
  const bookmark = bookmarks.add(room.heading, parentId);
  return [subheading({ bookmark, parent, keep: opening(room, 2), ...countNote(room) }), ...grid];
}

/** Each remark under its own `Additional Comment`, whole, however long. */
function comments(remarks: readonly string[], parent: StructureElement): Block[] {
  return remarks.flatMap((remark) => [
    { ...paragraph(parent, 'Additional Comment', REMARK_LABEL, [0, 3, 0, 0]), keep: KEEP_TEXT },
    paragraph(parent, remark, BODY, [0, 0, 0, 7]),
  ]);
}

const opening = ({ photographs }: RoomSection, columns: 1 | 2): number =>
  photographs.length > 0 ? firstRowHeight(photographs, columns) : KEEP_TEXT;

function countNote({ photographs: { length } }: RoomSection): { note?: string } {
  if (length === 0) return {};
  return { note: length === 1 ? '1 photograph' : `${length} photographs` };
}
