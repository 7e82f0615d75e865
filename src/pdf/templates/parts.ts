import { shortened } from '../../common/texts/cut-text.js';
import type { ReportRemark } from '../../inspection/report/inspection-report.js';
import {
  type CanvasBlock,
  child,
  type Margin,
  type SetText,
  type StackBlock,
  type StructureElement,
  type TextBlock,
  type TextStyle,
} from './definition.js';
import {
  BODY,
  CONTENT_WIDTH,
  HEADING,
  HEADING_NOTE,
  NAME_HEADING,
  PALETTE,
  REMARK_LABEL,
  REMARK_NAME,
  SUBHEADING,
} from './look.js';

/** Returns a paragraph of any length, as an element of its own under `parent`. */
export function paragraph(
  parent: StructureElement,
  value: string,
  style: TextStyle,
  margin: Margin = [0, 0, 0, 0],
  more: Partial<Omit<SetText, 'value' | 'style' | 'element'>> = {},
): TextBlock {
  return { text: '', set: { value, style, element: child(parent, 'P'), ...more }, margin };
}

/** A target of contents and bookmarks. */
export interface Bookmark {
  readonly id: string;
  readonly title: string;
  readonly parentId?: string;
}

/** Generated ids and the list of all bookmarks of one document, in its order. */
export class Bookmarks {
  readonly all: Bookmark[] = [];

  add(title: string, parentId?: string): Bookmark {
    const bookmark = {
      id: `s${this.all.length + 1}`,
      title,
      ...(parentId === undefined ? {} : { parentId }),
    };
    this.all.push(bookmark);
    return bookmark;
  }
}

/** Height of the first lines after a heading, which stay with it. */
export const KEEP_TEXT = 48;
/** With the distance above them. */
const HEADING_HEIGHT = 64;
export const SUBHEADING_HEIGHT = 30;

interface HeadingOptions {
  readonly bookmark: Bookmark;
  readonly parent: StructureElement;
  /** Points of the content that must be under the heading on its page. */
  readonly keep: number;
  readonly note?: string;
  readonly pageBreak?: boolean;
  /** Height of the whole section, if it may be on the cover. */
  readonly onCover?: number;
}

/** Returns a section's heading under a hairline that begins in the accent colour. */
export function heading({
  bookmark,
  parent,
  keep,
  note,
  pageBreak,
  onCover = Infinity,
}: HeadingOptions): StackBlock {
  const rule: CanvasBlock = {
    canvas: [
      { type: 'rect', x: 0, y: 0, w: CONTENT_WIDTH, h: 0.6, color: PALETTE.hairline },
      { type: 'rect', x: 0, y: 0, w: 34, h: 2, color: PALETTE.accent },
    ],
  };
  return {
    stack: [
      rule,
      headingText('H2', HEADING, [0, 7, 0, 8], { bookmark, parent, ...(note === undefined ? {} : { note }) }),
    ],
    keep: keep + HEADING_HEIGHT,
    onCover: onCover + HEADING_HEIGHT,
    ...(pageBreak ? { pageBreak: 'before' } : {}),
    ...(pageBreak && onCover === Infinity ? {} : { margin: [0, 22, 0, 0] }),
  };
}

/** Returns a heading within a section. */
export function subheading({ bookmark, parent, keep, note }: HeadingOptions): TextBlock {
  const options = { bookmark, parent, ...(note === undefined ? {} : { note }) };
  return { ...headingText('H3', SUBHEADING, [0, 8, 0, 5], options), keep: keep + SUBHEADING_HEIGHT };
}

/** With the distance above it. */
export const NAME_HEIGHT = 24;

/** Returns a heading without a bookmark: within an area the own name of the photographs under it. */
export const nameHeading = (
  parent: StructureElement,
  value: string,
  keep: number,
  role: 'H3' | 'H4' = 'H4',
): TextBlock => ({
  text: '',
  set: { value, style: NAME_HEADING, element: child(parent, role), oneLine: { upTo: 80, smallest: 9 } },
  margin: [0, 4, 0, 5],
  keep: keep + NAME_HEIGHT,
});

function headingText(
  role: 'H2' | 'H3',
  style: TextStyle,
  margin: Margin,
  { bookmark, parent, note }: Pick<HeadingOptions, 'bookmark' | 'parent' | 'note'>,
): TextBlock {
  return {
    text: '',
    set: {
      value: bookmark.title,
      style,
      element: child(parent, role),
      oneLine: { upTo: 80, smallest: 9 },
      ...(note === undefined ? {} : { trail: { value: note, style: HEADING_NOTE, width: 110 } }),
    },
    margin,
    id: bookmark.id,
    outline: true,
    outlineText: shortened(bookmark.title, LONGEST_BOOKMARK),
    ...(bookmark.parentId === undefined ? {} : { outlineParentId: bookmark.parentId }),
  };
}

/** Characters of a title on a line of a side bar. */
const LONGEST_BOOKMARK = 200;

/**
 * Prints a whole remark under `Additional Comment`, and above that its own name if it differs from the heading (contract
 * section 6, rules 7 and 10). `section` is the heading to which it belongs if a sub-heading is between them.
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
  return blocks.map((block) => ({ ...block, continuesSection: section.id }));
}
