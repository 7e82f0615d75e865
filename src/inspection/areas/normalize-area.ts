import { normalForm } from '../../common/texts/normal-form.js';

const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/gu;
const separators = /[\s\p{Pd}\p{Cc}/\u2044\u2212\u2215]+/gu;

/**
 * The form in which area names are compared (description section 2.5): capitals, extra spaces and the separators
 * `-`, `/` and Unicode dashes make no difference, nor do compatibility forms. A name of separators alone becomes ''.
 */
export function normalizeArea(name: string): string {
  return normalForm(normalForm(name, 'NFKC').toLowerCase(), 'NFKC')
    .replace(invisible, '')
    .replace(separators, ' ')
    .trim();
}
