import type { InspectionReport } from '../../../inspection/report/inspection-report.js';
import { type Block, child, type StructureElement } from '../definition.js';
import { type Bookmarks, heading, KEEP_TEXT } from '../parts.js';
import { notedTable } from './fact-tables.js';

/** Points that are fair, poor or damaged, dusty or dirty, area by area; nothing where nothing is. */
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
