import type { CoverPart } from '../../templates/definition.js';
import type { LaidOutPage } from '../pdfmake-parts.js';
import { footOf, moveDown } from './fill-page.js';
import type { PlacedLine } from './placed-line.js';

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
