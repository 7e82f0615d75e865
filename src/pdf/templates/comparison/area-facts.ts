import { type Block, child, type StructureElement } from '../definition.js';
import { BODY, TABLE_CELL, TABLE_CELL_STRONG } from '../look.js';
import { paragraph } from '../parts.js';
import { comparedKeep, comparedTable, type TableRow } from './compared-table.js';
import type { ComparedArea, ComparedFact, ComparedReport, PlacedFact, Sides } from './comparison-report.js';
import { factCell, longestOf, thingLines } from './fact-cells.js';
import { inOneLine, outcomeLines, sentences, statementOf, thingOf } from './fact-statement.js';

const ITEM_WIDTH = 104;
const CHANGED_WIDTH = 108;

/**
 * Prints what the reports say of the things of an area: a table of those that differ or that one report alone mentions, and
 * one sentence of those that are unchanged. An area of one report alone has that report's column only.
 */
export function areaFacts(
  { heading, before, after, facts }: ComparedArea,
  sides: Sides<ComparedReport>,
  root: StructureElement,
): Block[] {
  if (facts.length === 0) return [];
  const parent = child(root, 'Sect');
  if (!before || !after) {
    const only = before ? 'before' : 'after';
    return comparedTable(
      [
        { title: 'Item', width: ITEM_WIDTH },
        { title: sides[only].name.label, width: '*' },
      ],
      facts.map((fact) => ({
        longest: longestOf(fact),
        cells: [thing(fact, sides), cell(fact[only], { side: only, heading, withOutcome: true })],
      })),
      parent,
    );
  }
  const unchanged = facts.filter(isUnchanged);
  const others = facts.filter((fact) => !isUnchanged(fact));
  const table = comparedTable(
    [
      { title: 'Item', width: ITEM_WIDTH },
      { title: sides.before.name.label, width: '*' },
      { title: sides.after.name.label, width: '*' },
      { title: 'Changed', width: CHANGED_WIDTH },
    ],
    others.map((fact) => rowOf(fact, heading, sides)),
    parent,
  );
  return [...table, ...unchangedSentence(unchanged, parent)];
}

const isUnchanged = ({ before, after, difference }: ComparedFact): boolean =>
  before !== null && after !== null && difference === null;

/** The height of a row's grades, numbers and paddings. */
const BESIDE_WORDS = 54;
/** Letters on a line of a column of one report alone, and of one of two. */
const LETTERS = { alone: 80, beside: 26 };

/** Estimates the points that must follow a heading above the facts of an area; 0 if there are none. */
export function factsKeep({ before, after, facts }: ComparedArea): number {
  if (facts.length === 0) return 0;
  const inColumns = before !== null && after !== null;
  const rows = inColumns ? facts.filter((fact) => !isUnchanged(fact)) : facts;
  const letters = inColumns ? LETTERS.beside : LETTERS.alone;
  return comparedKeep(rows.map(longestOf), letters, BESIDE_WORDS);
}

type Cell = TableRow['cells'][number];

const thing =
  (fact: ComparedFact, sides: Sides<ComparedReport>): Cell =>
  (element) => ({ stack: thingLines(fact, sides, element) });

const cell =
  (placed: PlacedFact | null, options: Parameters<typeof factCell>[1]): Cell =>
  (element) => ({ stack: factCell(placed, options, element) });

function rowOf(fact: ComparedFact, heading: string, sides: Sides<ComparedReport>): TableRow {
  return {
    longest: longestOf(fact),
    cells: [
      thing(fact, sides),
      cell(fact.before, { side: 'before', heading, withOutcome: true }),
      cell(fact.after, { side: 'after', heading }),
      (element) => ({ stack: changedLines(fact, sides, element) }),
    ],
  };
}

function changedLines(
  { before, after, difference }: ComparedFact,
  sides: Sides<ComparedReport>,
  element: StructureElement,
): Block[] {
  const words = difference?.words ?? [`Only ${(before ? sides.before : sides.after).name.when}`];
  return [
    ...words.map((line) => paragraph(element, line, TABLE_CELL_STRONG)),
    ...(after ? outcomeLines(after.fact).map((line) => paragraph(element, line, TABLE_CELL)) : []),
  ];
}

function unchangedSentence(facts: readonly ComparedFact[], parent: StructureElement): Block[] {
  if (facts.length === 0) return [];
  return [paragraph(parent, `Unchanged: ${facts.map(unchangedWords).join('; ')}.`, BODY, [0, 0, 0, 10])];
}

/** Returns `Carpet (Fair, stained. Stain by the window.)`, and what the later report says needs to be done. */
function unchangedWords({ before, after }: ComparedFact): string {
  const [one, other] = [before!.fact, after!.fact];
  const words = inOneLine(statementOf(one)) || inOneLine(statementOf(other));
  const inside = [words, ...outcomeLines(other)].reduce(sentences, '');
  return inside === '' ? thingOf(one) : `${thingOf(one)} (${inside})`;
}
