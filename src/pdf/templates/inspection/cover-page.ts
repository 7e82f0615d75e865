import type { InspectionReport } from '../../../inspection/report/inspection-report.js';
import { type Block, child, type StructureElement, type TextStyle } from '../definition.js';
import {
  CONTENT_WIDTH,
  COVER_GUIDED,
  COVER_HERO,
  COVER_HERO_LONG,
  COVER_HERO_VERY_LONG,
  COVER_TITLE,
  LABEL,
  LINK,
  PALETTE,
  VALUE,
} from '../look.js';
import { paragraph } from '../parts.js';

const LABEL_WIDTH = 112;
/** A value of up to 40 characters stands unbroken. */
const HERO_LINE = { upTo: 40, smallest: 8 };
const VALUE_LINE = { upTo: 40, smallest: 7 };

/**
 * The cover: logo, title, `Guided Self Inspection` only when it is one, the address as the largest words, then who,
 * when and where. Every value stands as sent and flows on over pages if need be; an absent one prints no label.
 */
export function coverPage(report: InspectionReport, root: StructureElement): Block[] {
  const section = child(root, 'Sect');
  return [...masthead(report, section), ...titles(report, section), ...details(report, section)];
}

function masthead({ cover }: InspectionReport, section: StructureElement): Block[] {
  if (cover.logo === undefined) return [{ canvas: [space(64)] }];
  const figure = child(
    section,
    'Figure',
    cover.company === undefined ? 'Logo' : `Logo of ${cover.company.slice(0, 200)}`,
  );
  return [{ image: cover.logo, fit: [190, 64], element: figure }];
}

function titles({ cover }: InspectionReport, section: StructureElement): Block[] {
  const bar = { type: 'rect', x: 0, y: 0, w: 44, h: 4, color: PALETTE.accent } as const;
  const title = child(section, 'H1');
  const { address } = cover;
  const blocks: Block[] = [
    { canvas: [bar], margin: [0, isLong(address) ? 60 : 170, 0, 16] },
    {
      text: '',
      set: { value: cover.title, style: address === undefined ? COVER_HERO : COVER_TITLE, element: title },
    },
  ];
  if (cover.guided) blocks.push(paragraph(section, 'Guided Self Inspection', COVER_GUIDED, [0, 2, 0, 0]));
  if (address !== undefined) {
    blocks.push(paragraph(section, address, heroStyle(address), [0, 14, 0, 0], { oneLine: HERO_LINE }));
  }
  return blocks;
}

const isLong = (address: string | undefined): boolean => address !== undefined && address.length > 600;

/** An address is a line or four; what is longer is set like text. */
function heroStyle(address: string): TextStyle {
  if (address.length <= 140) return COVER_HERO;
  return address.length <= 600 ? COVER_HERO_LONG : COVER_HERO_VERY_LONG;
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

/** A label with its value beside it, a paragraph that may flow over any number of pages. */
export function labelled(parent: StructureElement, label: string, value: string): Block {
  const lead = { value: label, style: LABEL, width: LABEL_WIDTH };
  return paragraph(parent, value, VALUE, [0, 0, 0, 5], { lead, oneLine: VALUE_LINE });
}

function mapLink(section: StructureElement, url: string): Block {
  const lead = { value: 'Map', style: LABEL, width: LABEL_WIDTH };
  const element = child(child(section, 'P'), 'Link');
  return { text: '', set: { value: url, style: LINK, element, lead, link: { url } }, margin: [0, 0, 0, 5] };
}

const space = (height: number) =>
  ({ type: 'rect', x: 0, y: 0, w: 0.1, h: height, color: '#ffffff' }) as const;
