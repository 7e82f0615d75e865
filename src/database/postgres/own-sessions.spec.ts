import pg from 'pg';
import { makePlace, type TestPlace } from '../../../test/support/databases.js';
import { describeOnPostgres } from '../../../test/support/on-postgres.js';
import { type PgBouncer, startPgBouncer } from '../../../test/support/pgbouncer.js';
import { installed, postgresReachable } from '../../../test/support/services.js';
import type { ConfigError } from '../../common/app-config.js';
import { requireUsable } from '../open/data-source.js';

/** The setting of an operator whose clients all send `options`. */
const DROPPED = { ignore_startup_parameters: 'options' };

describeOnPostgres('the address of a PostgreSQL database', () => {
  let place: TestPlace | undefined;
  let bouncer: PgBouncer | undefined;

  beforeEach(async () => {
    if (await postgresReachable()) place = await makePlace('postgres');
  });

  afterEach(async () => {
    await bouncer?.stop();
    await place?.remove();
    place = bouncer = undefined;
  });

  const faultsOf = (url: string): Promise<readonly string[]> =>
    requireUsable(url).then(
      () => [],
      (error: unknown) => (error as ConfigError).faults,
    );

  it('of the server itself is taken', async () => {
    if (place) expect(await faultsOf(place.databaseUrl)).toEqual([]);
  });

  it('of PgBouncer as it is installed is refused, whatever its mode, since it refuses settings', async () => {
    if (!place || !installed('pgbouncer')) return;
    for (const pool_mode of ['session', 'transaction', 'statement']) {
      bouncer = await startPgBouncer(place.databaseUrl, { pool_mode });
      expect(await faultsOf(bouncer.url)).toEqual([
        expect.stringMatching(/^DATABASE_URL: .*pooler.* refuses .*options.*Name the PostgreSQL server/),
      ]);
      await bouncer.stop();
    }
  });

  it('of PgBouncer that drops the settings is refused, and they are named', async () => {
    if (!place || !installed('pgbouncer')) return;
    bouncer = await startPgBouncer(place.databaseUrl, { pool_mode: 'session', ...DROPPED });
    const [fault] = await faultsOf(bouncer.url);
    expect(fault).toMatch(/drops the settings of a connection \(.*default_transaction_read_only/);
  });

  /** Settings that the database gives to every session itself, so that nothing is dropped. */
  async function givenByDatabase({ databaseUrl }: TestPlace) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const name = new URL(databaseUrl).pathname.slice(1);
    for (const setting of [
      'idle_in_transaction_session_timeout = 5000',
      'lock_timeout = 12000',
      'default_transaction_read_only = on',
    ])
      await client.query(`BEGIN READ WRITE; ALTER DATABASE ${name} SET ${setting}; COMMIT`);
    await client.end();
  }

  it.each([
    ['transaction', { server_round_robin: 0 }],
    ['transaction', { server_round_robin: 1 }],
    ['transaction', { default_pool_size: 2 }],
    ['statement', {}],
  ])('of PgBouncer in %s mode %j is refused, settings or not', async (pool_mode, more) => {
    if (!place || !installed('pgbouncer')) return;
    await givenByDatabase(place);
    bouncer = await startPgBouncer(place.databaseUrl, { pool_mode, ...DROPPED, ...more });
    // Servers that others left idle.
    const idle = Array.from({ length: 2 }, () => new pg.Client({ connectionString: bouncer!.url }));
    await Promise.all(idle.map((client) => client.connect()));
    await Promise.all(idle.map((client) => client.query('SELECT pg_sleep(0.2)')));
    await Promise.all(idle.map((client) => client.end()));
    const [fault] = await faultsOf(bouncer.url);
    expect(fault).toMatch(pool_mode === 'statement' ? /refuses what a connection needs/ : /transaction mode/);
  });

  it('of PgBouncer in session mode whose sessions have the settings is taken', async () => {
    if (!place || !installed('pgbouncer')) return;
    await givenByDatabase(place);
    bouncer = await startPgBouncer(place.databaseUrl, { pool_mode: 'session', ...DROPPED });
    expect(await faultsOf(bouncer.url)).toEqual([]);
  });
});
