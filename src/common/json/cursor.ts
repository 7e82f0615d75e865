import type { z } from 'zod';
import { InvalidRequest } from '../service-error.js';
import { parseJson } from './json-text.js';

/** Where a page of a list ended, as `nextCursor` says it: the values that the list is sorted by. */
export const cursorOf = (position: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** The position that `cursorOf` was given. Throws 400 for any text that it did not make. */
export function readCursor<Position>(cursor: string, position: z.ZodType<Position>): Position {
  try {
    return position.parse(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw new InvalidRequest([{ path: 'cursor', message: 'must be the nextCursor of an earlier answer' }]);
  }
}
