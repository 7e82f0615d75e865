/**
 * More marks on one letter than any language uses (UAX #15, stream-safe text). Sorting them takes quadratic time. The
 * pattern is bounded, because an unbounded quantifier can overflow the backtracking stack.
 */
const CROWDS = /(\p{M}{31,1000})/u;

/** Returns a text in a Unicode normal form in linear time; long sequences of marks stay unchanged. */
export function normalForm(text: string, form: 'NFC' | 'NFKC'): string {
  if (!CROWDS.test(text)) return text.normalize(form);
  const parts = text.split(CROWDS);
  return parts.map((part, index) => (index % 2 === 1 ? part : part.normalize(form))).join('');
}
