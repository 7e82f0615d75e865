import type { FactMemberName } from '../../../api/inspection-terms.js';
import { normalizeArea } from '../../../inspection/areas/normalize-area.js';
import {
  isObservation,
  type FactInArea,
  type ReportFact,
} from '../../../inspection/report/inspection-report.js';
import { linesOf } from '../cover-parts.js';
import { type Column, dataTable, tableKeep } from '../data-table.js';
import type { Block, StructureElement } from '../definition.js';
import { capitalised, printedWord } from '../fact-words.js';
import { gradeColumns, photographsColumn } from '../grade-cells.js';
import { TABLE_CELL_STRONG } from '../look.js';
import { KEEP_TEXT } from '../parts.js';
import type { Citations } from './citations.js';
import { describedAs, detailLines } from './description.js';

const column = <Row extends ReportFact>(
  title: string,
  width: number | '*',
  member: FactMemberName,
): Column<Row> => ({
  title,
  width,
  value: ({ words }) => printedWord(words, member),
});

const optional = <Row extends ReportFact>(
  ...parameters: [string, number | '*', FactMemberName]
): Column<Row> => ({
  ...column<Row>(...parameters),
  optional: true,
});

const filedUnder = ({ filedUnder: name }: ReportFact): string | undefined => name;

/** The name under which a key or an alarm was filed, unless that is its kind. */
const otherName = ({ filedUnder: name, words }: ReportFact): string | undefined =>
  name === undefined || normalizeArea(name) === normalizeArea(printedWord(words, 'kind')) ? undefined : name;

/** The area, with the fact's own name under it. */
const place: Column<FactInArea> = { title: 'Area', width: 112, value: ({ area }) => area, note: filedUnder };

/** Keeps a reading of up to 30 characters on one line beside all other columns. */
const READING_LINE = { upTo: 30, smallest: 6 };

/** Supplier and register, for which there is no space in columns of their own. */
const supply = ({ words }: ReportFact): string | undefined =>
  (['supplier', 'register'] as const)
    .map((member) => [member, printedWord(words, member)] as const)
    .filter(([, word]) => word !== '')
    .map(([member, word]) => `${capitalised(member)} ${word}`)
    .join('\n') || undefined;

const READINGS: readonly Column<FactInArea>[] = [
  { ...place, title: 'Meter', width: 112 },
  {
    title: 'Reading',
    width: '*',
    value: ({ words }) => [printedWord(words, 'value'), printedWord(words, 'unit')].filter(Boolean).join(' '),
    note: supply,
    style: () => TABLE_CELL_STRONG,
    more: () => ({ oneLine: READING_LINE }),
  },
  optional('Serial number', 84, 'serial'),
  optional('Location', 84, 'location'),
  photographsColumn(),
];

const KEYS: readonly Column<FactInArea>[] = [
  { ...column('Keys', '*', 'kind'), note: otherName },
  optional('Count', 52, 'count'),
  optional('Returned', 56, 'returned'),
  photographsColumn(),
];

/** The kind of an alarm, and the name under it if that says more. */
const ALARMS: readonly Column<FactInArea>[] = [
  { ...column('Alarm', '*', 'kind'), note: otherName },
  optional('Place', 96, 'place'),
  optional('Tested', 46, 'tested'),
  optional('Result', 104, 'result'),
  optional('Expires', 64, 'expires'),
  photographsColumn(),
];

const OBSERVATIONS: readonly Column<ReportFact>[] = [
  { ...column('Item', 90, 'item'), note: filedUnder },
  ...gradeColumns<ReportFact>(),
  { title: 'Description', width: '*', value: describedAs, note: detailLines },
  photographsColumn(),
];

/**
 * Returns a table each of readings, keys and alarms, unless it would be empty (contract section 6, rule 10). `citations` has
 * the ids of their rows.
 */
export const serviceTables = (
  facts: readonly FactInArea[],
  parent: StructureElement,
  citations: Citations,
): Block[] =>
  serviceRows(facts).map(([rows, columns]) => dataTable(rows, withRows(columns, citations), parent));

/** Estimates the points that must follow a heading above these tables; 0 if there are none. */
export function serviceTablesKeep(facts: readonly FactInArea[]): number {
  const [first] = serviceRows(facts);
  return first ? tableKeep(...first) : 0;
}

/** Returns the rows and columns of each table that has rows. */
const serviceRows = (facts: readonly FactInArea[]) =>
  (
    [
      ['reading', READINGS],
      ['keys', KEYS],
      ['alarm', ALARMS],
    ] as const
  ).flatMap(([kind, columns]) => {
    const rows = facts.filter((fact) => fact.kind === kind);
    return rows.length === 0 ? [] : [[rows, columns] as const];
  });

/** Returns the table of an area's observations. */
export function observationTable(
  facts: readonly ReportFact[],
  parent: StructureElement,
  citations: Citations,
): Block[] {
  const observations = facts.filter(isObservation);
  if (observations.length === 0) return [];
  return [dataTable(observations, withRows(OBSERVATIONS, citations), parent, { layout: 'schedule' })];
}

/** Letters on a line of a description, and the height of a table's head and of a line. */
const DESCRIPTION_LETTERS = 44;
const [HEAD_HEIGHT, LINE_HEIGHT, MOST_KEPT] = [24, 13.3, 300];

/** Estimates the points that must follow a heading above a table of observations; 0 if there is none. */
export function observationsKeep(facts: readonly ReportFact[]): number {
  const [first, ...others] = facts.filter(isObservation);
  if (!first) return 0;
  const second = others.length === 1 ? rowEstimate(others[0]!) : 0;
  return Math.max(2 * KEEP_TEXT, HEAD_HEIGHT + Math.min(MOST_KEPT, rowEstimate(first) + second));
}

const rowEstimate = (fact: ReportFact): number =>
  11 +
  LINE_HEIGHT *
    [describedAs(fact), detailLines(fact) ?? ''].reduce(
      (sum, text) => sum + (text === '' ? 0 : linesOf(text, DESCRIPTION_LETTERS)),
      0,
    );

/** Puts the ids of rows on the first of the columns. */
const withRows = <Row extends ReportFact>(
  [first, ...others]: readonly Column<Row>[],
  citations: Citations,
): Column<Row>[] => [{ ...first!, rowId: (row) => citations.rowOf(row) }, ...others];
