const FEWEST = 7;
/** As many as a telephone number has in any country. */
const MOST = 15;

/**
 * The digits of a telephone number written for people, such as `+44 7700 900123` or `+44 (0)7700 900123`; nothing when the
 * text is none or is its digits already.
 */
export function digitsOfTelephone(text: string): string | undefined {
  if (!/^[\d\s+()[\]\p{Pd}]+$/u.test(text)) return undefined;
  const digits = text.replace(/^(\s*\+.*?)\(0\)/, '$1').replace(/\D/g, '');
  return digits !== text && digits.length >= FEWEST && digits.length <= MOST ? digits : undefined;
}
