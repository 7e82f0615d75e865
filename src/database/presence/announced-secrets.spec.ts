import { databases, makePlace, type TestPlace } from '../../../test/support/databases.js';
import { eventually } from '../../../test/support/eventually.js';
import { postgresReachable } from '../../../test/support/services.js';
import { openTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import type { ConfigError } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { adminKey, credentialsKey, linkSecret, sealKey } from '../../common/secrets/secret-kind.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { migrate } from '../open/migrate.js';
import { LateWrites } from '../writes/late-writes.js';
import { AnnouncedSecrets } from './announced-secrets.js';

const KINDS = [adminKey, linkSecret, sealKey, credentialsKey];

/** The four of one operator. */
const fresh = (): Record<string, string> =>
  Object.fromEntries(KINDS.map((kind) => [kind.variable, kind.fresh()]));

describe.each(databases)('the secrets of processes on one %s database', (kind) => {
  let place: TestPlace | undefined;
  const open: TestDatabase[] = [];

  beforeEach(async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    place = await makePlace(kind);
    await migrate(place.databaseUrl);
  });

  afterEach(async () => {
    for (const database of open.splice(0)) await database.close({ keep: true });
    await place?.remove();
    place = undefined;
  });

  /** Skips aloud (see `postgresReachable`) where the database is absent. */
  const rule = (name: string, body: () => Promise<void>) =>
    it(name, async () => {
      if (place) await body();
    });

  async function process(env: Record<string, string>) {
    const database = await openTestDatabase(kind, { place: place!, env });
    open.push(database);
    const { config, logger, presence, gate, reader } = database;
    const secrets = await Secrets.open(config, logger);
    const announced = new AnnouncedSecrets(
      ...([secrets, presence, gate, reader, new LateWrites(logger), new Clock(), logger, config] as const),
    );
    return { database, announced };
  }

  const faultsOf = (announced: AnnouncedSecrets): Promise<readonly string[]> =>
    announced.onModuleInit().then(
      () => [],
      (error: unknown) => (error as ConfigError).faults,
    );

  const announcedIds = async ({ reader }: TestDatabase) =>
    (await reader.all<{ id: string }>('SELECT id FROM processes')).map(({ id }) => id);

  rule('are compared with those of every living one, and the one that is another is named', async () => {
    const theirs = fresh();
    const first = await process(theirs);
    expect(await faultsOf(first.announced)).toEqual([]);
    expect(await faultsOf((await process(theirs)).announced)).toEqual([]);
    for (const { variable } of KINDS) {
      const other = await process({ ...theirs, [variable]: fresh()[variable]! });
      const faults = await faultsOf(other.announced);
      expect(faults).toEqual([
        expect.stringMatching(new RegExp(`^${variable}: differs from that of the processes`)),
      ]);
    }
    const { LINK_SECRET } = theirs;
    const others = await process({ ...fresh(), LINK_SECRET: LINK_SECRET! });
    expect((await faultsOf(others.announced)).map((fault) => fault.split(':')[0])).toEqual([
      'ADMIN_API_KEY',
      'SEAL_KEY',
      'CREDENTIALS_KEY',
    ]);
    expect(await announcedIds(first.database)).toHaveLength(2);
  });

  rule('stand beside the bucket of blobs, which is the same by its name and prefix', async () => {
    const theirs = {
      ...fresh(),
      AWS_ACCESS_KEY_ID: 'the key of the test',
      AWS_SECRET_ACCESS_KEY: 'the secret of the test',
    };
    const at = (place: string, endpoint: string) => ({
      ...theirs,
      STORAGE_URL: `s3://${place}?endpoint=http://127.0.0.1:${endpoint}`,
    });
    expect(await faultsOf((await process(at('blobs/here', '9000'))).announced)).toEqual([]);
    expect(await faultsOf((await process(at('blobs/here/', '9001'))).announced)).toEqual([]);
    for (const other of [at('others/here', '9000'), at('blobs/there', '9000'), theirs])
      expect(await faultsOf((await process(other)).announced)).toEqual([
        expect.stringMatching(/^STORAGE_URL: differs from that of the processes/),
      ]);
  });

  rule('are not shown by what is announced', async () => {
    const theirs = fresh();
    const { database, announced } = await process(theirs);
    await announced.onModuleInit();
    const rows = await database.reader.all('SELECT * FROM processes');
    for (const secret of Object.values(theirs)) expect(JSON.stringify(rows)).not.toContain(secret);
  });

  rule('of several starts at one moment are those of exactly one', async () => {
    for (let round = 0; round < 4; round++) {
      const starts = await Promise.all(Array.from({ length: 4 }, () => process(fresh())));
      const faults = await Promise.all(starts.map(({ announced }) => faultsOf(announced)));
      expect(faults.filter((each) => each.length === 0)).toHaveLength(1);
      for (const database of open.splice(0)) await database.close({ keep: true });
    }
  });

  rule('may be new when all others are gone, of whom nothing stays', async () => {
    const first = await process(fresh());
    await first.announced.onModuleInit();
    await first.database.close({ keep: true });
    open.length = 0;
    const second = await process(fresh());
    expect(await faultsOf(second.announced)).toEqual([]);
    await eventually(async () => (await announcedIds(second.database)).length === 1);
    expect(await announcedIds(second.database)).toEqual([second.database.presence.id]);
  });

  rule('are announced by nobody whose check fails', async () => {
    const { database, announced } = await process(fresh());
    announced.onCheck(async () => undefined);
    announced.onCheck(async () => 'CREDENTIALS_KEY: opens nothing.');
    expect(await faultsOf(announced)).toEqual(['CREDENTIALS_KEY: opens nothing.']);
    expect(await announcedIds(database)).toEqual([]);
  });
});
