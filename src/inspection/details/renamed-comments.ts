import type { SqlReader } from '../../database/tx.js';
import type { SessionAddress } from '../session.js';
import { readDetails } from './details-rows.js';

/** `areaComments` of a record: the remarks of each area. */
export type AreaComments = { readonly [area: string]: readonly string[] };

/**
 * Returns the comments of the record with these areas under their new name, merged with those that it has already. Undefined
 * if none changes its name.
 */
export async function renamedComments(
  reader: SqlReader,
  session: SessionAddress,
  isMeant: (area: string) => boolean,
  to: string,
): Promise<AreaComments | undefined> {
  const { details } = await readDetails(reader, session);
  const comments = Object.entries((details['areaComments'] ?? {}) as AreaComments);
  const nameOf = (area: string): string => (isMeant(area) ? to : area);
  if (comments.every(([area]) => nameOf(area) === area)) return undefined;
  const renamed = new Map<string, readonly string[]>();
  for (const [area, remarks] of comments)
    renamed.set(nameOf(area), [...(renamed.get(nameOf(area)) ?? []), ...remarks]);
  return Object.fromEntries(renamed);
}
