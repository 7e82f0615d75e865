import { type Block, child, type StructureElement, type TextStyle } from './definition.js';
import { CONTENTS_ENTRY, CONTENTS_SUBENTRY } from './look.js';
import { type Bookmark, type Bookmarks, heading, KEEP_TEXT } from './parts.js';

/** Letters on a line of an entry. */
const LETTERS = 80;

/**
 * Builds the contents: every section and sub-section with its page, each line a link. They begin a page or, with `onCover`,
 * are on the cover if all of them fit there.
 */
export function contentsList(
  bookmarks: Bookmarks,
  own: Bookmark,
  root: StructureElement,
  { onCover = false }: { onCover?: boolean } = {},
): Block[] {
  const section = child(root, 'Sect');
  const entries = bookmarks.all.filter((bookmark) => bookmark !== own);
  const whole = onCover ? { onCover: entries.reduce((sum, entry) => sum + heightOf(entry), 0) } : {};
  const title = heading({ bookmark: own, parent: section, keep: KEEP_TEXT, pageBreak: true, ...whole });
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
