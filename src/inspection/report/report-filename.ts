import { ukCompactDate } from './uk-time.js';

const LONGEST = 150;
const EXTENSION = '.pdf';
/**
 * Path, control (including direction marks) and quote characters, others that file systems refuse, and the mark that
 * replaces a NUL where a body is read.
 */
const STRIPPED = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\ufffd/\\:*?<>|"'`´«»‘-‟‹›]/gu;
const BLANKS = /[\s]+/g;

/**
 * Returns `<YYYYMMDD> <propertyNo> <postcode>.pdf` (description section 2.3) with the UK civil date of the render, at most
 * 150 characters. A missing part leaves no gap.
 */
export function reportFilename(
  meta: { readonly propertyNo?: string | undefined; readonly postcode?: string | undefined },
  now: number,
): string {
  const parts = [ukCompactDate(now), fileWords(meta.propertyNo), fileWords(meta.postcode)];
  const name = parts.filter((part) => part !== '').join(' ');
  return shorten(name, LONGEST - EXTENSION.length) + EXTENSION;
}

/** Returns a text as part of a file name. Reads only the first characters, since later ones never reach the name. */
export function fileWords(part: string | undefined): string {
  return (part ?? '').slice(0, 1_000).replace(STRIPPED, '').replace(BLANKS, ' ').trim();
}

/** Cuts between characters, never inside a surrogate pair. */
function shorten(name: string, length: number): string {
  if (name.length <= length) return name;
  const pairCut = /[\uD800-\uDBFF]/.test(name.charAt(length - 1));
  return name.slice(0, pairCut ? length - 1 : length).trimEnd();
}
