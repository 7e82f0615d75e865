import { parseArgs } from 'node:util';
import { WrongInput } from './source/move-source.js';

export const MOVE_USAGE = `Usage: npm run import:flowise -- --database <sqlite file | postgres url> [--key encryption.key] [--storage folder] [--dry-run]
Moves what a Flowise keeps into the database and the files of this service, which DATA_DIR, DATABASE_URL and STORAGE_URL name, beside a running service or without one. Run again it changes nothing that is here.
--database: the database of the Flowise. It is only read.
--key: the file encryption.key of the Flowise, which opens its credentials; FLOWISE_SECRETKEY_OVERWRITE stands for it.
--storage: the folder of its uploads.
--dry-run: says what would come, and writes nothing.
`;

/** How a move was asked for. */
export interface MoveArguments {
  database: string;
  key: string | undefined;
  storage: string | undefined;
  dryRun: boolean;
}

/** Throws `WrongInput` with the usage. */
export function readMoveArguments(given: readonly string[]): MoveArguments {
  try {
    const { values } = parseArgs({
      args: [...given],
      options: {
        database: { type: 'string' },
        key: { type: 'string' },
        storage: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
      },
    });
    const { database, key, storage, 'dry-run': dryRun } = values;
    if (!database) throw new Error('--database is missing.');
    return { database, key, storage, dryRun };
  } catch (error) {
    throw new WrongInput(`${(error as Error).message}\n${MOVE_USAGE}`);
  }
}
