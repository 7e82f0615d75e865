import { ABSENCE_NOTE } from '../../../inspection/areas/skipped-areas.js';
import type { ReportRemark } from '../../../inspection/report/inspection-report.js';
import { labelledValues, linesOf } from '../cover-parts.js';
import { type Block, child, type StackBlock, type StructureElement } from '../definition.js';
import { HIGHEST_ROW, NOTE, SIDE_LABEL, SIDE_NOTE } from '../look.js';
import { type Bookmark, KEEP_TEXT, paragraph, remarkBlocks } from '../parts.js';
import { type AreaSide, type ComparedReport, counted, type Sides } from './comparison-report.js';

/** Height of the heads of both columns. */
export const SIDE_HEADS_HEIGHT = 36;

const DETAIL_LABEL_WIDTH = 84;
/** Letters on a line of a column, the height of a line, and that of a remark's label and distances. */
const [LETTERS, LINE_HEIGHT, AROUND] = [42, 15, 40];

/**
 * Heads each column with its report, the days of its inspection, and what that report has of the area. An area of one report
 * alone has one head over the whole page.
 */
export function sideHeads(
  { before, after }: Sides<AreaSide | null>,
  sides: Sides<ComparedReport>,
  parent: StructureElement,
): Block {
  if (before && after)
    return twoColumns([sideHead(before, sides.before, parent), sideHead(after, sides.after, parent)]);
  return before ? sideHead(before, sides.before, parent) : sideHead(after!, sides.after, parent);
}

function sideHead(side: AreaSide, { name, cover }: ComparedReport, root: StructureElement): StackBlock {
  const parent = child(root, 'Sect');
  const title = paragraph(parent, name.label, SIDE_LABEL, [0, 0, 0, 0], {
    ...(cover.inspected === undefined
      ? {}
      : { trail: { value: cover.inspected, style: SIDE_NOTE, width: 150 } }),
  });
  const count = counted(side.photographs.length, side.comments.length);
  const words = side.photographs.length > 0 ? count : ['No photographs', count].filter(Boolean).join(', ');
  return {
    stack: [
      title,
      side.absent
        ? paragraph(parent, ABSENCE_NOTE, NOTE, [0, 0, 0, 6])
        : paragraph(parent, words, SIDE_NOTE, [0, 0, 0, 6]),
    ],
  };
}

/** Prints who has the keys, if either report says so. */
export function sideDetails({ before, after }: Sides<AreaSide | null>, root: StructureElement): Block[] {
  const details = [before?.keyDetails ?? [], after?.keyDetails ?? []];
  if (details.every((side) => side.length === 0)) return [];
  const columns = details.map((side): StackBlock => {
    const parent = child(root, 'Sect');
    return { stack: labelledValues(parent, side, DETAIL_LABEL_WIDTH) };
  });
  return [twoColumns(columns)];
}

/** Estimates the points that must follow a heading above these details; 0 if there are none. */
export const sideDetailsKeep = ({ before, after }: Sides<AreaSide | null>): number =>
  Math.max(...[before, after].map((side) => (side?.keyDetails ?? []).reduce(detailHeight, 0)));

const detailHeight = (sum: number, { value }: AreaSide['keyDetails'][number]): number =>
  sum + 5 + LINE_HEIGHT * linesOf(value, LETTERS / 2);

/** Prints the remarks of each report in its column, side by side in their order. */
export function sideRemarks(
  { before, after }: Sides<readonly ReportRemark[]>,
  root: StructureElement,
  section?: Bookmark,
): Block[] {
  if (before.length + after.length === 0) return [];
  const [left, right] = [child(root, 'Sect'), child(root, 'Sect')];
  return Array.from({ length: Math.max(before.length, after.length) }, (_, row) => {
    const pair = [before[row], after[row]];
    return twoColumns([remark(pair[0], left, section), remark(pair[1], right, section)]);
  });
}

/** Estimates the points that must follow a heading above the remarks of both reports: those of the first in each column. */
export function sideRemarksKeep({ before, after }: Sides<readonly ReportRemark[]>): number {
  const height = ({ text }: ReportRemark) => AROUND + LINE_HEIGHT * linesOf(text, LETTERS);
  const row = Math.max(KEEP_TEXT, ...[...before.slice(0, 1), ...after.slice(0, 1)].map(height));
  // A higher row breaks over pages.
  return row > HIGHEST_ROW ? AROUND + KEEP_TEXT : row;
}

const remark = (
  one: ReportRemark | undefined,
  parent: StructureElement,
  section: Bookmark | undefined,
): StackBlock => ({ stack: one === undefined ? [] : remarkBlocks(one, parent, section) });

const twoColumns = (columns: readonly Block[]): Block => ({
  table: { headerRows: 0, widths: ['*', '*'], body: [columns] },
  layout: 'sides',
});
