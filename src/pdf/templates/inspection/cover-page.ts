import type { InspectionReport } from '../../../inspection/report/inspection-report.js';
import { coverTitle, type LabelledRow, labelledValues, masthead } from '../cover-parts.js';
import { type Block, child, type PlainVector, type StructureElement } from '../definition.js';
import { CONTENT_WIDTH, EDITION, PALETTE } from '../look.js';
import { paragraph } from '../parts.js';

/**
 * Builds the cover: logo, title, `Guided Self Inspection` if it is one, the address in the largest type, then who, when and
 * where. Values are printed as sent and may flow over pages; an absent value has no label. If space is left, the contents
 * follow; otherwise the details are at the foot of the page.
 */
export function coverPage(report: InspectionReport, root: StructureElement): Block[] {
  const section = child(root, 'Sect');
  const { cover } = report;
  const head = cover.logo === undefined ? [] : masthead(cover, section);
  const title = coverTitle(cover, section, { above: cover.logo === undefined ? 0 : 40 });
  return [...head, ...title, ...details(report, section)];
}

const RULE: PlainVector = {
  ...{ type: 'rect', x: 0, y: 0, w: CONTENT_WIDTH, h: 0.8 },
  ...{ color: PALETTE.accent, spreads: 'facts' },
};

function details(
  { cover, reportId, outstanding = [] }: InspectionReport,
  section: StructureElement,
): Block[] {
  const row = (label: string, value: string | undefined, url?: string): LabelledRow[] =>
    value === undefined ? [] : [{ label, value, ...(url === undefined ? {} : { url }) }];
  return [
    // A copy, because the layout engine writes into it.
    { canvas: [{ ...RULE }], margin: [0, 34, 0, 14] },
    ...(cover.edition === undefined ? [] : [editionLine(section, cover.edition)]),
    ...labelledValues(section, [
      ...cover.rows,
      ...row('Inspection date', cover.inspected),
      ...row('Report date', cover.reportDate),
      ...row('Location', cover.location?.text),
      ...row('Map', cover.location?.mapUrl, cover.location?.mapUrl),
      ...row('Report reference', reportId),
      ...row('Outstanding', outstanding.length === 0 ? undefined : outstanding.join(', ')),
    ]),
  ];
}

/** Keeps the line unbroken, so that a text search finds it. */
const editionLine = (section: StructureElement, line: string): Block =>
  paragraph(section, line, EDITION, [0, 0, 0, 9], { oneLine: { upTo: 120, smallest: 6 } });
