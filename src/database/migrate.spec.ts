import { type DatabaseKind, makePlace } from '../../test/support/databases.js';
import { postgresReachable } from '../../test/support/services.js';
import { openTestDatabase } from '../../test/support/test-database.js';
import { migrate } from './migrate.js';

describe.each<DatabaseKind>(['sqlite', 'postgres'])('migrating on %s', (kind) => {
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
});
