import { normalForm } from '../../common/texts/normal-form.js';

const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/gu;
const separators = /[\s\p{Pd}\p{Pc}\p{Cc}/\u2044\u2212\u2215]+/gu;
/** Characters typed as an apostrophe. Replaced before NFKC, which would decompose some of them. */
const apostrophes = /[\u00b4\u0060\u02b9\u02bb\u02bc\u2018\u2019\u201b\u2032\uff07]/gu;

/**
 * Returns the form in which area names are compared (contract section 6, rule 6). Ignores case, extra spaces, the
 * separators `-`, `_`, `/` and Unicode dashes, compatibility forms and the shape of apostrophes. A name of separators
 * alone becomes ''.
 */
export function normalizeArea(name: string): string {
  const text = name.replace(apostrophes, "'");
  return normalForm(normalForm(text, 'NFKC').toLowerCase(), 'NFKC')
    .replace(invisible, '')
    .replace(separators, ' ')
    .trim();
}
