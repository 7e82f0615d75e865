import type { EditionChange, InspectionReport } from '../../../inspection/report/inspection-report.js';
import { type Column, dataTable } from '../data-table.js';
import { type Block, child, type StructureElement } from '../definition.js';
import { SUBHEADING } from '../look.js';
import { KEEP_TEXT, SUBHEADING_HEIGHT } from '../parts.js';

const COLUMNS: readonly Column<EditionChange>[] = [
  { title: 'What', width: 92, value: ({ what }) => what },
  { title: 'Was', width: '*', value: ({ was }) => was },
  { title: 'Is now', width: '*', value: ({ now }) => now },
  { title: 'Reason', width: 96, value: ({ reason }) => reason },
  { title: 'Date', width: 56, value: ({ date }) => date },
];

/** Lists what a further edition changed, under its cover (contract section 6). */
export function changesBox({ changes }: InspectionReport, root: StructureElement): Block[] {
  if (changes === undefined) return [];
  const section = child(root, 'Sect');
  return [
    {
      text: '',
      set: { value: 'Changed in this edition', style: SUBHEADING, element: child(section, 'H2') },
      margin: [0, 16, 0, 6],
      keep: SUBHEADING_HEIGHT + 2 * KEEP_TEXT,
    },
    dataTable(changes, COLUMNS, section, 'box'),
  ];
}
