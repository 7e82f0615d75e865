import { dataTable } from '../data-table.js';
import { type Block, child, type StructureElement } from '../definition.js';
import { BODY } from '../look.js';
import { type Bookmark, heading, KEEP_TEXT, paragraph } from '../parts.js';
import type { ComparisonReport } from './comparison-report.js';
import { type Difference, differencesOf } from './differences.js';

const INTRODUCTION =
  'Where the two reports say different things, each in its own words and with the numbers of its own photographs. ' +
  'The last two columns are for the views of the parties. Nothing here is judged.';
const NOTHING_DIFFERS =
  'The two reports have the same areas, and say the same of items, readings, keys and alarms.';
/** Everything stands under its area too: beyond so many rows the page tells how many more there are. */
const MOST_ROWS = 1_000;
const VIEWS = ['Landlord/agent', 'Tenant'];

/** The first page after the cover: what differs, in both wordings, with a column for the view of each party. */
export function differencesPage(report: ComparisonReport, own: Bookmark, root: StructureElement): Block[] {
  const parent = child(root, 'Sect');
  const title = heading({ bookmark: own, parent, keep: 3 * KEEP_TEXT, pageBreak: true });
  const differences = differencesOf(report);
  if (differences.length === 0) return [title, paragraph(parent, NOTHING_DIFFERS, BODY)];
  const introduction = paragraph(parent, INTRODUCTION, BODY, [0, 0, 0, 8]);
  const { before, after } = report.sides;
  const table = dataTable<Difference>(
    differences.slice(0, MOST_ROWS),
    [
      { title: 'Area', width: '*', value: ({ area }) => area, note: ({ thing }) => thing || undefined },
      { title: before.name.label, width: 104, value: (row) => row.before },
      { title: after.name.label, width: 104, value: (row) => row.after },
      ...VIEWS.map((view) => ({ title: view, width: 68, value: () => '' })),
    ],
    parent,
    'views',
  );
  const more = differences.length - MOST_ROWS;
  const rest = `${more} more stand under their areas.`;
  return [title, introduction, table, ...(more > 0 ? [paragraph(parent, rest, BODY)] : [])];
}
