import { existsSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import pg from 'pg';
import { databases, makePlace } from '../../../test/support/databases.js';
import { eventually } from '../../../test/support/eventually.js';
import { postgresReachable } from '../../../test/support/services.js';
import { openTestDatabase } from '../../../test/support/test-database.js';
import { WRITER_LOCK } from '../postgres/postgres-gate.js';
import { withUser } from './data-source.js';
import { migrate } from './migrate.js';
import { openExisting } from './open-existing.js';

describe.each(databases)('migrating on %s', (kind) => {
  it('does nothing the second time, and keeps what is there', async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    const database = await openTestDatabase(kind);
    await database.gate.write((tx) =>
      tx.run(`INSERT INTO executions (id, kind, status, started_at) VALUES ('e', 'render', 'running', 1)`),
    );
    await migrate(database.place.databaseUrl);
    expect(await database.reader.all('SELECT id FROM executions')).toEqual([{ id: 'e' }]);
    await database.close();
  });

  it('works when several processes start at once', async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    const place = await makePlace(kind);
    await Promise.all([1, 2, 3].map(() => migrate(place.databaseUrl)));
    await place.remove();
  });

  it('stops the start on a database of a newer version, naming what it does not know', async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    const database = await openTestDatabase(kind);
    await database.gate.write((tx) =>
      tx.run(`INSERT INTO migrations (timestamp, name) VALUES (9900000000000, 'FromTheFuture9900000000000')`),
    );
    await expect(migrate(database.place.databaseUrl)).rejects.toThrow(
      /newer version of the service \(FromTheFuture9900000000000\)/,
    );
    await database.close();
  });

  it.each([`UPDATE schema_baseline SET hash = 'another'`, 'DROP TABLE schema_baseline'])(
    'stops the start on a database with another schema (%s)',
    async (change) => {
      if (kind === 'postgres' && !(await postgresReachable())) return;
      const database = await openTestDatabase(kind);
      await database.gate.write((tx) => tx.run(change));
      await expect(migrate(database.place.databaseUrl)).rejects.toThrow(
        /^The database was made with another schema, .*: start the version that made it, or name an empty database/,
      );
      await database.close();
    },
  );
});

describe('migrating on PostgreSQL beside processes that serve', () => {
  it('waits for its turn among the writers', async () => {
    if (!(await postgresReachable())) return;
    const database = await openTestDatabase('postgres');
    const { databaseUrl } = database.place;
    await database.gate.write(async (tx) => {
      await tx.run('DROP TABLE processes');
      await tx.run(`DELETE FROM migrations WHERE name LIKE 'AddDatabase%'`);
    });
    const writer = new pg.Client({ connectionString: databaseUrl });
    await writer.connect();
    await writer.query('BEGIN');
    await writer.query(`SELECT pg_advisory_xact_lock(${WRITER_LOCK})`);
    const migrating = migrate(databaseUrl);
    await eventually(async () => (await writer.query(WAITING)).rows.length === 1);
    expect((await writer.query(`SELECT to_regclass('processes') AS made`)).rows).toEqual([{ made: null }]);
    await writer.query('COMMIT');
    await migrating;
    expect(await database.reader.all('SELECT id FROM processes')).toEqual([]);
    await writer.end();
    await database.close();
  });
});

const WAITING = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = ${WRITER_LOCK}
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

describe('an address without a user', () => {
  it.each([
    ['postgres://db.internal:5433/reports', `postgres://${userInfo().username}@db.internal:5433/reports`],
    [
      'postgres:///reports?host=/run/postgresql',
      `postgres:///reports?host=%2Frun%2Fpostgresql&user=${userInfo().username}`,
    ],
    ['postgres:///reports?host=/run/postgresql&user=jo', 'postgres:///reports?host=/run/postgresql&user=jo'],
    ['postgres://jo:secret@db.internal/reports', 'postgres://jo:secret@db.internal/reports'],
  ])('is that of the user of the system: %s', (url, whole) => expect(withUser(url)).toBe(whole));
});

describe('a command beside the service', () => {
  it('creates no database where there is none', async () => {
    const place = await makePlace('sqlite');
    const file = place.databaseUrl.replace('sqlite:', '');
    await expect(openExisting(place.databaseUrl)).rejects.toThrow(
      `There is no database ${file}. Set DATA_DIR or DATABASE_URL`,
    );
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, '');
    await expect(openExisting(place.databaseUrl)).rejects.toThrow('The database is empty.');
    await place.remove();
  });

  it('opens that of a service', async () => {
    const database = await openTestDatabase('sqlite');
    const dataSource = await openExisting(database.place.databaseUrl);
    expect(await dataSource.query('SELECT count(*) AS n FROM credit_accounts')).toEqual([{ n: 0 }]);
    await dataSource.destroy();
    await database.close();
  });
});
