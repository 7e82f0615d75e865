import type { CoverPart, SetText } from '../../templates/definition.js';
import { PAGE } from '../../templates/look.js';
import type { LaidOutPage, LayoutNode } from '../file/pdfmake-parts.js';
import type { SetLine } from '../text/wrap-text.js';

/** A line of a `SetText` on its page; `first` says that the lead and trail stand on it. */
export interface PlacedLine {
  readonly set: SetText;
  readonly line: SetLine;
  readonly size: number;
  readonly first: boolean;
  readonly width: number;
  readonly node: LayoutNode;
}

/** More than the distance between two rows of photographs, and above a section, grows to. */
const MOST_BETWEEN_ROWS = 14;
const MOST_ABOVE_SECTION = 26;
/** From the text of a section's heading up to the rule over it. */
const RULE_ABOVE_HEADING = 11;

type Item = Record<string, unknown> & { y?: number; y1?: number; y2?: number };
type Frame = Item & {
  y: number;
  h: number;
  photograph: { frameHeight: number; readonly stretch?: number };
};

/** Everything from `at` on downwards moves by `by` points. */
export interface Shift {
  readonly at: number;
  readonly by: number;
}

/**
 * Pages are broken with every photograph in the least frame it may have. What is left at the foot of a page goes to its
 * photographs, as far as each row may grow; then, where the document goes on, to the distances above its rows and sections.
 */
export function fillPage(page: LaidOutPage, goesOn: boolean): void {
  const left = footOf(page);
  if (left <= 0.5) return;
  const rows = rowsOf(page);
  const growth = shared(
    left,
    rows.map(([frame]) => frame!.photograph.stretch ?? 0),
  );
  const shifts = rows.map(([frame], row): Shift => ({ at: frame!.y + 1, by: growth[row]! }));
  const rest = left - growth.reduce((sum, by) => sum + by, 0);
  const gaps = goesOn ? gapsOf(page, rows) : [];
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

/** Points between the last thing on a page and its lower margin. */
export function footOf({ items, pageSize }: LaidOutPage): number {
  const bottom = pageSize.height - PAGE.bottom;
  return bottom - items.reduce<number>((lowest, { item }) => Math.max(lowest, endOf(item)), PAGE.top);
}

function endOf(item: Item): number {
  const placed = item.placed as PlacedLine | undefined;
  if (placed) return item.y! + placed.size * placed.set.style.lineHeight;
  const height = (item.h ?? item._height ?? 0) as number;
  return (item.y ?? item.y2 ?? 0) + height;
}

/** Each gets of an amount in proportion to what it may take at most. */
function shared(amount: number, most: readonly number[]): number[] {
  const all = most.reduce((sum, one) => sum + one, 0);
  const part = all === 0 ? 0 : Math.min(1, amount / all);
  return most.map((one) => one * part);
}

/** The frames of a page, row by row. */
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

/** The places that may become wider, and by how much: between two rows, and above a section that begins in the page. */
function gapsOf({ items }: LaidOutPage, rows: readonly Frame[][]): Shift[] {
  const between = rows.slice(1).map(([frame]): Shift => ({ at: frame!.y - 1, by: MOST_BETWEEN_ROWS }));
  const above = items.flatMap(({ item }): Shift[] => {
    const placed = item.placed as PlacedLine | undefined;
    if (!placed?.first || placed.node.outline !== true || placed.node.outlineParentId !== undefined)
      return [];
    const at = (item.y as number) - RULE_ABOVE_HEADING;
    return at <= PAGE.top + 1 ? [] : [{ at, by: MOST_ABOVE_SECTION }];
  });
  return [...between.filter(({ at }) => followsRow(at, rows)), ...above];
}

/** Whether a row of photographs stands right above a place. */
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

/** Points by which each part of a cover moves away from what is above it, at most: alone on its page, or above sections. */
const MOST = {
  alone: { title: 150, facts: Infinity },
  aboveSections: { title: 90, facts: 20 },
} as const;
/** Of what is left on the page, so much stands above the title. */
const TITLE_SHARE = 0.45;

/**
 * Spreads a cover over its page: the title moves down from the logo; beneath it what is said of the inspection, to the foot
 * of the page where no section follows on it.
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
  (item.placed as PlacedLine | undefined)?.node.outline === true;
