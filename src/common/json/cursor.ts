import type { z } from 'zod';
import { InvalidRequest } from '../service-error.js';
import { parseJson } from './json-text.js';

/** Returns `nextCursor` for a page of a list that ends at this position: the values by which the list is sorted. */
export const cursorOf = (position: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** Returns a page of rows, of which one more than `limit` was read, by the position of its last one. */
export function pageOfRows<Row, Item>(
  rows: readonly Row[],
  limit: number,
  { shown, position }: { shown: (row: Row) => Item; position: (row: Row) => readonly (string | number)[] },
): { data: Item[]; nextCursor: string | null } {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    data: rows.slice(0, limit).map(shown),
    nextCursor: last === undefined ? null : cursorOf(position(last)),
  };
}

/** Returns the position in a cursor. Throws 400 for a text that `cursorOf` did not make. */
export function readCursor<Position>(cursor: string, position: z.ZodType<Position>): Position {
  try {
    return position.parse(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw new InvalidRequest([{ path: 'cursor', message: 'must be the nextCursor of an earlier answer' }]);
  }
}
