import type { ReportRemark } from '../../../inspection/report/inspection-report.js';
import { type Block, child, type StructureElement } from '../definition.js';
import { type Bookmark, type Bookmarks, heading, subheading, SUBHEADING_HEIGHT } from '../parts.js';
import { areaFacts, factsKeep } from './area-facts.js';
import type { AreaPlaces } from './area-links.js';
import { areaPhotographs } from './area-photographs.js';
import {
  type AreaSide,
  type ComparedArea,
  type ComparedReport,
  type ComparisonReport,
  onlySide,
  type Sides,
} from './comparison-report.js';
import {
  SIDE_HEADS_HEIGHT,
  sideDetails,
  sideDetailsKeep,
  sideHeads,
  sideRemarks,
  sideRemarksKeep,
} from './side-columns.js';

/**
 * Builds Meters & Keys, the rooms and External Areas: in each area the earlier report on the left, the later on the right.
 * `places` are the headings of the areas.
 */
export function comparedSections(
  { sides, metersAndKeys, rooms, externalAreas }: ComparisonReport,
  bookmarks: Bookmarks,
  root: StructureElement,
): { blocks: Block[]; places: AreaPlaces } {
  const sections = new ComparedSections(sides, bookmarks);
  const blocks = [
    ...sections.pooled('Meters & Keys', metersAndKeys, root),
    ...rooms.flatMap((room) => sections.room(room, root)),
    ...(externalAreas
      ? sections.pooled('External Areas', externalAreas.rooms, root, externalAreas.comments)
      : []),
  ];
  return { blocks, places: sections.places };
}

class ComparedSections {
  readonly places = new Map<ComparedArea, Bookmark>();

  constructor(
    private readonly sides: Sides<ComparedReport>,
    private readonly bookmarks: Bookmarks,
  ) {}

  room(area: ComparedArea, root: StructureElement): Block[] {
    const parent = child(root, 'Sect');
    const bookmark = this.bookmarks.add(area.heading);
    this.places.set(area, bookmark);
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
    const keep = first ? this.area(first, parent).keep + SUBHEADING_HEIGHT : sideRemarksKeep(comments);
    return [
      heading({ bookmark, parent, keep }),
      ...areas.flatMap((area) => this.inside(area, bookmark, parent)),
      ...sideRemarks(comments, parent, bookmark),
    ];
  }

  private inside(area: ComparedArea, pooled: Bookmark, root: StructureElement): Block[] {
    const parent = child(root, 'Sect');
    const { keep, content } = this.area(area, parent);
    const isPooled = area.heading === pooled.title;
    const bookmark = isPooled ? pooled : this.bookmarks.add(area.heading, pooled.id);
    this.places.set(area, bookmark);
    if (isPooled) return content();
    return [subheading({ bookmark, parent, keep, ...this.note(area) }), ...content()];
  }

  private area(area: ComparedArea, parent: StructureElement): { keep: number; content: () => Block[] } {
    const photographs = areaPhotographs(area, this.sides);
    const remarks = { before: remarksOf(area.before), after: remarksOf(area.after) };
    const opening =
      factsKeep(area) || photographs.firstRow || sideDetailsKeep(area) || sideRemarksKeep(remarks);
    const keep = SIDE_HEADS_HEIGHT + opening;
    const content = (): Block[] => [
      sideHeads(area, this.sides, parent),
      ...areaFacts(area, this.sides, parent),
      ...photographs.blocks(parent),
      ...sideDetails(area, parent),
      ...sideRemarks(remarks, parent),
    ];
    return { keep, content };
  }

  private note(area: ComparedArea): { note?: string } {
    const note = onlySide(area, this.sides);
    return note === undefined ? {} : { note };
  }
}

const remarksOf = (side: AreaSide | null): readonly ReportRemark[] => side?.comments ?? [];
