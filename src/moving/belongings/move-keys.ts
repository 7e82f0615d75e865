import { scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { columnInstant, columnText, type SourceRow } from '../../flows/import/rows/row-values.js';
import type { Move } from '../target/move-target.js';

/** The least length of a migrated key, so that nobody can guess it (contract section 4). */
const LEAST_CHARACTERS = 20;

const derive = promisify<string, string, number, Buffer>(scrypt);

/**
 * Moves the API keys with their values, so that their holders can keep using them. Returns the ids of those that open flows
 * here; a flow that needs another key stays closed.
 */
export async function moveKeys(move: Move): Promise<Set<string>> {
  const usable = new Set<string>();
  let some = false;
  for await (const row of move.source.rows('apikey')) {
    const id = columnText(row['id']);
    if (id === undefined) continue;
    some = true;
    const name = columnText(row['keyName'])?.trim().slice(0, 200).toWellFormed() || id;
    const why = await whyNot(row);
    if (why !== undefined) move.report.left('key', why, name);
    else if (await moveKey(move, row, { id, name })) usable.add(id);
  }
  if (some)
    move.report.note('An API key opens only the flows that name it: permissions of keys were not moved.');
  return usable;
}

async function moveKey(
  { target, report, dryRun }: Move,
  row: SourceRow,
  named: { id: string; name: string },
): Promise<boolean> {
  const key = columnText(row['apiKey'])!;
  const state = await target.apiKeys.stateOf(named.id, key);
  if (state === undefined) {
    const createdAt = columnInstant(row['createdDate']) ?? target.clock.now();
    if (!dryRun) await target.writes.after(() => target.apiKeys.adopt({ ...named, key, createdAt }));
    report.came('key');
    return true;
  }
  if (state === 'valid') report.here('key');
  else
    report.here(
      'key',
      state === 'revoked' ? 'it was revoked here and stays so' : 'it has another value here, which stays',
      named.name,
    );
  return true;
}

async function whyNot(row: SourceRow): Promise<string | undefined> {
  const key = columnText(row['apiKey']);
  if (key === undefined) return 'its value is not in the database; create a key here and set it on the flows';
  if (key.length < LEAST_CHARACTERS)
    return `its value has fewer than ${LEAST_CHARACTERS} characters, which is too short for a key here; create another`;
  if (!/^[\x21-\x7e]{1,1024}$/.test(key)) return 'its value cannot be sent in a header; create another';
  if (!(await isWhole(key, columnText(row['apiSecret']))))
    return 'the value in the database does not match its hash, so it is not the whole key; create another';
  return undefined;
}

/** Compares the value with the hash of the other service, `<hex of scrypt>.<salt>`. */
async function isWhole(key: string, secret: string | undefined): Promise<boolean> {
  const [, hash, salt] = /^([0-9a-f]{128})\.([^.]+)$/.exec(secret ?? '') ?? [];
  if (hash === undefined || salt === undefined) return true;
  const stored = Buffer.from(hash, 'hex');
  return timingSafeEqual(stored, await derive(key, salt, stored.length));
}
