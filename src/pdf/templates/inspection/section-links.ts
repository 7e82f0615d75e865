import type { Bookmark } from '../parts.js';

/** Finds the heading of an area for links to it. */
export type AreaLinks = (area: string) => { readonly block?: string };

/** Returns the finder over the bookmarks of the areas; an area without a heading of its own is in Meters & Keys. */
export function areaLinks(bookmarks: readonly Bookmark[]): AreaLinks {
  const blocks = new Map<string, string>();
  for (const { title, id } of bookmarks) if (!blocks.has(title)) blocks.set(title, id);
  return (area) => {
    const block = blocks.get(area) ?? blocks.get('Meters & Keys');
    return block === undefined ? {} : { block };
  };
}
