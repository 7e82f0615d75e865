const LONGEST_NAME = 64;

/**
 * Returns the known name that was most likely meant; undefined when more than a third of the letters are wrong, missing,
 * extra or swapped with a neighbour. Ignores case, blanks and dashes. Names of more than 64 characters match nothing, which
 * bounds the time.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const given = bare(name);
  let nearest: string | undefined;
  let least = Math.floor(given.length / 3) + 1;
  for (const candidate of known) {
    if (candidate.length > LONGEST_NAME) continue;
    const other = bare(candidate);
    if (Math.abs(other.length - given.length) >= least) continue;
    const distance = editDistance(given, other);
    if (distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  return nearest;
}

/** Returns the `suggestion` of a warning, if any. */
export function suggested(name: string, known: Iterable<string>): { suggestion?: string } {
  const suggestion = nearestName(name, known);
  return suggestion === undefined ? {} : { suggestion };
}

const bare = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

/** Optimal string alignment distance: an insertion, deletion, replacement or swap of neighbours costs one. */
function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      const swapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        above[column]! + 1,
        current[column - 1]! + 1,
        above[column - 1]! + (same ? 0 : 1),
        swapped ? before[column - 2]! + 1 : Infinity,
      );
    }
    [before, above] = [above, current];
  }
  return above[other.length]!;
}
