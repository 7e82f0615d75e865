import { COVER_ROWS, META_MEMBERS } from '../../../inspection/report/meta-members.js';
import { coverTitle, linesOf, masthead, VALUE_LINE } from '../cover-parts.js';
import {
  type Block,
  child,
  rowHead,
  type StructureElement,
  type TextBlock,
  type TextStyle,
} from '../definition.js';
import { LABEL, SIDE_LABEL, VALUE } from '../look.js';
import type { ComparedReport, ComparisonReport } from './comparison-report.js';

const rowOf =
  (label: string) =>
  ({ cover }: ComparedReport): string | undefined =>
    cover.rows.find((row) => row.label === label)?.value;

const ROWS: readonly (readonly [label: string, value: (report: ComparedReport) => string | undefined])[] = [
  ['Report', ({ cover }) => cover.title],
  ['Inspection date', ({ cover }) => cover.inspected],
  ['Report date', ({ cover }) => cover.reportDate],
  ['Address', ({ cover }) => cover.address],
  ...COVER_ROWS.map((name) => [META_MEMBERS[name].label, rowOf(META_MEMBERS[name].label)] as const),
  ['Location', ({ cover }) => cover.location?.text],
  ['Photographs', ({ photographs }) => String(photographs)],
  ['Report reference', ({ reportId }) => reportId],
];

const ABOVE_TABLE = 34;
const HEAD_HEIGHT = 26;
const ROW_PADDING = 11;
/** Letters on a line of a value's column. */
const VALUE_LETTERS = 36;

/** Builds the cover: the shared address, and the cover values of each report in its own column. */
export function comparisonCover({ cover, sides }: ComparisonReport, root: StructureElement): Block[] {
  const section = child(root, 'Sect');
  const { before, after } = sides;
  const rows = ROWS.map(([label, value]) => [label, value(before), value(after)] as const);
  const beneath = ABOVE_TABLE + rows.reduce((sum, row) => sum + heightOf(row), HEAD_HEIGHT);
  const front = [...masthead(cover, section), ...coverTitle(cover, section, { beneath })];
  const table = child(section, 'Table');
  const head = child(table, 'TR');
  const body = [
    [
      cell('', LABEL, child(head, 'TD')),
      cell(before.name.label, SIDE_LABEL, child(head, 'TH')),
      cell(after.name.label, SIDE_LABEL, child(head, 'TH')),
    ],
    ...rows.flatMap((values) => row(values, table)),
  ];
  return [
    ...front,
    {
      table: { headerRows: 1, widths: [84, '*', '*'], body },
      layout: 'rows',
      margin: [0, ABOVE_TABLE, 0, 0],
    },
  ];
}

type Row = readonly [label: string, before: string | undefined, after: string | undefined];

/** Estimates the height of a row; a value of up to 40 characters is set smaller before it takes two lines. */
function heightOf([, before, after]: Row): number {
  const lines = [before, after].map((value) => (value === undefined ? 0 : linesOf(value, VALUE_LETTERS)));
  const most = Math.max(...lines);
  return most === 0 ? 0 : ROW_PADDING + most * VALUE.size * VALUE.lineHeight;
}

/** Returns no row if neither report has a value. */
function row([label, before, after]: Row, table: StructureElement): TextBlock[][] {
  if (before === undefined && after === undefined) return [];
  const element = child(table, 'TR');
  const value = (text: string | undefined) =>
    cell(text ?? 'not stated', text === undefined ? LABEL : VALUE, child(element, 'TD'));
  return [[cell(label, LABEL, rowHead(element)), value(before), value(after)]];
}

const cell = (value: string, style: TextStyle, element: StructureElement): TextBlock => ({
  text: '',
  set: { value, style, element, oneLine: VALUE_LINE },
});
