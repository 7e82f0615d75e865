import type { ReportLayout } from '../../../api/report-terms.js';
import type {
  ReportPhotograph,
  ReportRemark,
  ServiceSection,
} from '../../../inspection/report/inspection-report.js';
import { type Block, child, type StructureElement } from '../definition.js';
import { nameHeading, remarkBlocks } from '../parts.js';
import { photographGrid } from '../photograph-grid.js';
import type { Citations } from './citations.js';
import {
  cardHeight,
  fitsBeside,
  linesBeside,
  meterCard,
  type ReadingsBeside,
  readingsBeside,
  runsBy,
  runsOf,
} from './meter-cards.js';

interface MeterOptions {
  readonly layout: ReportLayout;
  readonly citations: Citations;
  /** The remark that stands on the last card (`remarkOnCard`). */
  readonly onCard: ReportRemark | undefined;
}

export const isMeter = ({ service }: Partial<ServiceSection>): boolean =>
  service?.endsWith('-meter') === true;

/**
 * Prints the photographs of a meter as cards (contract section 6, rule 10); those without readings as a grid, but for a single
 * one with a remark.
 */
export function meterPhotographs(
  area: ServiceSection,
  { layout, citations, onCard }: MeterOptions,
  root: StructureElement,
): Block[] {
  const beside = readingsBeside(area);
  const last = area.photographs.at(-1);
  const runs = runsOf(area.photographs);
  return runs.flatMap((run) => {
    const name = run[0]?.filedUnder;
    const parent = name === undefined ? root : child(root, 'Sect');
    const heads = name === undefined ? [] : [nameHeading(parent, name, cardHeight(run[0]!))];
    const blocks = runsBy(run, ({ number }) => beside.has(number)).flatMap((group) => {
      const shown = citations.under(group);
      const isCard =
        beside.has(group[0]!.number) ||
        (onCard !== undefined && isOnCards(group, beside) && group[0] === last);
      if (!isCard) return photographGrid(shown, parent, { layout });
      return shown.flatMap((photograph) => {
        const remark = onCard && photograph.number === last?.number ? onCard : undefined;
        const below = (element: StructureElement) => (remark ? remarkBlocks(remark, element) : []);
        const belowLines = remark ? linesBeside(remark.text) : 0;
        const readings = beside.get(photograph.number) ?? [];
        return meterCard({ photograph, readings, below, belowLines }, parent);
      });
    });
    return [...heads, ...blocks];
  });
}

const isOnCards = (group: readonly ReportPhotograph[], beside: ReadingsBeside): boolean =>
  group.length === 1 || beside.has(group[0]!.number);

/** Returns the remark of a meter that stands on the card of its last photograph: a short one of that name, its only one. */
export function remarkOnCard(area: ServiceSection): ReportRemark | undefined {
  const [remark, ...others] = area.comments;
  const last = area.photographs.at(-1);
  if (!isMeter(area) || !remark || others.length > 0) return undefined;
  if (!last || last.filedUnder !== remark.filedUnder) return undefined;
  const beside = readingsBeside(area);
  const group = runsBy(runsOf(area.photographs).at(-1)!, ({ number }) => beside.has(number)).at(-1)!;
  return isOnCards(group, beside) && fitsBeside(remark.text, beside.get(last.number) ?? [])
    ? remark
    : undefined;
}
