import { ukCompactDate } from './uk-time.js';

const LONGEST = 150;
const EXTENSION = '.pdf';
/** Path, control (also the invisible direction marks) and quote characters, and what no file system takes. */
const STRIPPED = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}/\\:*?<>|"'`´«»‘-‟‹›]/gu;
const BLANKS = /[\s]+/g;

/**
 * `<YYYYMMDD> <propertyNo> <postcode>.pdf` (description section 2.3): the UK civil date of the render; a missing part leaves
 * no gap; at most 150 characters.
 */
export function reportFilename(
  meta: { readonly propertyNo?: string | undefined; readonly postcode?: string | undefined },
  now: number,
): string {
  const parts = [ukCompactDate(now), fileWords(meta.propertyNo), fileWords(meta.postcode)];
  const name = parts.filter((part) => part !== '').join(' ');
  return shorten(name, LONGEST - EXTENSION.length) + EXTENSION;
}

/** A text as a part of a file's name. Only the first characters can reach the name, so only those are looked at. */
export function fileWords(part: string | undefined): string {
  return (part ?? '').slice(0, 1_000).replace(STRIPPED, '').replace(BLANKS, ' ').trim();
}

/** Cuts between characters, never inside a surrogate pair. */
function shorten(name: string, length: number): string {
  if (name.length <= length) return name;
  const pairCut = /[\uD800-\uDBFF]/.test(name.charAt(length - 1));
  return name.slice(0, pairCut ? length - 1 : length).trimEnd();
}
