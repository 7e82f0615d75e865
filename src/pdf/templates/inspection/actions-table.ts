import { ACTIONS, RESPONSIBILITIES } from '../../../api/inspection-terms.js';
import type { FactInArea, InspectionReport } from '../../../inspection/report/inspection-report.js';
import { type Column, dataTable, tableKeep } from '../data-table.js';
import { type Block, child, type StructureElement } from '../definition.js';
import { printedWord } from '../fact-words.js';
import { photographsColumn } from '../grade-cells.js';
import { type Bookmarks, heading } from '../parts.js';
import type { AreaLinks } from './section-links.js';

/** Returns the label of a known word, or the word as it is. */
const labelled = (labels: Readonly<Record<string, string>>, word: string): string =>
  Object.hasOwn(labels, word) ? labels[word]! : word;

const COLUMNS: readonly Column<FactInArea>[] = [
  {
    title: 'Item',
    width: 104,
    value: ({ words }) => printedWord(words, 'item'),
    note: ({ filedUnder }) => filedUnder,
  },
  {
    title: 'Responsibility',
    width: 72,
    value: ({ words }) => labelled(RESPONSIBILITIES, printedWord(words, 'responsibility')),
    optional: true,
  },
  {
    title: 'Action',
    width: 60,
    value: ({ words }) => labelled(ACTIONS, printedWord(words, 'action')),
    optional: true,
  },
  { title: 'Note', width: '*', value: ({ words }) => printedWord(words, 'note') },
  photographsColumn(),
];

/** Lists the items with a responsibility, an action or a note, in the sender's words; nothing without any. */
export function actionsSection(
  { actions }: InspectionReport,
  { bookmarks, links }: { bookmarks: Bookmarks; links: AreaLinks },
  root: StructureElement,
): Block[] {
  if (actions.length === 0) return [];
  const parent = child(root, 'Sect');
  const group = ({ area }: FactInArea) => ({ title: area, ...links(area) });
  return [
    heading({ bookmark: bookmarks.add('Actions'), parent, keep: tableKeep(actions, COLUMNS, { group }) }),
    dataTable(actions, COLUMNS, parent, { group }),
  ];
}
