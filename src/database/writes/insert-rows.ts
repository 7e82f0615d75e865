import type { SqlValue, Tx } from '../tx.js';

const MOST_ROWS = 64;

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
  const returns = tail.includes('RETURNING');
  let from = 0;
  let size = MOST_ROWS;
  while (from < rows.length) {
    if (rows.length - from < size) {
      size /= 2;
      continue;
    }
    const group = rows.slice(from, from + size);
    const row = `(${group[0]!.map(() => '?').join(', ')})`;
    const sql = `${head} ${Array<string>(size).fill(row).join(', ')} ${tail}`;
    if (returns) returned.push(...(await tx.all<Returned>(sql, group.flat())));
    else await tx.send(sql, group.flat());
    from += size;
  }
  return returned;
}
