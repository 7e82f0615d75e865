import type { ReportPhotograph, ReportRemark } from '../../../inspection/report/inspection-report.js';
import { type Block, child, type StructureElement } from '../definition.js';
import {
  type Bookmark,
  type Bookmarks,
  heading,
  KEEP_TEXT,
  subheading,
  SUBHEADING_HEIGHT,
} from '../parts.js';
import { photographRow, type GridRow, rowHeight } from '../photograph-grid.js';
import {
  type AreaSide,
  type ComparedArea,
  type ComparedReport,
  type ComparisonReport,
  type Sides,
} from './comparison-report.js';
import { onlySide } from './comparison-report.js';
import { SIDE_HEADS_HEIGHT, sideDetails, sideFacts, sideHeads, sideRemarks } from './side-columns.js';

/** Builds Meters & Keys, the rooms and External Areas: in each area the earlier report on the left, the later on the right. */
export function comparedSections(
  { sides, metersAndKeys, rooms, externalAreas }: ComparisonReport,
  bookmarks: Bookmarks,
  root: StructureElement,
): Block[] {
  const sections = new ComparedSections(sides, bookmarks);
  return [
    ...sections.pooled('Meters & Keys', metersAndKeys, root),
    ...rooms.flatMap((room) => sections.room(room, root)),
    ...(externalAreas
      ? sections.pooled('External Areas', externalAreas.rooms, root, externalAreas.comments)
      : []),
  ];
}

class ComparedSections {
  constructor(
    private readonly sides: Sides<ComparedReport>,
    private readonly bookmarks: Bookmarks,
  ) {}

  room(area: ComparedArea, root: StructureElement): Block[] {
    const parent = child(root, 'Sect');
    const bookmark = this.bookmarks.add(area.heading);
    const { keep, content } = this.area(area, parent);
    return [heading({ bookmark, parent, keep, ...this.note(area) }), ...content()];
  }

  /** Puts one heading over several areas; none if they are empty. */
  pooled(
    title: string,
    areas: readonly ComparedArea[],
    root: StructureElement,
    comments: Sides<readonly ReportRemark[]> = { before: [], after: [] },
  ): Block[] {
    if (areas.length + comments.before.length + comments.after.length === 0) return [];
    const parent = child(root, 'Sect');
    const bookmark = this.bookmarks.add(title);
    const [first] = areas;
    const keep = first ? this.area(first, parent).keep + SUBHEADING_HEIGHT : KEEP_TEXT;
    return [
      heading({ bookmark, parent, keep }),
      ...areas.flatMap((area) => this.inside(area, bookmark, parent)),
      ...sideRemarks(comments, parent, bookmark),
    ];
  }

  private inside(area: ComparedArea, pooled: Bookmark, root: StructureElement): Block[] {
    const parent = child(root, 'Sect');
    const { keep, content } = this.area(area, parent);
    if (area.heading === pooled.title) return content();
    const bookmark = this.bookmarks.add(area.heading, pooled.id);
    return [subheading({ bookmark, parent, keep, ...this.note(area) }), ...content()];
  }

  private area(area: ComparedArea, parent: StructureElement): { keep: number; content: () => Block[] } {
    const rows = area.pairs.map((pair): GridRow => [
      inGrid(pair.before, this.sides.before),
      inGrid(pair.after, this.sides.after),
    ]);
    const keep = SIDE_HEADS_HEIGHT + (rows[0] ? rowHeight(rows[0], 2) : KEEP_TEXT);
    const content = (): Block[] => [
      sideHeads(area, this.sides, parent),
      ...rows.flatMap((row) => photographRow(row, 2, parent)),
      ...sideFacts(area, parent),
      ...sideDetails(area, parent),
      ...sideRemarks({ before: remarksOf(area.before), after: remarksOf(area.after) }, parent),
    ];
    return { keep, content };
  }

  private note(area: ComparedArea): { note?: string } {
    const note = onlySide(area, this.sides);
    return note === undefined ? {} : { note };
  }
}

const remarksOf = (side: AreaSide | null): readonly ReportRemark[] => side?.comments ?? [];

/** Labels a photograph with its number and its report, or says that the report has no counterpart. */
function inGrid(photograph: ReportPhotograph | null, { name }: ComparedReport): GridRow[number] {
  if (photograph === null) return { words: `No counterpart ${name.where}` };
  const label = `Photograph ${photograph.number}, ${name.label.toLowerCase()}`;
  return { ...photograph, label, alternative: `${name.label}: ${photograph.alternative}` };
}
