/**
 * More marks on one letter than any language writes (UAX #15, stream-safe text). Sorting them takes the square of their
 * number. The pattern is bounded: an unbounded quantifier can overflow the backtracking stack.
 */
const CROWDS = /(\p{M}{31,1000})/u;

/** A text in a Unicode normal form, in linear time: crowds of marks stay as they are. */
export function normalForm(text: string, form: 'NFC' | 'NFKC'): string {
  if (!CROWDS.test(text)) return text.normalize(form);
  const parts = text.split(CROWDS);
  return parts.map((part, index) => (index % 2 === 1 ? part : part.normalize(form))).join('');
}
