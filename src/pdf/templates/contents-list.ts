import { type Block, child, type StructureElement, type TextStyle } from './definition.js';
import { CONTENTS_ENTRY, CONTENTS_SUBENTRY } from './look.js';
import { type Bookmark, type Bookmarks, heading, KEEP_TEXT } from './parts.js';

/** Points of entries that are not parted from each other. */
const MOST_KEPT = 300;
/** Letters on a line of an entry. */
const LETTERS = 80;

/**
 * Builds the contents: every section and sub-section with its page, each line a link. They begin a page; with `onCover`, they
 * are on the cover if all of them fit there, and with `inFlow` under what is before them.
 */
export function contentsList(
  bookmarks: Bookmarks,
  own: Bookmark,
  root: StructureElement,
  { onCover = false, inFlow = false }: { onCover?: boolean; inFlow?: boolean } = {},
): Block[] {
  const section = child(root, 'Sect');
  const entries = bookmarks.all.filter((bookmark) => bookmark !== own);
  const height = entries.reduce((sum, entry) => sum + heightOf(entry), 0);
  const keep = inFlow ? Math.min(height, MOST_KEPT) : KEEP_TEXT;
  const whole = onCover ? { onCover: height } : {};
  const title = heading({ bookmark: own, parent: section, keep, pageBreak: !inFlow, ...whole });
  const list = child(section, 'TOC');
  return [title, ...entries.map((bookmark) => entry(bookmark, list))];
}

const styleOf = ({ parentId }: Bookmark): TextStyle =>
  parentId === undefined ? CONTENTS_ENTRY : CONTENTS_SUBENTRY;

function heightOf(bookmark: Bookmark): number {
  const { size, lineHeight } = styleOf(bookmark);
  return Math.ceil(bookmark.title.length / LETTERS) * size * lineHeight;
}

function entry(bookmark: Bookmark, list: StructureElement): Block {
  const style = styleOf(bookmark);
  return {
    text: '',
    set: {
      value: bookmark.title,
      style,
      element: child(child(child(list, 'TOCI'), 'Reference'), 'Link'),
      trail: { pageOf: bookmark.id, style, width: 60 },
      link: { block: bookmark.id },
    },
    margin: [bookmark.parentId === undefined ? 0 : 14, 0, 0, 0],
  };
}
