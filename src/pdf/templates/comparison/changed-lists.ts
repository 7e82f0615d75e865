import { ABSENCE_NOTE } from '../../../inspection/areas/skipped-areas.js';
import {
  type AreaSide,
  comparedAreas,
  type ComparedArea,
  type ComparedReport,
  type ComparisonReport,
  counted,
  type Sides,
} from './comparison-report.js';
import { gradesInWords, outcomeLines, sentences, statementOf, thingOf } from './fact-statement.js';
import { numberedPhotographs } from './photograph-links.js';

type Side = keyof Sides<unknown>;

/** A list with a line for each area. */
export interface AreaList {
  readonly title: string;
  readonly columns: readonly ListColumn[];
  readonly lines: readonly (readonly [area: ComparedArea, ...texts: string[]])[];
}

export interface ListColumn {
  readonly title: string;
  /** The report whose photographs the numbers in the column are. */
  readonly numbersOf?: Side;
}

/**
 * Returns what one report alone has: things of areas that both have, areas, and photographs without a counterpart. An empty
 * list is left out.
 */
export function changedLists(report: ComparisonReport): AreaList[] {
  const { before, after } = report.sides;
  const areas = comparedAreas(report);
  const shared = areas.filter((area) => area.before && area.after);
  const items = [{ title: 'Items' }];
  const lists: AreaList[] = [
    {
      title: `Only ${before.name.when}, not mentioned ${after.name.when}`,
      ...{ columns: items, lines: shared.flatMap((area) => onlyIn(area, 'before')) },
    },
    {
      title: `Only ${after.name.when}`,
      ...{ columns: items, lines: shared.flatMap((area) => onlyIn(area, 'after')) },
    },
    {
      title: 'Areas of one report alone',
      columns: [{ title: 'Reported' }],
      lines: areas.flatMap((area) => standing(area, report.sides)),
    },
    {
      title: 'Photographs without counterpart',
      columns: [
        { title: before.name.label, numbersOf: 'before' },
        { title: after.name.label, numbersOf: 'after' },
      ],
      lines: shared.flatMap(unpaired),
    },
  ];
  return lists.filter(({ lines }) => lines.length > 0);
}

function onlyIn(area: ComparedArea, side: Side): AreaList['lines'] {
  const things = area.facts.flatMap((pair) => {
    const placed = pair[side];
    if (placed === null || pair[side === 'before' ? 'after' : 'before'] !== null) return [];
    const { fact } = placed;
    const { grades, words } = statementOf(fact);
    const count = fact.words.quantity === undefined ? '' : `Quantity ${String(fact.words.quantity)}`;
    const parts =
      fact.kind === 'observation' ? [gradesInWords(grades), count, ...outcomeLines(fact)] : [words];
    const inside = parts.reduce(sentences, '');
    return [inside === '' ? thingOf(fact) : `${thingOf(fact)} (${inside})`];
  });
  return things.length === 0 ? [] : [[area, things.join('; ')]];
}

/** Describes an area of one report alone, or one that one of the reports states to be absent. */
function standing(area: ComparedArea, sides: Sides<ComparedReport>): AreaList['lines'] {
  const { before, after } = area;
  if (before && after) {
    if (before.absent === after.absent) return [];
    return [[area, `${stated(before, sides.before)} ${stated(after, sides.after)}`]];
  }
  const [side, own, other] = before
    ? [before, sides.before, sides.after]
    : [after!, sides.after, sides.before];
  return [[area, `Only ${own.name.when}: ${contentsOf(side)}. Not ${other.name.where}.`]];
}

const stated = (side: AreaSide, { name }: ComparedReport): string => `${name.label}: ${contentsOf(side)}.`;

function contentsOf(side: AreaSide): string {
  if (side.absent) return ABSENCE_NOTE.replace(/\.$/, '');
  const { photographs, comments, facts } = side;
  const items = facts.length === 0 ? '' : `${facts.length} ${facts.length === 1 ? 'item' : 'items'}`;
  return [counted(photographs.length, comments.length), items].filter(Boolean).join(', ') || 'noted';
}

/** Lists unpaired photographs by their numbers in either report. */
function unpaired(area: ComparedArea): AreaList['lines'] {
  const numbersOf = (side: Side, other: Side): number[] =>
    area.pairs.flatMap((pair) => (pair[side] && !pair[other] ? [pair[side].number] : []));
  const numbers = [numbersOf('before', 'after'), numbersOf('after', 'before')];
  if (numbers.every(({ length }) => length === 0)) return [];
  return [[area, ...numbers.map((each) => (each.length === 0 ? 'none' : numberedPhotographs(each)))]];
}
