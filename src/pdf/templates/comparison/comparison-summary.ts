import {
  type Block,
  child,
  rowHead,
  type StructureElement,
  type TextBlock,
  type TextStyle,
} from '../definition.js';
import { BODY, TABLE_CELL, TABLE_HEAD } from '../look.js';
import { type Bookmark, heading, KEEP_TEXT, paragraph } from '../parts.js';
import { areaLink, type AreaPlaces } from './area-links.js';
import {
  type AreaSide,
  type ComparedArea,
  comparedAreas,
  type ComparisonReport,
  counted,
  onlySide,
} from './comparison-report.js';

const INTRODUCTION =
  'The two reports side by side, area by area. Photographs have the number, date and time of their own report, and ' +
  'remarks its wording. The comparison adds no findings of its own.';

interface SummaryPlace {
  readonly own: Bookmark;
  readonly places: AreaPlaces;
}

/** A row: an area, which links to its heading, or a text; what either report has; and where it is reported. */
type Row = readonly [area: ComparedArea | string, before: string, after: string, status: string];

/** Builds the summary: a row per area with its photographs and remarks in either report, and areas of one report only. */
export function comparisonSummary(
  report: ComparisonReport,
  { own, places }: SummaryPlace,
  section: StructureElement,
): Block[] {
  const { before, after } = report.sides;
  const title = heading({ bookmark: own, parent: section, keep: KEEP_TEXT * 3 });
  const introduction = paragraph(section, INTRODUCTION, BODY, [0, 0, 0, 8]);
  const table = child(section, 'Table');
  const rows = comparedAreas(report).map((area): Row => [
    area,
    described(area.before),
    described(area.after),
    status(area, report),
  ]);
  const { externalAreas } = report;
  if (externalAreas && externalAreas.comments.before.length + externalAreas.comments.after.length > 0) {
    const { comments } = externalAreas;
    rows.push(['External Areas, remarks', remarks(comments.before), remarks(comments.after), '']);
  }
  const all = [before, after].map((side) => counted(side.photographs, side.remarks)) as [string, string];
  rows.push(['All areas', ...all, '']);
  const head = child(table, 'TR');
  const body = [
    ['Area', before.name.label, after.name.label, 'Reported in'].map((text) =>
      cell(text, TABLE_HEAD, child(head, 'TH')),
    ),
    ...rows.map(([area, ...texts]) => {
      const element = child(table, 'TR');
      return [
        areaCell(area, places, rowHead(element)),
        ...texts.map((text) => cell(text, TABLE_CELL, child(element, 'TD'))),
      ];
    }),
  ];
  return [
    title,
    introduction,
    { table: { headerRows: 1, widths: ['*', 112, 112, 92], body }, layout: 'rows' },
  ];
}

const areaCell = (area: Row[0], places: AreaPlaces, element: StructureElement): TextBlock =>
  typeof area === 'string'
    ? cell(area, TABLE_CELL, element)
    : { text: '', set: areaLink(area, places, { style: TABLE_CELL, element }) };

const cell = (value: string, style: TextStyle, element: StructureElement): TextBlock => ({
  text: '',
  set: { value, style, element },
});

function described(side: AreaSide | null): string {
  if (side === null) return 'Not in this report';
  if (side.absent) return ['Reported absent', ...remarksOf(side)].join('\n');
  return counted(side.photographs.length, side.comments.length) || 'Noted';
}

const remarksOf = ({ comments }: AreaSide): string[] =>
  comments.length === 0 ? [] : [counted(0, comments.length)];

const remarks = (texts: readonly unknown[]): string => counted(0, texts.length) || 'No remarks';

function status(area: ComparedArea, report: ComparisonReport): string {
  return onlySide(area, report.sides) ?? 'Both';
}
