import type { InspectionReport } from '../../../inspection/report/inspection-report.js';
import { coverTitle, labelled, masthead } from '../cover-parts.js';
import { type Block, child, type StructureElement } from '../definition.js';
import { CONTENT_WIDTH, LABEL, LINK, PALETTE } from '../look.js';

const LABEL_WIDTH = 112;

/**
 * The cover: logo, title, `Guided Self Inspection` only when it is one, the address as the largest words, then who,
 * when and where. Every value stands as sent and flows on over pages if need be; an absent one prints no label.
 */
export function coverPage(report: InspectionReport, root: StructureElement): Block[] {
  const section = child(root, 'Sect');
  const { cover } = report;
  return [...masthead(cover, section), ...coverTitle(cover, section), ...details(report, section)];
}

function details({ cover, reportId }: InspectionReport, section: StructureElement): Block[] {
  const rule = { type: 'rect', x: 0, y: 0, w: CONTENT_WIDTH, h: 0.6, color: PALETTE.hairline } as const;
  const row = (label: string, value: string | undefined): Block[] =>
    value === undefined ? [] : [labelled(section, label, value)];
  return [
    { canvas: [rule], margin: [0, 34, 0, 14] },
    ...row('Company', cover.company),
    ...row('Inspector', cover.assessor),
    ...row('Tenant', cover.tenant),
    ...row('Report date', cover.reportDate),
    ...row('Location', cover.location?.text),
    ...(cover.location ? [mapLink(section, cover.location.mapUrl)] : []),
    ...row('Report reference', reportId),
  ];
}

function mapLink(section: StructureElement, url: string): Block {
  const lead = { value: 'Map', style: LABEL, width: LABEL_WIDTH };
  const element = child(child(section, 'P'), 'Link');
  return { text: '', set: { value: url, style: LINK, element, lead, link: { url } }, margin: [0, 0, 0, 5] };
}
