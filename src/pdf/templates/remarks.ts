import type { ReportRemark } from '../../inspection/report/inspection-report.js';
import type { StructureElement, TextBlock } from './definition.js';
import { BODY, REMARK_LABEL, REMARK_NAME } from './look.js';
import { type Bookmark, paragraph } from './parts.js';

/**
 * A remark whole, however long, under `Additional Comment`, and above that the name under which it was filed, where
 * that says more than the heading over it (contract section 6, rules 7 and 10). `section` is the heading to which it
 * belongs, where a sub-heading stands between them.
 */
export function remarkBlocks(
  { text, filedUnder }: ReportRemark,
  parent: StructureElement,
  section?: Bookmark,
): TextBlock[] {
  const name = filedUnder === undefined ? [] : [paragraph(parent, filedUnder, REMARK_NAME, [0, 3, 0, 0])];
  const blocks = [
    ...name,
    paragraph(parent, 'Additional Comment', REMARK_LABEL, [0, name.length > 0 ? 0 : 3, 0, 0]),
    paragraph(parent, text, BODY, [0, 0, 0, 7], { byDirection: true }),
  ];
  if (section === undefined) return blocks;
  return blocks.map((block) => ({ ...block, goesOnWith: section.id }));
}
