import type {
  FactInArea,
  InspectionReport,
  ReportFact,
} from '../../../inspection/report/inspection-report.js';
import { isToNote } from '../../../inspection/report/report-facts.js';
import { type Column, dataTable } from '../data-table.js';
import { type Block, child, type StructureElement } from '../definition.js';
import { capitalised, numberList, printedWord } from '../fact-words.js';
import { TABLE_CELL, TABLE_CELL_STRONG } from '../look.js';
import { type Bookmarks, heading, KEEP_TEXT } from '../parts.js';

const column = <Row extends ReportFact>(title: string, width: number | '*', member: string): Column<Row> => ({
  title,
  width,
  value: ({ words }) => printedWord(words, member),
});

const optional = <Row extends ReportFact>(...parameters: [string, number | '*', string]): Column<Row> => ({
  ...column<Row>(...parameters),
  optional: true,
});

const filedUnder = ({ filedUnder: name }: ReportFact): string | undefined => name;

const photographs = <Row extends ReportFact>(): Column<Row> => ({
  title: 'Photographs',
  width: 62,
  value: (row) => numberList(row.photographs),
});

/** Columns of condition and cleanliness, with points to note in stronger type. */
const grades = <Row extends ReportFact>(): Column<Row>[] =>
  ['condition', 'cleanliness'].map((member) => ({
    title: capitalised(member),
    width: 58,
    value: ({ words }) => capitalised(printedWord(words, member)),
    style: (row) =>
      isToNote({ ...row, words: { [member]: printedWord(row.words, member) } })
        ? TABLE_CELL_STRONG
        : TABLE_CELL,
  }));

/** The area, with the fact's own name under it. */
const place: Column<FactInArea> = { title: 'Area', width: 112, value: ({ area }) => area, note: filedUnder };

const READINGS: readonly Column<FactInArea>[] = [
  { ...place, title: 'Meter', width: 140 },
  {
    title: 'Reading',
    width: '*',
    value: ({ words }) => [printedWord(words, 'value'), printedWord(words, 'unit')].filter(Boolean).join(' '),
    style: () => TABLE_CELL_STRONG,
  },
  optional('Serial number', 110, 'serial'),
  photographs(),
];

const KEYS: readonly Column<FactInArea>[] = [
  { ...column('Keys', '*', 'kind'), note: filedUnder },
  optional('Count', 52, 'count'),
  photographs(),
];

const ALARMS: readonly Column<FactInArea>[] = [
  { ...column('Alarm', '*', 'kind'), note: filedUnder },
  optional('Place', 130, 'place'),
  optional('Tested', 46, 'tested'),
  optional('Expires', 76, 'expires'),
  photographs(),
];

const OBSERVATIONS: readonly Column<ReportFact>[] = [
  { ...column('Item', 104, 'item'), note: filedUnder },
  ...grades<ReportFact>(),
  column('Description', '*', 'description'),
  photographs(),
];

const NOTED: readonly Column<FactInArea>[] = [
  place,
  column('Item', '*', 'item'),
  ...grades<FactInArea>(),
  photographs(),
];

/** Returns a table each of readings, keys and alarms, unless it would be empty (contract section 6, rule 10). */
export const serviceTables = (facts: readonly FactInArea[], parent: StructureElement): Block[] =>
  (
    [
      ['reading', READINGS],
      ['keys', KEYS],
      ['alarm', ALARMS],
    ] as const
  ).flatMap(([kind, columns]) =>
    table(
      facts.filter((fact) => fact.kind === kind),
      columns,
      parent,
    ),
  );

/** Returns the table of an area's observations. */
export const observationTable = (facts: readonly ReportFact[], parent: StructureElement): Block[] =>
  table(
    facts.filter(({ kind }) => kind === 'observation'),
    OBSERVATIONS,
    parent,
  );

const notedTable = (facts: readonly FactInArea[], parent: StructureElement): Block[] =>
  table(facts, NOTED, parent);

const table = <Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  parent: StructureElement,
): Block[] => (rows.length === 0 ? [] : [dataTable(rows, columns, parent)]);

/** Lists items that are fair, poor, damaged, dusty or dirty, area by area; nothing if there are none. */
export function pointsToNoteSection(
  { pointsToNote }: InspectionReport,
  bookmarks: Bookmarks,
  root: StructureElement,
): Block[] {
  if (pointsToNote.length === 0) return [];
  const parent = child(root, 'Sect');
  const bookmark = bookmarks.add('Points to Note');
  return [heading({ bookmark, parent, keep: 2 * KEEP_TEXT }), ...notedTable(pointsToNote, parent)];
}
