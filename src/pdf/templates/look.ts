import type { TextStyle, Weight } from './definition.js';

/** The look of every document: one page grid, one accent colour, one scale of type. Lengths are in points. */
export const PALETTE = {
  ink: '#1b2126',
  muted: '#5c6770',
  accent: '#0f5a60',
  hairline: '#d3d9dd',
  mat: '#f1f4f5',
} as const;

export const PAGE = {
  width: 595.28,
  height: 841.89,
  left: 48,
  right: 48,
  top: 52,
  bottom: 62,
  footerBaseline: 32,
  headBaseline: 35,
} as const;

export const CONTENT_WIDTH = PAGE.width - PAGE.left - PAGE.right;

/** The most points of a picture's pixel: no picture is enlarged beyond 150 dots an inch. */
export const POINTS_A_DOT = 72 / 150;

/** The highest row of a table, and the highest rows together, that stand on one page. */
export const HIGHEST_ROW = 400;

/** The distance between the two columns of a page. */
export const COLUMN_GAP = 15.28;

const style = (
  size: number,
  weight: Weight,
  color: string,
  lineHeight: number,
  more: Partial<TextStyle> = {},
): TextStyle => ({ size, weight, color, lineHeight, ...more });

export const COVER_TITLE = style(15, 'semibold', PALETTE.accent, 1.3, { kern: true });
export const COVER_GUIDED = style(11.5, 'regular', PALETTE.muted, 1.4);
export const EDITION = style(10, 'semibold', PALETTE.accent, 1.45);
export const COVER_HERO = style(30, 'semibold', PALETTE.ink, 1.16, { kern: true });
export const COVER_HERO_LONG = style(14, 'semibold', PALETTE.ink, 1.3);
export const COVER_HERO_VERY_LONG = style(10, 'regular', PALETTE.ink, 1.35);
export const LABEL = style(9.5, 'regular', PALETTE.muted, 1.45);
export const VALUE = style(10.5, 'regular', PALETTE.ink, 1.4);
export const LINK = style(10.5, 'regular', PALETTE.accent, 1.4);
export const HEADING = style(19, 'semibold', PALETTE.ink, 1.25, { kern: true });
export const HEADING_NOTE = style(9.5, 'regular', PALETTE.muted, 1.25);
export const SUBHEADING = style(13, 'semibold', PALETTE.ink, 1.3, { kern: true });
export const NAME_HEADING = style(11, 'semibold', PALETTE.ink, 1.3, { kern: true });
export const BODY = style(10.5, 'regular', PALETTE.ink, 1.42);
export const NOTE = style(10.5, 'regular', PALETTE.muted, 1.42);
export const REMARK_LABEL = style(9, 'semibold', PALETTE.accent, 1.5);
export const REMARK_NAME = style(9, 'regular', PALETTE.muted, 1.4);
export const CONTENTS_ENTRY = style(11, 'regular', PALETTE.ink, 1.75);
export const CONTENTS_SUBENTRY = style(10, 'regular', PALETTE.muted, 1.6);
export const TABLE_HEAD = style(8.5, 'semibold', PALETTE.muted, 1.4);
export const TABLE_CELL = style(9.5, 'regular', PALETTE.ink, 1.4);
export const TABLE_CELL_STRONG = style(9.5, 'semibold', PALETTE.ink, 1.4);
export const TABLE_LINK = style(9.5, 'regular', PALETTE.accent, 1.4);
/** Its baseline is that of the other cells. */
export const TABLE_TAG = style(8.5, 'semibold', PALETTE.ink, 1.64);
export const TABLE_GROUP = style(9.5, 'semibold', PALETTE.accent, 1.4);
export const TABLE_NUMBER = style(9.5, 'regular', PALETTE.ink, 1.4, { alignment: 'right' });
export const TABLE_HEAD_NUMBER = style(8.5, 'semibold', PALETTE.muted, 1.4, { alignment: 'right' });
export const SIDE_LABEL = style(10.5, 'semibold', PALETTE.accent, 1.35);
export const SIDE_NOTE = style(9, 'regular', PALETTE.muted, 1.4);
export const PHOTOGRAPH_NUMBERS = style(9, 'regular', PALETTE.accent, 1.4);
export const METER_READING = style(22, 'semibold', PALETTE.ink, 1.25, { kern: true });
export const CAPTION_NUMBER = style(8.5, 'semibold', PALETTE.ink, 1.4);
export const CAPTION_STAMP = style(8.5, 'regular', PALETTE.muted, 1.4);
export const CAPTION_NOTE = style(9, 'regular', PALETTE.muted, 1.4);
export const PLACEHOLDER = style(9, 'regular', PALETTE.muted, 1.4);
export const MARK = style(11, 'semibold', '#ffffff', 1.3);
export const MARK_GROUND = '#a3271f';
/** The ground of a filled tag, dark in grey too, and the distance of the letters from the edges of any tag. */
export const TAG_GROUND = '#8f2018';
export const TAG_INDENT = 4;
export const FOOTER = style(8, 'regular', PALETTE.muted, 1.3);
