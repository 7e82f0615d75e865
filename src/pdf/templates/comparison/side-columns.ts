import type { ReportFact, ReportRemark } from '../../../inspection/report/inspection-report.js';
import { ABSENCE_NOTE } from '../../../inspection/report/skipped-areas.js';
import { labelledValues } from '../cover-parts.js';
import { type Block, child, type StackBlock, type StructureElement } from '../definition.js';
import { BODY, NOTE, SIDE_LABEL, SIDE_NOTE } from '../look.js';
import { type Bookmark, paragraph, remarkBlocks } from '../parts.js';
import type { AreaSide, ComparedReport, Sides } from './comparison-report.js';
import { counted } from './comparison-report.js';
import { factPairs, factSentence } from './side-facts.js';

/** Height of the heads of both columns. */
export const SIDE_HEADS_HEIGHT = 36;

const DETAIL_LABEL_WIDTH = 84;
/** A longer remark may break over pages. */
const LONGEST_UNBROKEN = 600;

/** Heads each column with its report, the days of its inspection, and what that report has of the area. */
export function sideHeads(
  { before, after }: Sides<AreaSide | null>,
  sides: Sides<ComparedReport>,
  parent: StructureElement,
): Block {
  const columns = [sideHead(before, sides.before, parent), sideHead(after, sides.after, parent)];
  return twoColumns(columns, true);
}

function sideHead(side: AreaSide | null, report: ComparedReport, root: StructureElement): StackBlock {
  const parent = child(root, 'Sect');
  const { label } = report.name;
  const title = paragraph(parent, label, SIDE_LABEL, [0, 0, 0, 0], {
    trail: { value: report.cover.inspected ?? report.cover.reportDate, style: SIDE_NOTE, width: 150 },
  });
  const note = (text: string): Block => paragraph(parent, text, SIDE_NOTE, [0, 0, 0, 6]);
  if (side === null) return { stack: [title, note('This area is not in this report.')] };
  const count = counted(side.photographs.length, side.comments.length);
  return {
    stack: [
      title,
      ...(side.absent
        ? [paragraph(parent, ABSENCE_NOTE, NOTE, [0, 0, 0, 6])]
        : [note(side.photographs.length > 0 ? count : ['No photographs', count].filter(Boolean).join(', '))]),
    ],
  };
}

/** Prints who has the keys, if either report says so. */
export function sideDetails({ before, after }: Sides<AreaSide | null>, root: StructureElement): Block[] {
  const details = [before?.keyDetails ?? [], after?.keyDetails ?? []];
  if (details.every((side) => side.length === 0)) return [];
  const columns = details.map((side): StackBlock => {
    const parent = child(root, 'Sect');
    return { stack: labelledValues(parent, side, DETAIL_LABEL_WIDTH) };
  });
  return [
    twoColumns(
      columns,
      details.flat().every(({ value }) => value.length <= LONGEST_UNBROKEN / 4),
    ),
  ];
}

/** Prints the facts of both reports (items, meters, keys, alarms), those of the same thing in one row. */
export function sideFacts({ before, after }: Sides<AreaSide | null>, root: StructureElement): Block[] {
  const pairs = factPairs({ before: before?.facts ?? [], after: after?.facts ?? [] });
  if (pairs.length === 0) return [];
  const [left, right] = [child(root, 'Sect'), child(root, 'Sect')];
  return pairs.map((pair) => {
    const [one, other] = [sentenceOf(pair.before), sentenceOf(pair.after)];
    const short = Math.max(one.length, other.length) <= LONGEST_UNBROKEN;
    return twoColumns([factBlock(one, left), factBlock(other, right)], short);
  });
}

const sentenceOf = (fact: ReportFact | undefined): string => (fact ? factSentence(fact) : '');

const factBlock = (sentence: string, parent: StructureElement): StackBlock => ({
  stack: sentence === '' ? [] : [paragraph(parent, sentence, BODY, [0, 0, 0, 4])],
});

/** Prints the remarks of each report in its column, side by side in their order. */
export function sideRemarks(
  { before, after }: Sides<readonly ReportRemark[]>,
  root: StructureElement,
  section?: Bookmark,
): Block[] {
  if (before.length + after.length === 0) return [];
  const [left, right] = [child(root, 'Sect'), child(root, 'Sect')];
  return Array.from({ length: Math.max(before.length, after.length) }, (_, row) => {
    const pair = [before[row], after[row]];
    const short = pair.every((one) => (one?.text ?? '').length <= LONGEST_UNBROKEN);
    return twoColumns([remark(pair[0], left, section), remark(pair[1], right, section)], short);
  });
}

const remark = (
  one: ReportRemark | undefined,
  parent: StructureElement,
  section: Bookmark | undefined,
): StackBlock => ({ stack: one === undefined ? [] : remarkBlocks(one, parent, section) });

const twoColumns = (columns: readonly Block[], dontBreakRows: boolean): Block => ({
  table: { headerRows: 0, dontBreakRows, widths: ['*', '*'], body: [columns] },
  layout: 'sides',
});
