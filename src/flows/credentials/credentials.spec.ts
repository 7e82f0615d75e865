import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { StoppedClock } from '../../../test/support/stopped-clock.js';
import { openTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { AppConfig } from '../../common/app-config.js';
import { seal, unseal } from '../../common/secrets/sealed-text.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { newCredential } from './credential.js';
import { Credentials } from './credentials.js';

describe('a sealed text', () => {
  const key = randomBytes(32);

  it('opens with its key in its place', () => {
    expect(unseal(key, seal(key, 'sécret 🔑', 'here'), 'here')).toBe('sécret 🔑');
  });

  it('is another one each time', () => {
    expect(seal(key, 'secret', 'here')).not.toBe(seal(key, 'secret', 'here'));
  });

  it('opens with no other key, in no other place, and not after a change of one character', () => {
    const sealed = seal(key, 'secret', 'here');
    const changed = sealed.slice(0, -3) + (sealed.at(-3) === 'A' ? 'B' : 'A') + sealed.slice(-2);
    expect(() => unseal(randomBytes(32), sealed, 'here')).toThrow();
    expect(() => unseal(key, sealed, 'there')).toThrow();
    expect(() => unseal(key, changed, 'here')).toThrow();
    expect(() => unseal(key, sealed.slice(0, 20), 'here')).toThrow('this is no sealed text');
  });
});

describe('credentials', () => {
  let database: TestDatabase;
  let clock: StoppedClock;
  let credentials: Credentials;
  const provider = { kind: 'api-key' as const, data: { apiKey: 'sk-of-the-provider' } };
  const basic = { kind: 'basic' as const, data: { username: 'jordan', password: 'pa:ss wörd' } };

  beforeAll(async () => {
    database = await openTestDatabase();
    clock = new StoppedClock();
    credentials = await opened(database.config);
  });

  const opened = async (config: AppConfig) =>
    new Credentials(await Secrets.open(config, database.logger), database.reader, database.gate, clock);

  afterAll(() => database.close());

  it('give a model the key, and an HTTP call its headers', async () => {
    const { id } = await credentials.create('provider', provider);
    expect(await credentials.apiKey(id)).toBe('sk-of-the-provider');
    expect((await credentials.headers(id)).headers).toEqual({ authorization: 'Bearer sk-of-the-provider' });
    const other = await credentials.create('basic', basic);
    const pair = Buffer.from('jordan:pa:ss wörd').toString('base64');
    expect((await credentials.headers(other.id)).headers).toEqual({ authorization: `Basic ${pair}` });
    const third = await credentials.create('header', {
      kind: 'header',
      data: { name: 'X-Api-Key', value: 'a b' },
    });
    expect((await credentials.headers(third.id)).headers).toEqual({ 'x-api-key': 'a b' });
  });

  it('of another kind open no model', async () => {
    const { id } = await credentials.create('basic', basic);
    await expect(credentials.apiKey(id)).rejects.toThrow('A model needs one of the kind "api-key"');
  });

  it('that do not exist fail with a sentence that says what to do', async () => {
    await expect(credentials.headers('none')).rejects.toThrow('There is no credential "none". Create it');
    expect(await credentials.remove('none')).toBe(false);
    expect(await credentials.replace('none', 'x', provider)).toBeUndefined();
  });

  it('are replaced and removed', async () => {
    const { id } = await credentials.create('first', provider);
    const replaced = await credentials.replace(id, 'second', { ...provider, data: { apiKey: 'sk-new' } });
    expect(replaced).toMatchObject({ id, name: 'second', kind: 'api-key' });
    expect(await credentials.apiKey(id)).toBe('sk-new');
    expect(await credentials.remove(id)).toBe(true);
    await expect(credentials.apiKey(id)).rejects.toThrow('There is no credential');
  });

  it('cannot be swapped by whoever writes to the database', async () => {
    const [one, other] = [
      await credentials.create('one', provider),
      await credentials.create('other', provider),
    ];
    await database.gate.write((tx) =>
      tx.run('UPDATE credentials SET sealed = (SELECT sealed FROM credentials WHERE id = ?) WHERE id = ?', [
        one.id,
        other.id,
      ]),
    );
    await expect(credentials.apiKey(other.id)).rejects.toThrow('cannot be decrypted');
  });

  it('open with the key file of their DATA_DIR alone, which only its owner reads', async () => {
    const { id } = await credentials.create('provider', provider);
    expect(statSync(join(database.config.dataDir, 'credentials-key')).mode & 0o777).toBe(0o600);
    const elsewhere = AppConfig.from({ DATA_DIR: join(database.config.dataDir, 'elsewhere') });
    const stranger = await opened(elsewhere);
    await expect(stranger.apiKey(id)).rejects.toThrow('cannot be decrypted with this credentials-key');
    const restarted = await opened(database.config);
    expect(await restarted.apiKey(id)).toBe('sk-of-the-provider');
  });

  it.each([
    [{ name: 'x', kind: 'api-key', data: { apiKey: 'line\nbreak' } }, 'data.apiKey'],
    [{ name: 'x', kind: 'api-key', data: { apiKey: 'k', other: 1 } }, 'data'],
    [{ name: 'x', kind: 'header', data: { name: 'Host', value: 'x' } }, 'data.name'],
    [{ name: 'x', kind: 'header', data: { name: 'a b', value: 'x' } }, 'data.name'],
    [{ name: 'x', kind: 'basic', data: { username: 'a:b', password: 'x' } }, 'data.username'],
    [{ name: ' ', kind: 'api-key', data: { apiKey: 'k' } }, 'name'],
    [{ name: 'x', kind: 'oauth', data: {} }, 'kind'],
  ])('refuse %j', (body, path) => {
    const parsed = newCredential.safeParse(body);
    expect(parsed.error?.issues[0]?.path.join('.')).toBe(path);
  });
});
