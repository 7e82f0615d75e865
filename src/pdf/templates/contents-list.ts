import { type Block, child, type StructureElement } from './definition.js';
import { CONTENTS_ENTRY, CONTENTS_SUBENTRY } from './look.js';
import { type Bookmark, type Bookmarks, heading, KEEP_TEXT } from './parts.js';

/** The contents: every section and sub-section with its page, each line a link. */
export function contentsList(bookmarks: Bookmarks, own: Bookmark, root: StructureElement): Block[] {
  const section = child(root, 'Sect');
  const title = heading({ bookmark: own, parent: section, keep: KEEP_TEXT, pageBreak: true });
  const list = child(section, 'TOC');
  const entries = bookmarks.all.filter((bookmark) => bookmark !== own);
  return [title, ...entries.map((bookmark) => entry(bookmark, list))];
}

function entry(bookmark: Bookmark, list: StructureElement): Block {
  const style = bookmark.parentId === undefined ? CONTENTS_ENTRY : CONTENTS_SUBENTRY;
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
