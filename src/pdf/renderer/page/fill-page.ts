import type { CoverPart } from '../../templates/definition.js';
import { PAGE } from '../../templates/look.js';
import type { LaidOutPage } from '../file/pdfmake-parts.js';
import type { PlacedLine } from './placed-line.js';

/** The most points by which the distance between two rows of photographs, and above a section, grows. */
const MOST_BETWEEN_ROWS = 20;
const MOST_ABOVE_SECTION = 34;
const MOST_ABOVE_SUBSECTION = 16;
/** Distance from the text of a section's heading up to its rule. */
const RULE_ABOVE_HEADING = 11;

type Item = Record<string, unknown> & { y?: number; y1?: number; y2?: number };
type Frame = Item & {
  y: number;
  h: number;
  photograph: { frameHeight: number; readonly stretch?: number };
};

/** A move of everything below `at` by `by` points. */
interface Shift {
  readonly at: number;
  readonly by: number;
}

/**
 * Fills the space at the foot of a page, which was laid out with the smallest frames: the photographs grow, as far as each
 * row may; then, unless the page is the last, the distances above rows and sections grow.
 */
export function fillPage(page: LaidOutPage, isLast: boolean): void {
  const left = footOf(page);
  if (left <= 0.5) return;
  const rows = rowsOf(page);
  const growth = shared(
    left,
    rows.map(([frame]) => frame!.photograph.stretch ?? 0),
  );
  // Words beside a frame stay where they are.
  const shifts = rows.map(([frame], row): Shift => ({ at: frame!.y + frame!.h - 0.5, by: growth[row]! }));
  const rest = left - growth.reduce((sum, by) => sum + by, 0);
  const gaps = isLast ? [] : gapsOf(page, rows);
  const wider = shared(
    rest,
    gaps.map(({ by }) => by),
  );
  shifts.push(...gaps.map(({ at }, gap): Shift => ({ at, by: wider[gap]! })));
  moveDown(page, shifts);
  rows.forEach((row, index) => {
    for (const frame of row) {
      frame.h += growth[index]!;
      frame.photograph.frameHeight += growth[index]!;
    }
  });
}

/** Returns the points between the last item on a page and the lower margin. */
export function footOf({ items, pageSize }: LaidOutPage): number {
  const bottom = pageSize.height - PAGE.bottom;
  return bottom - items.reduce<number>((lowest, { item }) => Math.max(lowest, endOf(item)), PAGE.top);
}

/** Returns the lower end of an item. */
export function endOf(item: Item): number {
  const placed = item.placed as PlacedLine | undefined;
  if (placed) return item.y! + placed.size * placed.set.style.lineHeight;
  const height = (item.h ?? item._height ?? 0) as number;
  return (item.y ?? item.y2 ?? 0) + height;
}

/** Shares an amount in proportion to the most that each may take. */
function shared(amount: number, most: readonly number[]): number[] {
  const all = most.reduce((sum, one) => sum + one, 0);
  const part = all === 0 ? 0 : Math.min(1, amount / all);
  return most.map((one) => one * part);
}

/** Returns the frames of a page, row by row. */
function rowsOf({ items }: LaidOutPage): Frame[][] {
  const rows = new Map<number, Frame[]>();
  for (const { item } of items) {
    if (!('photograph' in item)) continue;
    const frame = item as Frame;
    const row = rows.get(frame.y);
    if (row) row.push(frame);
    else rows.set(frame.y, [frame]);
  }
  return [...rows.values()];
}

/** Returns the gaps that may grow, and by how much: between two rows, and above a section that begins within the page. */
function gapsOf({ items }: LaidOutPage, rows: readonly Frame[][]): Shift[] {
  const between = rows.slice(1).map(([frame]): Shift => ({ at: frame!.y - 1, by: MOST_BETWEEN_ROWS }));
  const above = items.flatMap(({ item }): Shift[] => {
    const placed = item.placed as PlacedLine | undefined;
    if (!placed?.first || placed.node?.outline !== true) return [];
    const isWithin = placed.node.outlineParentId !== undefined;
    const at = (item.y as number) - (isWithin ? 1 : RULE_ABOVE_HEADING);
    if (at <= PAGE.top + 1) return [];
    return [{ at, by: isWithin ? MOST_ABOVE_SUBSECTION : MOST_ABOVE_SECTION }];
  });
  return [...between.filter(({ at }) => followsRow(at, rows)), ...above];
}

/** Returns true if a row of photographs is directly above a place. */
const followsRow = (at: number, rows: readonly Frame[][]): boolean =>
  rows.some(([frame]) => at - (frame!.y + frame!.h) >= -1 && at - (frame!.y + frame!.h) < 20);

export function moveDown({ items }: LaidOutPage, shifts: readonly Shift[]): void {
  for (const { item } of items as readonly { item: Item }[]) {
    const top = item.y ?? item.y1 ?? 0;
    const by = shifts.reduce((sum, shift) => (shift.at <= top ? sum + shift.by : sum), 0);
    if (by === 0) continue;
    for (const side of ['y', 'y1', 'y2'] as const) if (item[side] !== undefined) item[side] += by;
  }
}

/** The most points by which the parts of a cover move down, if the cover is alone on its page or above sections. */
const MOST = {
  alone: { title: 150, facts: Infinity },
  aboveSections: { title: 90, facts: 20 },
} as const;
/** The share of the remaining space that goes above the title. */
const TITLE_SHARE = 0.45;

/**
 * Spreads a cover over its page: the title moves down from the logo, and the facts move down from the title, to the foot of
 * the page if no section follows there.
 */
export function spreadCover(page: LaidOutPage): void {
  const most = page.items.some(({ item }) => isHeading(item)) ? MOST.aboveSections : MOST.alone;
  const left = footOf(page);
  if (left <= 0.5) return;
  const title = placeOf(page, 'title') === undefined ? 0 : Math.min(left * TITLE_SHARE, most.title);
  const moves = { title, facts: Math.min(left - title, most.facts) };
  const shifts = (['title', 'facts'] as const).flatMap((part) => {
    const at = placeOf(page, part);
    return at === undefined ? [] : [{ at, by: moves[part] }];
  });
  moveDown(page, shifts);
}

function placeOf({ items }: LaidOutPage, part: CoverPart): number | undefined {
  const found = items.find(({ item }) => item.spreads === part);
  return found?.item.y as number | undefined;
}

const isHeading = (item: Record<string, unknown>): boolean =>
  (item.placed as PlacedLine | undefined)?.node?.outline === true;
