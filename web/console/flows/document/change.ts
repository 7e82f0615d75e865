/** A replacement in a text: the range `from`–`to` becomes `insert`. */
export interface Change {
  from: number;
  to: number;
  insert: string;
}

/** Applies changes that do not overlap, sorted by position, all in coordinates of the given text. */
export function applied(text: string, changes: readonly Change[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { from, to, insert } of changes) {
    pieces.push(text.slice(at, from), insert);
    at = to;
  }
  return pieces.join('') + text.slice(at);
}

/** Returns the changes that undo the given ones, in coordinates of the text after them. */
export function inverse(text: string, changes: readonly Change[]): Change[] {
  let shift = 0;
  return changes.map(({ from, to, insert }) => {
    const start = from + shift;
    shift += insert.length - (to - from);
    return { from: start, to: start + insert.length, insert: text.slice(from, to) };
  });
}

/** Returns the one change between two texts, without their common beginning and end. */
export function changeBetween(before: string, after: string): Change[] {
  if (before === after) return [];
  const least = Math.min(before.length, after.length);
  let from = 0;
  while (from < least && before[from] === after[from]) from++;
  let end = 0;
  while (end < least - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return [{ from, to: before.length - end, insert: after.slice(from, after.length - end) }];
}
