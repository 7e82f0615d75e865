import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnnouncedSecrets } from '../src/database/presence/announced-secrets.js';
import { ProcessPresence } from '../src/database/presence/process-presence.js';
import { startTestApp } from './support/app.js';
import { startBehindProxy } from './support/behind-proxy.js';
import { databases, makePlace, type TestPlace } from './support/databases.js';
import { eventually } from './support/eventually.js';
import { describeOnPostgres } from './support/on-postgres.js';
import { terminateSpeakers } from './support/postgres-proxy.js';
import { type ServiceProcess, startService } from './support/service-process.js';
import { postgresReachable } from './support/services.js';
import { openTestDatabase } from './support/test-database.js';

const OTHER_LINK_SECRET = 'the-link-secret-of-another-operator-who-is-here';

describe.each(databases)('services started on one %s database', (kind) => {
  let place: TestPlace | undefined;
  const started: ServiceProcess[] = [];

  beforeEach(async () => {
    if (kind === 'sqlite' || (await postgresReachable())) place = await makePlace(kind);
  });

  afterEach(async () => {
    for (const service of started.splice(0)) await service.kill();
    await place?.remove();
    place = undefined;
  });

  /** Skips with a message (see `postgresReachable`) without the database. */
  const rule = (name: string, body: (place: TestPlace) => Promise<void>) =>
    it(name, async () => {
      if (place) await body(place);
    });

  const start = (env: Record<string, string> = {}) => {
    const service = startService({
      ...{ DATA_DIR: place!.dataDir, DATABASE_URL: place!.databaseUrl, ...env },
    });
    started.push(service);
    return service;
  };

  const fileOf = (name: string) => join(place!.dataDir, name);

  rule('do not start beside one with another secret, which they name', async ({ dataDir }) => {
    const first = await start().ready;
    const ready = async () => (await fetch(`${first}/health/ready`)).status;
    expect(await ready()).toBe(200);

    const byVariable = start({ ADMIN_API_KEY: 'another-key-than-theirs' });
    expect(await byVariable.exit).toBe(1);
    expect(byVariable.said()).toContain('The service cannot start:\n  - ADMIN_API_KEY: differs from');
    expect(byVariable.said()).not.toContain('    at ');

    const byFile = start({ SECRETS_DIR: join(dataDir, 'elsewhere'), ADMIN_API_KEY: '' });
    expect(await byFile.exit).toBe(1);
    expect(byFile.said()).toContain(`- LINK_SECRET (${join(dataDir, 'elsewhere', 'link-secret')}): differs`);

    const same = start({ ADMIN_API_KEY: readFileSync(fileOf('admin-key'), 'utf8') });
    expect(await same.ready).toBeDefined();
    expect(await ready()).toBe(200);
  });

  rule('concurrently with different secrets leave exactly one', async ({ dataDir }) => {
    const services = ['one', 'two', 'three'].map((name) => start({ SECRETS_DIR: join(dataDir, name) }));
    const ready = await Promise.all(services.map((service) => service.ready));
    expect(ready.filter((url) => url !== undefined)).toHaveLength(1);
    for (const [index, service] of services.entries()) {
      if (ready[index] !== undefined) continue;
      expect(await service.exit).toBe(1);
      expect(service.said()).toContain('link-secret): differs from');
    }
  });

  rule(
    'alone may bring new secrets, after a kill too, but no key that opens no stored credential',
    async () => {
      const first = start();
      const url = await first.ready;
      const made = await fetch(`${url}/api/v1/credentials`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${readFileSync(fileOf('admin-key'), 'utf8').trim()}`,
        },
        body: JSON.stringify({ name: 'provider', kind: 'api-key', data: { apiKey: 'sk-of-the-provider' } }),
      });
      expect(made.status).toBe(200);
      await first.kill();

      const second = start({ LINK_SECRET: OTHER_LINK_SECRET, ADMIN_API_KEY: 'another-key-than-theirs' });
      expect(await second.ready).toBeDefined();
      await second.kill();

      const strange = { CREDENTIALS_KEY: Buffer.alloc(32, 7).toString('base64url') };
      const refused = start(strange);
      expect(await refused.exit).toBe(1);
      expect(refused.said()).toContain('CREDENTIALS_KEY: decrypts none of the stored credentials');

      // Does as the sentence instructs an operator who has lost the key.
      const database = await openTestDatabase(kind, { place: place! });
      await database.gate.write((tx) => tx.run(`UPDATE credentials SET sealed = ''`));
      await database.close({ keep: true });
      expect(await start(strange).ready).toBeDefined();
    },
  );
});

describeOnPostgres('a living process that was declared dead', () => {
  it('does not continue beside others that have started with another secret meanwhile', async () => {
    const behind = await startBehindProxy();
    if (!behind) return;
    const { proxy, service, place, close } = behind;
    const refused: string[] = [];
    service.app.get(AnnouncedSecrets).onRefused(({ faults }) => refused.push(...faults));
    const earlier = service.app.get(ProcessPresence).id;
    proxy.refuse();
    await terminateSpeakers(place.databaseUrl);
    const second = await startTestApp({ place, env: { LINK_SECRET: OTHER_LINK_SECRET } });
    expect(refused).toEqual([]);
    proxy.comeBack();
    await eventually(() => refused.length > 0);
    expect(service.app.get(ProcessPresence).id).not.toBe(earlier);
    expect(refused).toEqual([expect.stringContaining('link-secret): differs from that of the processes')]);
    await second.close({ keep: true });
    await close();
  });

  it('continues beside others that have the same', async () => {
    const behind = await startBehindProxy();
    if (!behind) return;
    const { proxy, service, place, close } = behind;
    const refused = jest.fn();
    service.app.get(AnnouncedSecrets).onRefused(refused);
    const presence = service.app.get(ProcessPresence);
    const earlier = presence.id;
    const second = await startTestApp({ place });
    proxy.refuse();
    await terminateSpeakers(place.databaseUrl);
    await eventually(() => second.app.get(ProcessPresence).isGone(earlier));
    proxy.comeBack();
    await eventually(() => presence.id !== earlier);
    const database = await openTestDatabase('postgres', { place });
    await eventually(async () => {
      const rows = await database.reader.all<{ id: string }>('SELECT id FROM processes');
      return rows.some(({ id }) => id === presence.id);
    });
    expect(refused).not.toHaveBeenCalled();
    await database.close({ keep: true });
    await second.close({ keep: true });
    await close();
  });
});
