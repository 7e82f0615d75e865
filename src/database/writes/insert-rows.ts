import { textByCount } from '../shared-read.js';
import type { SqlValue, Tx } from '../tx.js';

const MOST_ROWS = 64;

/** Texts of inserts, by head and tail. */
const inserts = new Map<string, Map<string, (count: number) => string>>();

function insertOf(head: string, tail: string, columns: number): (count: number) => string {
  let byTail = inserts.get(head);
  if (!byTail) inserts.set(head, (byTail = new Map<string, (count: number) => string>()));
  const known = byTail.get(tail);
  if (known) return known;
  const row = `(${Array<string>(columns).fill('?').join(', ')})`;
  const made = textByCount((count) => `${head} ${Array<string>(count).fill(row).join(', ')} ${tail}`);
  byTail.set(tail, made);
  return made;
}

/**
 * Inserts many rows with few statements in groups of 64, 32, 16 … rows, so that there are seven texts of a statement and
 * they stay prepared. `head` ends with VALUES; `tail` is the conflict clause and RETURNING.
 */
export async function insertRows<Returned = never>(
  tx: Tx,
  head: string,
  tail: string,
  rows: readonly (readonly SqlValue[])[],
): Promise<Returned[]> {
  const returned: Returned[] = [];
  if (rows.length === 0) return returned;
  const insert = insertOf(head, tail, rows[0]!.length);
  const returns = tail.includes('RETURNING');
  let from = 0;
  let size = MOST_ROWS;
  while (from < rows.length) {
    if (rows.length - from < size) {
      size /= 2;
      continue;
    }
    const group = rows.slice(from, from + size);
    if (returns) returned.push(...(await tx.all<Returned>(insert(size), group.flat())));
    else await tx.send(insert(size), group.flat());
    from += size;
  }
  return returned;
}
