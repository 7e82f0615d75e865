import type { Warning } from '../../../common/warnings.js';

const MOST_NAMED = 20;

/** The warning that names the characters which were drawn as gaps; none where none was (contract section 6, rule 11). */
export function unprintableCharacters(gaps: ReadonlySet<number>): Warning[] {
  if (gaps.size === 0) return [];
  const names = [...gaps].slice(0, MOST_NAMED).map(nameOf).join(', ');
  const more = gaps.size > MOST_NAMED ? ` and ${gaps.size - MOST_NAMED} more` : '';
  const message = `No font has ${names}${more}: each prints as a framed gap.`;
  return [{ code: 'unprintable_characters', message }];
}

/** `U+10D0 "ა"`; a control is named by its number alone. */
function nameOf(codePoint: number): string {
  const number = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  const character = String.fromCodePoint(codePoint);
  return /[\p{C}\p{Z}]/u.test(character) ? number : `${number} "${character}"`;
}
