import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppConfig, ConfigError } from '../app-config.js';
import { Logger } from '../logger.js';
import { hmacOf, sameSecret } from './constant-time.js';
import { adminKey, credentialsKey, linkSecret, sealKey } from './secret-kind.js';
import { Secrets } from './secrets.js';

const KINDS = [adminKey, linkSecret, sealKey, credentialsKey];

describe('the secrets', () => {
  let directory: string;
  const logger = new Logger('silent');
  const warned = jest.spyOn(logger, 'warn');

  beforeEach(() => {
    warned.mockClear();
    directory = mkdtempSync(join(tmpdir(), 'secrets-'));
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const open = (env: Record<string, string> = {}) =>
    Secrets.open(AppConfig.from({ DATA_DIR: directory, ...env }), logger);

  const faultsOf = async (env: Record<string, string> = {}): Promise<readonly string[]> =>
    open(env).then(
      () => [],
      (error: unknown) => (error as ConfigError).faults,
    );

  const file = (name: string) => join(directory, name);

  it('are made at the first start, whole and for their owner alone, and found again by the next', async () => {
    const first = await open();
    expect(readdirSync(directory).sort()).toEqual(KINDS.map((kind) => kind.file).sort());
    for (const kind of KINDS) {
      expect(statSync(file(kind.file)).mode & 0o777).toBe(0o600);
      expect(kind.faultOf(readFileSync(file(kind.file), 'utf8').trim())).toBeUndefined();
    }
    expect(first.adminKey).toMatch(/^ak_[\w-]{43}$/);
    expect(first.credentialsKey).toHaveLength(32);
    expect(await open()).toEqual(first);
  });

  it('lie in SECRETS_DIR, which is made, where that is set', async () => {
    const elsewhere = join(directory, 'deep', 'secrets');
    const { adminKeyFile } = await open({ SECRETS_DIR: elsewhere });
    expect(adminKeyFile).toBe(join(elsewhere, 'admin-key'));
    expect(readdirSync(elsewhere)).toHaveLength(4);
    expect(readdirSync(directory)).toEqual(['deep']);
  });

  it('are not kept where they are given', async () => {
    const given = Object.fromEntries(KINDS.map((kind) => [kind.variable, `${kind.fresh()}\n`]));
    const secrets = await open({ SECRETS_DIR: join(directory, 'none'), ...given });
    expect(secrets.adminKey).toBe(given['ADMIN_API_KEY']!.trim());
    expect(secrets.linkSecret).toBe(given['LINK_SECRET']!.trim());
    expect(secrets.adminKeyFile).toBeUndefined();
    expect(existsSync(join(directory, 'none'))).toBe(false);
  });

  it('that are given and are none stop the start, by the name of their variable', () => {
    const given = { ADMIN_API_KEY: '  ', LINK_SECRET: 'short', SEAL_KEY: 'AAAA', CREDENTIALS_KEY: 'AAAA' };
    const read = () => AppConfig.from(given);
    expect(read).toThrow(ConfigError);
    for (const [name, fault] of [
      ['ADMIN_API_KEY', 'is empty'],
      ['LINK_SECRET', 'is too short'],
      ['SEAL_KEY', 'is no Ed25519 key'],
      ['CREDENTIALS_KEY', 'is not 32 bytes'],
    ] as const)
      expect(read).toThrow(`${name}: ${fault}`);
  });

  describe.each(KINDS)('in $file', (kind) => {
    const cut = (length: number) => kind.fresh().slice(0, length);

    it.each([
      ['nothing', '', 'is empty'],
      ['blanks', ' \r\n\t\n', 'is empty'],
      ['a mark alone', '\ufeff\n', 'is empty'],
      ['one character', 'a', ''],
      ['its first half', cut(kind === adminKey ? 15 : 22), ''],
      ['another encoding', Buffer.from(`\ufeff${kind.fresh()}`, 'utf16le'), 'is not one line of text'],
      ['two lines', `${kind.fresh()}\n${kind.fresh()}\n`, ''],
      ['far too much', 'a'.repeat(10_000), 'is larger than'],
    ])('that holds %s stop the start, which names the file and keeps it', async (_, content, fault) => {
      writeFileSync(file(kind.file), content);
      const faults = await faultsOf();
      expect(faults).toHaveLength(1);
      expect(faults[0]).toMatch(new RegExp(`^${file(kind.file)} ${fault}`));
      expect(faults[0]).toContain(kind.lost);
      expect(readFileSync(file(kind.file))).toEqual(Buffer.from(content));
    });

    it('are read as they were meant, whatever an editor put around them', async () => {
      const secret = kind.fresh();
      const seen = [];
      for (const content of [
        secret,
        `${secret}\n`,
        `${secret}\r\n`,
        `\ufeff${secret}\r\n`,
        `  ${secret} \n\n`,
      ]) {
        writeFileSync(file(kind.file), content);
        seen.push(await open());
      }
      for (const secrets of seen) expect(secrets).toEqual(seen[0]);
      expect(Object.values(seen[0]!).map(String)).toContain(
        kind === credentialsKey ? String(Buffer.from(secret, 'base64url')) : secret,
      );
    });

    it('are named when others may read them, and used all the same', async () => {
      await open();
      expect(warned).not.toHaveBeenCalled();
      chmodSync(file(kind.file), 0o644);
      await open();
      expect(warned.mock.calls).toEqual([[{ path: file(kind.file) }, expect.stringContaining('chmod 600')]]);
    });

    it('cannot be a directory, a device or a link to nothing', async () => {
      mkdirSync(file(kind.file));
      expect(await faultsOf()).toEqual([expect.stringContaining(`${file(kind.file)} is not a file`)]);
      rmSync(file(kind.file), { recursive: true });
      symlinkSync('/dev/null', file(kind.file));
      expect(await faultsOf()).toEqual([expect.stringContaining(`${file(kind.file)} is not a file`)]);
      rmSync(file(kind.file));
      symlinkSync(file('nowhere'), file(kind.file));
      expect(await faultsOf()).toEqual([
        expect.stringContaining(`${file(kind.file)} is a symbolic link whose`),
      ]);
      expect(existsSync(file('nowhere'))).toBe(false);
      writeFileSync(file('nowhere'), kind.fresh());
      expect(await faultsOf()).toEqual([]);
    });

    it('take no draft of a start that broke off for a secret, and leave none behind', async () => {
      for (const [index, content] of ['', 'half', kind.fresh()].entries())
        writeFileSync(file(`.${kind.file}.${index}.new`), content);
      const { length } = (await open(), readdirSync(directory));
      expect(length).toBe(KINDS.length);
      writeFileSync(file(`.${kind.file}.3.new`), '');
      await open();
      expect(readdirSync(directory)).toHaveLength(KINDS.length);
    });
  });

  it('that cannot be used are named all at once', async () => {
    for (const { file: name } of KINDS) writeFileSync(file(name), '');
    expect((await faultsOf()).map((fault) => fault.split(' ')[0])).toEqual(
      KINDS.map(({ file: name }) => file(name)),
    );
  });

  it('that are empty or short sign nothing and are the same as nothing', () => {
    expect(() => hmacOf('', 'text')).toThrow('nothing is signed');
    expect(() => hmacOf('short', 'text')).toThrow('nothing is signed');
    expect(sameSecret('', '')).toBe(false);
    expect(sameSecret('a', '')).toBe(false);
    expect(sameSecret('a', 'a')).toBe(true);
  });
});
