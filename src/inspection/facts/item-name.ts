import { normalForm } from '../../common/texts/normal-form.js';

const apart = /[^\p{L}\p{N}\p{M}\p{S}]+/gu;
const apostrophes = /[\u00b4\u0060\u02b9\u02bb\u02bc\u2018\u2019\u201b\u2032\uff07']/gu;

/**
 * Returns the form in which the names of items are compared (contract section 6). Ignores case, compatibility forms (width),
 * dashes, brackets and all other punctuation: `Front door, Yale` is `Front door (Yale)`. A name of punctuation alone is
 * compared as it is.
 */
export function normalizeItem(name: string): string {
  const text = normalForm(normalForm(name.replace(apostrophes, ''), 'NFKC').toLowerCase(), 'NFKC');
  return text.replace(apart, ' ').trim() || text.trim();
}
