import { type Block, child, type StructureElement, type TextStyle } from './definition.js';
import {
  COVER_GUIDED,
  COVER_HERO,
  COVER_HERO_LONG,
  COVER_HERO_VERY_LONG,
  COVER_TITLE,
  LABEL,
  PALETTE,
  VALUE,
} from './look.js';
import { paragraph } from './parts.js';

const LABEL_WIDTH = 112;
/** A value of up to 40 characters stands unbroken. */
const HERO_LINE = { upTo: 40, smallest: 8 };
export const VALUE_LINE = { upTo: 40, smallest: 7 };

/** The logo, or the room for one. */
export function masthead(
  { logo, company }: { readonly logo?: string; readonly company?: string },
  section: StructureElement,
): Block[] {
  if (logo === undefined) return [{ canvas: [space(64)] }];
  const name = company === undefined ? 'Logo' : `Logo of ${company.slice(0, 200)}`;
  return [{ image: logo, fit: [190, 64], element: child(section, 'Figure', name) }];
}

interface CoverTitle {
  readonly title: string;
  readonly guided?: boolean;
  readonly address?: string;
}

/** What the document is, and the address as its largest words. */
export function coverTitle({ title, guided, address }: CoverTitle, section: StructureElement): Block[] {
  const bar = { type: 'rect', x: 0, y: 0, w: 44, h: 4, color: PALETTE.accent } as const;
  const style = address === undefined ? COVER_HERO : COVER_TITLE;
  const blocks: Block[] = [
    { canvas: [bar], margin: [0, isLong(address) ? 60 : 170, 0, 16] },
    { text: '', set: { value: title, style, element: child(section, 'H1') } },
  ];
  if (guided) blocks.push(paragraph(section, 'Guided Self Inspection', COVER_GUIDED, [0, 2, 0, 0]));
  if (address !== undefined) {
    blocks.push(paragraph(section, address, heroStyle(address), [0, 14, 0, 0], { oneLine: HERO_LINE }));
  }
  return blocks;
}

/** A label with its value beside it, a paragraph that may flow over any number of pages. */
export function labelled(
  parent: StructureElement,
  label: string,
  value: string,
  width: number = LABEL_WIDTH,
): Block {
  const lead = { value: label, style: LABEL, width };
  return paragraph(parent, value, VALUE, [0, 0, 0, 5], { lead, oneLine: VALUE_LINE });
}

const isLong = (address: string | undefined): boolean => address !== undefined && address.length > 600;

/** An address is a line or four; what is longer is set like text. */
function heroStyle(address: string): TextStyle {
  if (address.length <= 140) return COVER_HERO;
  return address.length <= 600 ? COVER_HERO_LONG : COVER_HERO_VERY_LONG;
}

const space = (height: number) =>
  ({ type: 'rect', x: 0, y: 0, w: 0.1, h: height, color: '#ffffff' }) as const;
