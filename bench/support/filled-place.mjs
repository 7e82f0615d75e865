/** A place with a long execution log. */
import sqlite3 from 'sqlite3';
import { makePlace } from '../../prove/support/place.mjs';
import { startService } from '../../prove/support/service.mjs';

/**
 * Returns a SQLite place with `rows` records that `sql` inserts: created by the service itself, filled while it is
 * stopped.
 */
export async function filledPlace(rows, sql) {
  const place = await makePlace('sqlite');
  await (await startService(place)).stop();
  const database = new sqlite3.Database(place.databaseUrl.slice('sqlite:'.length));
  const script = `PRAGMA synchronous = OFF; PRAGMA cache_size = -300000; ${sql};
    PRAGMA wal_checkpoint(TRUNCATE);`;
  await new Promise((resolve, reject) =>
    database.exec(script, (error) => (error ? reject(error) : resolve())),
  );
  const { records } = await new Promise((resolve, reject) =>
    database.get('SELECT count(*) AS records FROM executions', (error, row) =>
      error ? reject(error) : resolve(row),
    ),
  );
  if (records !== rows) throw new Error(`${records} records instead of ${rows}`);
  await new Promise((resolve) => database.close(resolve));
  return place;
}
