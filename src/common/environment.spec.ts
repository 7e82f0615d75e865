import { constants } from 'node:buffer';
import { MODEL_PROVIDER_IDS } from '../api/model-provider-terms.js';
import { environment } from './environment.js';

const faultsOf = (variables: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    environment.safeParse(variables).error?.issues.map(({ path, message }) => [path.join('.'), message]) ??
      [],
  );

describe('what is said of a wrong variable', () => {
  it.each(['-1', 'many', '1e3', '99999', '0'])('names the bounds where MAX_PHOTO_MB is %s', (text) =>
    expect(faultsOf({ MAX_PHOTO_MB: text, PORT: 'x' })).toEqual({
      MAX_PHOTO_MB: 'must be a number from 0.001 to 1024',
      PORT: 'must be a whole number from 0 to 65535',
    }),
  );

  it('refuses a MAX_JSON_MB that is longer than a string can be', () => {
    expect(faultsOf({ MAX_JSON_MB: '512' })).toEqual({ MAX_JSON_MB: 'must be a number from 0.001 to 511' });
    expect(constants.MAX_STRING_LENGTH).toBeGreaterThan(511 * 1024 * 1024);
  });

  it('lists the choices in plain words', () =>
    expect(faultsOf({ LOG_LEVEL: 'loud', DEFAULT_MODEL_PROVIDER: 'mine' })).toEqual({
      LOG_LEVEL: 'must be one of fatal, error, warn, info, debug, trace, silent',
      DEFAULT_MODEL_PROVIDER: `must be one of ${MODEL_PROVIDER_IDS.join(', ')}`,
    }));

  it.each(['nothing', '[]', '{"a":1}', '{"a":{"b":1}}'])(
    'shows an example where FETCH_HEADERS is %s',
    (text) => {
      const [fault] = Object.values(faultsOf({ FETCH_HEADERS: text }));
      const example = fault!.slice(fault!.indexOf('{'));
      expect(environment.parse({ FETCH_HEADERS: example }).FETCH_HEADERS).toEqual(JSON.parse(example));
    },
  );

  it.each(['http://redis:6379', 'redis://', 'redis:///0', 'redis://host:port', 'redis://host:6379/name'])(
    'refuses %s as the address of Redis',
    (text) =>
      expect(faultsOf({ REDIS_URL: text })).toEqual({
        REDIS_URL: expect.stringContaining('redis://user:password@host:6379/0') as string,
      }),
  );

  it.each(['redis://redis', 'rediss://user:p%40ss@[::1]:6380/2', 'redis://127.0.0.1:6379/'])(
    'takes %s as the address of Redis',
    (text) => expect(faultsOf({ REDIS_URL: text })).toEqual({}),
  );

  it.each([
    ...['Reports', 'reports@', '@agency.example', 'Reports <reports>', 'Reports <reports@agency.example'],
    ...['Acme, Ltd <reports@agency.example>', 'one@agency.example,two@agency.example'],
  ])('refuses %s as the sender of mails', (text) =>
    expect(faultsOf({ MAIL_FROM: text })).toEqual({
      MAIL_FROM: expect.stringContaining('Reports <reports@example.com>') as string,
    }),
  );

  it.each(['reports@agency.example', 'Reports <reports@localhost>', '"Acme, Ltd" <reports@agency.example>'])(
    'takes %s as the sender of mails',
    (text) => expect(faultsOf({ MAIL_FROM: text })).toEqual({}),
  );

  it('refuses an address of a database that cannot be read', () =>
    expect(faultsOf({ DATABASE_URL: 'postgres://host:port/name' })).toEqual({
      DATABASE_URL: expect.stringContaining('postgres://user:password@host:5432/database') as string,
    }));
});
