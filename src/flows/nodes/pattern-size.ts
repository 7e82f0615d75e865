/** A repetition: `{3}`, `{3,}` or `{3,5}`. */
const REPETITION = /^\{(\d{1,4})(?:,(\d{0,4}))?\}/;

/**
 * Estimates from its text how many instructions a pattern (RE2 syntax) compiles to: repetitions, also nested ones, are
 * expanded, which costs time and memory. Returns Infinity for quoted text (`\Q`), whose brackets are literal.
 */
export function patternSize(pattern: string): number {
  if (pattern.includes('\\Q')) return Infinity;
  /** The size of each open group so far, the outermost first. */
  const open = [0];
  let last = 0;
  const add = (size: number): void => {
    last = size;
    open[open.length - 1]! += size;
  };
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern[at]!;
    if (sign === '\\') {
      const isNamed = /[pPx]/.test(pattern[at + 1] ?? '') && pattern[at + 2] === '{';
      at = isNamed ? endOf(pattern, '}', at + 1) : at + 1;
      add(1);
    } else if (sign === '[') {
      at = endOf(pattern, ']', at + 1);
      add(1);
    } else if (sign === '(') open.push(0);
    else if (sign === ')' && open.length > 1) add(open.pop()! + 2);
    else {
      const [text = '', least = '', most = ''] =
        sign === '{' ? (REPETITION.exec(pattern.slice(at)) ?? []) : [];
      if (text === '') add(1);
      else {
        add(last * Math.max(0, Math.max(Number(least), Number(most)) - 1));
        at += text.length - 1;
      }
    }
  }
  return open.reduce((sum, size) => sum + size, 0);
}

/** Returns the position of the next such sign without a backslash before it, else of the last character. */
function endOf(pattern: string, sign: string, from: number): number {
  for (let at = from + 1; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++;
    else if (pattern[at] === sign) return at;
  }
  return pattern.length - 1;
}
