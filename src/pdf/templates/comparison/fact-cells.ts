import { normalizeItem } from '../../../inspection/facts/item-name.js';
import type { Block, StructureElement } from '../definition.js';
import { capitalised } from '../fact-words.js';
import { gradeTag } from '../grade-cells.js';
import { SIDE_NOTE, TABLE_CELL, TABLE_CELL_STRONG, TABLE_TAG } from '../look.js';
import { paragraph } from '../parts.js';
import type { ComparedReport, PairedFact, PlacedFact, Sides } from './comparison-report.js';
import { inOneLine, outcomeLines, statementOf, thingOf } from './fact-statement.js';
import { numbersLine } from './photograph-links.js';

/** The words of an empty cell: that report does not mention the thing. */
const NOT_MENTIONED = 'not mentioned';

interface CellOptions {
  readonly side: keyof Sides<unknown>;
  /** The heading of the area under which the cell is printed. */
  readonly heading: string;
  /** Prints responsibility, action and note, which are else in a column of their own. */
  readonly withOutcome?: boolean;
  /** A photograph that is printed in the cell and needs no number. */
  readonly shown?: number;
}

/** Builds the cell of one report: grades in tags, words, labelled members and the numbers of photographs. */
export function factCell(
  placed: PlacedFact | null,
  { side, heading, withOutcome = false, shown }: CellOptions,
  element: StructureElement,
): Block[] {
  if (placed === null) return [paragraph(element, NOT_MENTIONED, SIDE_NOTE)];
  const { fact, area } = placed;
  const { grades, words, details } = statementOf(fact);
  const numbers = fact.photographs.filter((number) => number !== shown);
  const lines = [
    ...(area === heading ? [] : [paragraph(element, `Under ${area}`, SIDE_NOTE)]),
    ...grades.map((grade) => tagged(grade, element)),
    ...(words === '' ? [] : [paragraph(element, words, TABLE_CELL)]),
    ...(details === '' ? [] : [paragraph(element, details, SIDE_NOTE)]),
    ...(fact.words.asBefore === true ? [paragraph(element, 'As before', SIDE_NOTE)] : []),
    ...(withOutcome ? outcomeLines(fact).map((line) => paragraph(element, line, SIDE_NOTE)) : []),
    ...(numbers.length > 0 ? [numbersLine(numbers, side, element)] : []),
  ];
  return lines.length > 0 ? lines : [paragraph(element, 'mentioned', SIDE_NOTE)];
}

const tagged = (grade: string, element: StructureElement): Block =>
  paragraph(element, capitalised(grade), TABLE_TAG, [0, 0, 0, 1], gradeTag(grade));

/** Builds the name of a thing; of two names the later report's is printed under the earlier's. */
export function thingLines(
  { before, after }: PairedFact,
  sides: Sides<ComparedReport>,
  element: StructureElement,
): Block[] {
  const [one, other] = [before, after].map((placed) => placed && thingOf(placed.fact));
  const renamed =
    one && other && normalizeItem(one) !== normalizeItem(other)
      ? `${other} ${sides.after.name.when}`
      : undefined;
  return [
    paragraph(element, one ?? other ?? '', TABLE_CELL_STRONG),
    ...(renamed === undefined ? [] : [paragraph(element, renamed, SIDE_NOTE)]),
  ];
}

/** Returns the characters of the longest cell of a pair, with the space of its line breaks. */
export function longestOf({ before, after }: PairedFact): number {
  const cells = [before, after].flatMap((placed) =>
    placed === null
      ? []
      : [inOneLine(statementOf(placed.fact)), thingOf(placed.fact), outcomeLines(placed.fact).join('\n')],
  );
  return Math.max(0, ...cells.map(spaceOf));
}

/** Characters to a line of a narrow column. */
const LINE = 30;

export const spaceOf = (text: string): number =>
  text.length + LINE * (text.split(/[\n\r\u2028\u2029]/).length - 1);
