import {
  type Block,
  child,
  rowHead,
  type SetText,
  type StructureElement,
  type TextStyle,
} from './definition.js';
import {
  COVER_GUIDED,
  COVER_HERO,
  COVER_HERO_LONG,
  COVER_HERO_VERY_LONG,
  COVER_TITLE,
  LABEL,
  LINK,
  PAGE,
  PALETTE,
  VALUE,
} from './look.js';
import { paragraph } from './parts.js';

const LABEL_WIDTH = 112;
/** Keeps a value of up to 40 characters on one line. */
const HERO_LINE = { upTo: 40, smallest: 8 };
export const VALUE_LINE = { upTo: 40, smallest: 7 };

/** Returns the logo, or the space for one. */
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

interface TitlePlace {
  readonly above?: number;
  readonly beneath?: number;
}

/** Distances from the masthead to the bar above the title. */
const MOST_ABOVE_TITLE = 170;
const LEAST_ABOVE_TITLE = 24;

/**
 * Builds the title of the document, and the address in the largest type. With `above`, the title is so many points below the
 * masthead and may be spread further down. Otherwise it moves up until `beneath` points fit under it on the page.
 */
export function coverTitle(
  { title, guided, address }: CoverTitle,
  section: StructureElement,
  place: TitlePlace = {},
): Block[] {
  const plain = { type: 'rect', x: 0, y: 0, w: 44, h: 4, color: PALETTE.accent } as const;
  const bar = place.above === undefined ? plain : ({ ...plain, spreads: 'title' } as const);
  const above = place.above ?? (isLong(address) ? 60 : aboveTitle(address, place.beneath));
  const style = address === undefined ? COVER_HERO : COVER_TITLE;
  const blocks: Block[] = [
    { canvas: [bar], margin: [0, above, 0, 16] },
    { text: '', set: { value: title, style, element: child(section, 'H1') } },
  ];
  if (guided) blocks.push(paragraph(section, 'Guided Self Inspection', COVER_GUIDED, [0, 2, 0, 0]));
  if (address !== undefined) {
    blocks.push(paragraph(section, address, heroStyle(address), [0, 14, 0, 0], { oneLine: HERO_LINE }));
  }
  return blocks;
}

/** A label with its value; `url` is the link of the value. */
export interface LabelledRow {
  readonly label: string;
  readonly value: string;
  readonly url?: string;
}

/**
 * Prints labels with their values, each of which may flow over any number of pages. In the structure tree they are the rows
 * of one table, headed by their labels.
 */
export function labelledValues(
  parent: StructureElement,
  rows: readonly LabelledRow[],
  width: number = LABEL_WIDTH,
): Block[] {
  const table = child(parent, 'Table');
  return rows.map(({ label, value, url }): Block => {
    const row = child(table, 'TR');
    const lead = { value: label, style: LABEL, width, element: rowHead(row) };
    const cell = child(row, 'TD');
    const set: SetText =
      url === undefined
        ? { value, style: VALUE, element: cell, lead, oneLine: VALUE_LINE }
        : { value, style: LINK, element: child(cell, 'Link'), lead, link: { url } };
    return { text: '', set, margin: [0, 0, 0, 5] };
  });
}

const MASTHEAD = 64;
/** Height of the bar and the title, with the distances around them. */
const TITLE = 54;
/** Letters on a line of an address in the largest type. */
const HERO_LETTERS = 30;

function aboveTitle(address: string | undefined, beneath: number | undefined): number {
  if (beneath === undefined) return MOST_ABOVE_TITLE;
  const { size, lineHeight } = heroStyle(address ?? '');
  const lines = address === undefined ? 0 : linesOf(address, (HERO_LETTERS * COVER_HERO.size) / size);
  const room = PAGE.height - PAGE.top - PAGE.bottom - MASTHEAD - TITLE - lines * size * lineHeight - beneath;
  return Math.max(LEAST_ABOVE_TITLE, Math.min(MOST_ABOVE_TITLE, room));
}

const LINE_END = /\r\n|[\n\r\u2028\u2029]/;

/** Estimates the lines of a text with `letters` on a line. */
export const linesOf = (text: string, letters: number): number =>
  text.split(LINE_END).reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / letters)), 0);

const isLong = (address: string | undefined): boolean => address !== undefined && address.length > 600;

/** Sets an address of up to about four lines in the largest type, longer ones like text. */
function heroStyle(address: string): TextStyle {
  if (address.length <= 140) return COVER_HERO;
  return address.length <= 600 ? COVER_HERO_LONG : COVER_HERO_VERY_LONG;
}

const space = (height: number) =>
  ({ type: 'rect', x: 0, y: 0, w: 0.1, h: height, color: '#ffffff' }) as const;
