import { parseArgs } from 'node:util';
import type { AppConfig } from '../common/app-config.js';
import { StoresHere } from '../flows/tools/document-store-ids.js';
import { type ForeignCredential, moveCredentials, readCredentials } from './belongings/credentials.js';
import { moveKeys } from './belongings/move-keys.js';
import { Passphrase } from './belongings/passphrase.js';
import { readTools, readVariables } from './belongings/read-tools-and-variables.js';
import { reportLeftovers } from './belongings/report-leftovers.js';
import { moveFlows } from './flows/move-flows.js';
import { moveHistory } from './history/move-history.js';
import { MoveReport } from './report/move-report.js';
import { Progress } from './report/progress.js';
import { reportTable } from './report/report-table.js';
import { checkSchema } from './source/known-tables.js';
import { type MoveSource, WrongInput } from './source/move-source.js';
import { PostgresSource } from './source/postgres-source.js';
import { SqliteSource } from './source/sqlite-source.js';
import { UploadPlaces } from './source/upload-places.js';
import type { Move } from './target/move-target.js';
import { openTarget } from './target/open-target.js';

/** The output of the command. */
interface Output {
  out(text: string): void;
  error(text: string): void;
}

/**
 * `npm run import:flowise` (contract section 9). Returns the exit code: 0 moved; 1 nothing could be moved, or the move
 * failed midway; 2 one of the two sides could not be opened, and nothing was moved.
 */
export async function importFlowise(
  given: readonly string[],
  config: AppConfig,
  output: Output,
): Promise<0 | 1 | 2> {
  const report = new MoveReport();
  try {
    await moveFrom(given, config, output, report);
    output.out(reportTable(report));
    return report.isEmptyHanded ? 1 : 0;
  } catch (error) {
    if (error instanceof WrongInput) {
      output.error(`${error.message}\n`);
      return 2;
    }
    output.out(reportTable(report));
    output.error(
      `The move failed midway: ${(error as Error).message}\nWhat the table counts as moved is here. Run the command again: it resumes where it ended.\n`,
    );
    return 1;
  }
}

async function moveFrom(
  given: readonly string[],
  config: AppConfig,
  output: Output,
  report: MoveReport,
): Promise<void> {
  const { database, key, storage, dryRun } = readMoveArguments(given);
  const passphrase = await Passphrase.read(key, config.flowiseSecretKey);
  const uploads = storage === undefined ? undefined : await UploadPlaces.in(storage);
  const source = await openSource(database);
  try {
    checkSchema(source, report);
    // Before this side is opened, so that a wrong key ends the move while nothing has been written.
    const credentials = await readCredentials(source, passphrase, report);
    const target = await openTarget(config, { dryRun });
    try {
      const progress = new Progress(target.clock, (line) => output.error(line));
      const move = { source, target, report, progress, dryRun, uploads, flowIds: new Set<string>() };
      await moveParts(move, credentials);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
  if (dryRun) report.note('This was a dry run: nothing was written.');
}

const openSource = (database: string): Promise<MoveSource> =>
  /^postgres(ql)?:\/\//.test(database) ? PostgresSource.open(database) : SqliteSource.open(database);

/** Moves what flows name, then the flows, then their chats. Each part can be repeated. */
async function moveParts(move: Move, opened: readonly ForeignCredential[]): Promise<void> {
  const credentials = await moveCredentials(move, opened);
  const keys = await moveKeys(move);
  const [tools, variables] = [await readTools(move.source), await readVariables(move.source)];
  const stores = new StoresHere(await move.target.stores.names());
  await moveFlows(move, { credentials, keys, tools, variables, stores });
  await moveHistory(move);
  await reportLeftovers(move, stores);
}

const MOVE_USAGE = `Usage: npm run import:flowise -- --database <sqlite file | postgres url> [--key encryption.key] [--storage folder] [--dry-run]
Moves the data of a Flowise into this service's database and files, which DATA_DIR, DATABASE_URL and STORAGE_URL name. The service may be running. Run again, it changes nothing that is here.
--database: the database of the Flowise. It is only read.
--key: the file encryption.key of the Flowise, which decrypts its credentials. FLOWISE_SECRETKEY_OVERWRITE replaces it.
--storage: the folder of its uploads.
--dry-run: reports what would be moved, and writes nothing.
`;

/** Options of a move. */
interface MoveArguments {
  database: string;
  key: string | undefined;
  storage: string | undefined;
  dryRun: boolean;
}

/** Throws `WrongInput` with the usage. */
function readMoveArguments(given: readonly string[]): MoveArguments {
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
