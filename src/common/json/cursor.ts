import type { z } from 'zod';
import { InvalidRequest } from '../service-error.js';
import { parseJson } from './json-text.js';

/** Returns `nextCursor` for a page of a list that ends at this position: the values by which the list is sorted. */
export const cursorOf = (position: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** Returns the position in a cursor. Throws 400 for a text that `cursorOf` did not make. */
export function readCursor<Position>(cursor: string, position: z.ZodType<Position>): Position {
  try {
    return position.parse(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw new InvalidRequest([{ path: 'cursor', message: 'must be the nextCursor of an earlier answer' }]);
  }
}
