import { StoppedClock } from '../../../test/support/stopped-clock.js';
import { openTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { ApiKeys } from './api-keys.js';

describe('API keys', () => {
  let database: TestDatabase;
  let clock: StoppedClock;
  let keys: ApiKeys;

  beforeAll(async () => {
    database = await openTestDatabase();
  });

  beforeEach(() => {
    clock = new StoppedClock();
    keys = new ApiKeys(database.reader, database.gate, clock, database.logger);
  });

  afterAll(() => database.close());

  /** Uses are noted off the answer's path: one more unit of the gate comes after them. */
  const written = () => database.gate.write(async () => undefined);
  const found = async (id: string) => (await keys.list()).find((key) => key.id === id);

  it('are fk_ and 32 random bytes, shown once and stored as SHA-256', async () => {
    const { id, name, key } = await keys.create('website');
    expect(key).toMatch(/^fk_[A-Za-z0-9_-]{43}$/);
    expect(name).toBe('website');
    const stored = await database.reader.one<object>('SELECT * FROM api_keys WHERE id = ?', [id]);
    expect(JSON.stringify(stored)).not.toContain(key.slice(3));
    expect(await found(id)).toEqual({ id, name, createdAt: clock.now(), lastUsedAt: null });
  });

  it('open what they were attached to, and nothing else does', async () => {
    const [one, other] = [await keys.create('one'), await keys.create('other')];
    expect(await keys.opens(one.id, one.key)).toBe(true);
    expect(await keys.opens(one.id, other.key)).toBe(false);
    expect(await keys.opens(one.id, '')).toBe(false);
    expect(await keys.opens(one.id, one.key.toUpperCase())).toBe(false);
    expect(await keys.opens('no such key', one.key)).toBe(false);
  });

  it('that were revoked open nothing and are listed no more', async () => {
    const { id, key } = await keys.create('leaver');
    expect(await keys.revoke(id)).toBe(true);
    expect(await keys.opens(id, key)).toBe(false);
    expect(await keys.revoke(id)).toBe(false);
    expect(await found(id)).toBeUndefined();
  });

  it('note their last use at most once a minute', async () => {
    const { id, key } = await keys.create('busy');
    const lastUsedAt = async () => {
      await keys.opens(id, key);
      await written();
      return (await found(id))?.lastUsedAt;
    };
    const first = clock.now();
    expect(await lastUsedAt()).toBe(first);
    clock.advance(59_999);
    expect(await lastUsedAt()).toBe(first);
    clock.advance(1);
    expect(await lastUsedAt()).toBe(first + 60_000);
  });

  it('that are wrong note no use', async () => {
    const { id } = await keys.create('guessed');
    await keys.opens(id, 'fk_guess');
    await written();
    expect((await found(id))?.lastUsedAt).toBeNull();
  });
});
