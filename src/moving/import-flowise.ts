import type { AppConfig } from '../common/app-config.js';
import { Passphrase } from './belongings/passphrase.js';
import { readCredentials } from './belongings/read-credentials.js';
import { readMoveArguments } from './move-arguments.js';
import { moveHouse } from './move-house.js';
import { MoveReport } from './report/move-report.js';
import { Progress } from './report/progress.js';
import { reportTable } from './report/report-table.js';
import { tellSchema } from './source/known-tables.js';
import { type MoveSource, WrongInput } from './source/move-source.js';
import { PostgresSource } from './source/postgres-source.js';
import { SqliteSource } from './source/sqlite-source.js';
import { UploadPlaces } from './source/upload-places.js';
import { openTarget } from './target/open-target.js';

/** Where a move says how it goes. */
export interface Told {
  out(text: string): void;
  error(text: string): void;
}

/**
 * `npm run import:flowise` (contract section 9). Answers the exit code: 0 moved, 1 nothing could be moved or it failed on its way, 2 one of the
 * two sides could not be opened as asked and nothing was moved.
 */
export async function importFlowise(
  given: readonly string[],
  config: AppConfig,
  told: Told,
): Promise<0 | 1 | 2> {
  const report = new MoveReport();
  try {
    await moveFrom(given, config, told, report);
    told.out(reportTable(report));
    return report.isEmptyHanded ? 1 : 0;
  } catch (error) {
    if (error instanceof WrongInput) {
      told.error(`${error.message}\n`);
      return 2;
    }
    told.out(reportTable(report));
    told.error(
      `The move ended on its way: ${(error as Error).message}\nWhat the table says came is here. Run it again: it goes on where it ended.\n`,
    );
    return 1;
  }
}

async function moveFrom(
  given: readonly string[],
  config: AppConfig,
  told: Told,
  report: MoveReport,
): Promise<void> {
  const { database, key, storage, dryRun } = readMoveArguments(given);
  const passphrase = await Passphrase.read(key, config.flowiseSecretKey);
  const uploads = storage === undefined ? undefined : await UploadPlaces.in(storage);
  const source = await openSource(database);
  try {
    tellSchema(source, report);
    // Before this side is opened: a wrong key ends the move while nothing of it was touched.
    const credentials = await readCredentials(source, passphrase, report);
    const target = await openTarget(config, { dryRun });
    try {
      const progress = new Progress(target.clock, (line) => told.error(line));
      const move = { source, target, report, progress, dryRun, uploads, flowIds: new Set<string>() };
      await moveHouse(move, credentials);
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
