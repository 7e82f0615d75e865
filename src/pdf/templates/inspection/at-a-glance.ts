import { shortened } from '../../../common/texts/cut-text.js';
import { factText } from '../../../inspection/facts/fact-text.js';
import { gravestOf } from '../../../inspection/report/gravity.js';
import {
  isObservation,
  sectionsOf,
  type FactInArea,
  type InspectionReport,
  type ReportPhotograph,
} from '../../../inspection/report/inspection-report.js';
import { type LabelledRow, labelledValues } from '../cover-parts.js';
import { type Column, dataTable } from '../data-table.js';
import { type Block, child, type StructureElement } from '../definition.js';
import { printedWord } from '../fact-words.js';
import { gradeColumns, photographBlock, photographsColumn } from '../grade-cells.js';
import { type Bookmark, heading, KEEP_TEXT, nameHeading } from '../parts.js';

const MOST_POINTS = 10;
/** Facts of one kind that are listed; the others are counted. */
const MOST_LISTED = 30;
/** Characters of a description that are shown; the whole stands under its area. */
const LONGEST = 160;
const THUMBNAIL = { w: 60, h: 45 } as const;

/** Returns true if the report has facts to show at a glance. */
export const hasGlance = ({ serviceFacts, pointsToNote }: InspectionReport): boolean =>
  serviceFacts.length + pointsToNote.length > 0;

/** Shows the counts, meters, keys and alarms, and the ten gravest points with a small copy of their first photograph. */
export function atAGlance(report: InspectionReport, own: Bookmark, root: StructureElement): Block[] {
  const parent = child(root, 'Sect');
  const gravest = gravestOf(report.pointsToNote, MOST_POINTS);
  const title = heading({ bookmark: own, parent, keep: 2 * KEEP_TEXT });
  const facts = labelledValues(parent, [...counts(report), ...serviceRows(report)]);
  if (gravest.length === 0) return [title, ...facts];
  const section = child(parent, 'Sect');
  const photographs = photographsByNumber(report);
  const name = report.pointsToNote.length > MOST_POINTS ? 'The ten gravest points' : 'Points, gravest first';
  return [
    title,
    ...facts,
    nameHeading(section, name, 3 * KEEP_TEXT, 'H3'),
    dataTable(gravest, pointColumns(photographs), section),
  ];
}

function counts(report: InspectionReport): LabelledRow[] {
  const { summary, photographCount, pointsToNote } = report;
  const items = sectionsOf(report).flatMap(({ facts }) => facts.filter(isObservation)).length;
  return [
    { label: 'Areas', value: String(summary.length) },
    { label: 'Photographs', value: String(photographCount) },
    ...(items === 0 ? [] : [{ label: 'Items described', value: String(items) }]),
    ...(items === 0 ? [] : [{ label: 'Points to note', value: String(pointsToNote.length) }]),
  ];
}

/** Returns a row for each meter, and one each for all keys and all alarms. */
function serviceRows({ serviceFacts }: InspectionReport): LabelledRow[] {
  const of = (kind: FactInArea['kind']) => serviceFacts.filter((fact) => fact.kind === kind);
  const readings = of('reading');
  const listed = readings.slice(0, MOST_LISTED);
  const meters = new Set(listed.map(({ area }) => area));
  const row = (label: string, facts: readonly FactInArea[]): LabelledRow[] =>
    facts.length === 0 ? [] : [{ label, value: lines(facts) }];
  return [
    ...[...meters].flatMap((meter) =>
      row(
        meter,
        listed.filter(({ area }) => area === meter),
      ),
    ),
    ...more('Meters', readings.length - MOST_LISTED),
    ...row('Keys', of('keys')),
    ...row('Alarms', of('alarm')),
  ];
}

function lines(facts: readonly FactInArea[]): string {
  const shown = facts
    .slice(0, MOST_LISTED)
    .map(({ kind, words }) => shortened(factText(kind, words), LONGEST));
  const rest = facts.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}

const more = (label: string, rest: number): LabelledRow[] =>
  rest > 0 ? [{ label, value: `and ${rest} more` }] : [];

function photographsByNumber(report: InspectionReport) {
  return new Map(
    sectionsOf(report).flatMap(({ photographs }) =>
      photographs.map((photograph) => [photograph.number, photograph] as const),
    ),
  );
}

const pointColumns = (photographs: ReadonlyMap<number, ReportPhotograph>): Column<FactInArea>[] => [
  {
    title: 'Item',
    width: 96,
    value: ({ words }) => printedWord(words, 'item'),
    note: ({ area }) => area,
  },
  ...gradeColumns<FactInArea>(),
  {
    title: 'Description',
    width: '*',
    value: ({ words }) => shortened(printedWord(words, 'description'), LONGEST),
  },
  photographsColumn(),
  {
    title: '',
    width: THUMBNAIL.w,
    value: ({ photographs: [first = 0] }) => (photographs.has(first) ? ' ' : ''),
    block: ({ photographs: [first = 0] }, cell) => thumbnail(photographs.get(first), cell),
    optional: true,
  },
];

function thumbnail(photograph: ReportPhotograph | undefined, cell: StructureElement): Block | undefined {
  if (photograph === undefined) return undefined;
  const { number, rendition: key, renditionSha256: sha256 } = photograph;
  const link = child(cell, 'Link');
  const figure = child(link, 'Figure', `Photograph ${number}, small`);
  const spot = { key, sha256, link, figure, block: photographBlock(number) };
  return { canvas: [{ type: 'rect', x: 0, y: 0, ...THUMBNAIL, thumbnail: spot }] };
}
