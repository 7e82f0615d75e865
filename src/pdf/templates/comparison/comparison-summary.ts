import { type Block, child, type StructureElement, type TextBlock, type TextStyle } from '../definition.js';
import { BODY, TABLE_CELL, TABLE_HEAD } from '../look.js';
import { type Bookmark, heading, KEEP_TEXT, paragraph } from '../parts.js';
import {
  type AreaSide,
  comparedAreas,
  type ComparedArea,
  type ComparisonReport,
} from './comparison-report.js';
import { counted, onlySide } from './comparison-report.js';

const INTRODUCTION =
  'The two reports side by side, area by area. Photographs have the number, date and time of their own report, and ' +
  'remarks its wording. The comparison adds no findings of its own.';

/** The longest name in a row that may not break over pages. A longer row might not fit and would not be printed. */
const LONGEST_UNBROKEN = 300;

/** Builds the summary: a row per area with its photographs and remarks in either report, and areas of one report only. */
export function comparisonSummary(report: ComparisonReport, own: Bookmark, root: StructureElement): Block[] {
  const { before, after } = report.sides;
  const section = child(root, 'Sect');
  const title = heading({ bookmark: own, parent: section, keep: KEEP_TEXT * 3 });
  const introduction = paragraph(section, INTRODUCTION, BODY, [0, 0, 0, 8]);
  const table = child(section, 'Table');
  const rows: (readonly [string, string, string, string])[] = comparedAreas(report).map((area) => [
    area.heading,
    described(area.before),
    described(area.after),
    status(area, report),
  ]);
  const { externalAreas } = report;
  if (externalAreas && externalAreas.comments.before.length + externalAreas.comments.after.length > 0) {
    const { comments } = externalAreas;
    rows.push(['External Areas, remarks', remarks(comments.before), remarks(comments.after), '']);
  }
  rows.push([
    'All areas',
    counted(before.photographs, before.remarks),
    counted(after.photographs, after.remarks),
    '',
  ]);
  const head = ['Area', before.name.label, after.name.label, 'Reported in'];
  const body = [
    line(head, TABLE_HEAD, 'TH', child(table, 'TR')),
    ...rows.map((row) => line(row, TABLE_CELL, 'TD', child(table, 'TR'))),
  ];
  const dontBreakRows = rows.every(([area]) => area.length <= LONGEST_UNBROKEN);
  return [
    title,
    introduction,
    { table: { headerRows: 1, dontBreakRows, widths: ['*', 112, 112, 92], body }, layout: 'rows' },
  ];
}

function line(
  texts: readonly string[],
  style: TextStyle,
  role: 'TH' | 'TD',
  row: StructureElement,
): TextBlock[] {
  return texts.map((value) => ({ text: '', set: { value, style, element: child(row, role) } }));
}

function described(side: AreaSide | null): string {
  if (side === null) return '—';
  if (side.absent) return ['Reported absent', ...remarksOf(side)].join('\n');
  return counted(side.photographs.length, side.comments.length) || 'Noted';
}

const remarksOf = ({ comments }: AreaSide): string[] =>
  comments.length === 0 ? [] : [counted(0, comments.length)];

const remarks = (texts: readonly unknown[]): string => counted(0, texts.length) || '—';

function status(area: ComparedArea, report: ComparisonReport): string {
  return onlySide(area, report.sides) ?? 'Both';
}
