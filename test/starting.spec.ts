import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itOnPostgres } from './support/on-postgres.js';
import { startPgBouncer } from './support/pgbouncer.js';
import { installed, postgresAdminUrl, postgresReachable } from './support/services.js';

const register = join(__dirname, 'support', 'ts-register.cjs');
const main = join(__dirname, '..', 'src', 'main.ts');

describe('a service that cannot start', () => {
  let dataDir: string;

  beforeAll(() => (dataDir = mkdtempSync(join(tmpdir(), 'starting-'))));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  /** Starts the service with these variables; returns its exit and its output. */
  const started = (env: Record<string, string>, cwd = process.cwd()) =>
    new Promise<{ code: number | null; output: string }>((resolve) => {
      const child = spawn(
        process.execPath,
        ['--require', register, '-e', `require(${JSON.stringify(main)})`],
        {
          env: { PATH: process.env['PATH'], DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...env },
          stdio: ['ignore', 'ignore', 'pipe'],
          cwd,
        },
      );
      let output = '';
      child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.once('close', (code) => resolve({ code, output }));
    });

  it('names every wrong variable, and nothing else', async () => {
    const { code, output } = await started({ PORT: 'x', MAX_PHOTOS: '0', OUTBOUND_ALLOW: 'two words' });
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toEqual([
      'The service cannot start:',
      '  - PORT: must be a whole number from 0 to 65535',
      expect.stringContaining('  - OUTBOUND_ALLOW.0: must be host:port'),
      '  - MAX_PHOTOS: must be a whole number from 1 to 1000',
    ]);
  });

  it('names the address on which it cannot listen', async () => {
    const { code, output } = await started({ PORT: '0', HOST: '999.1.1.1' });
    expect(code).toBe(1);
    expect(output).toContain('HOST and PORT: cannot listen on 999.1.1.1:0');
    expect(output).not.toContain('    at ');
  });

  it('reports in one sentence that its port is in use, and the remedy', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, output } = await started({ PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toEqual([
      'The service cannot start:',
      `  - HOST and PORT: cannot listen on 127.0.0.1:${port} (EADDRINUSE). Another program uses this port: stop it, or set PORT to another number.`,
    ]);
  });

  it('reports that a wrong value stands in .env', async () => {
    writeFileSync(join(dataDir, '.env'), 'PORT=x\nMAX_PHOTOS=0\n');
    const { code, output } = await started({ MAX_PHOTOS: 'y' }, dataDir);
    expect(code).toBe(1);
    expect(output).toContain('  - PORT (in .env): must be a whole number');
    expect(output).toContain('  - MAX_PHOTOS: must be a whole number');
  });

  it('reports that .env cannot be read', async () => {
    mkdirSync(join(dataDir, 'odd', '.env'), { recursive: true });
    const { code, output } = await started({}, join(dataDir, 'odd'));
    expect(code).toBe(1);
    expect(output).toContain('The service cannot start:\n  - .env: the file cannot be read (EISDIR). Give');
    expect(output).not.toContain('    at ');
  });

  it.each(['DATA_DIR', 'DATABASE_URL'])('reports that %s is not a writable folder', async (name) => {
    const value = name === 'DATA_DIR' ? '/sys/nowhere' : 'sqlite:/sys/nowhere/service.sqlite';
    const { code, output } = await started({ PORT: '0', [name]: value });
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toEqual([
      'The service cannot start:',
      expect.stringMatching(
        `^  - ${name}: files cannot be written in /sys/nowhere \\(\\w+\\)\\. Give the user who runs the service the right`,
      ),
    ]);
  });

  it('reports that the file which signs reports is missing', async () => {
    const { code, output } = await started({ PORT: '0', SIGNING_P12: join(dataDir, 'own.p12') });
    expect(code).toBe(1);
    expect(output).toContain(
      `The service cannot start:\n  - SIGNING_P12: ${join(dataDir, 'own.p12')} is not there.`,
    );
    expect(output).not.toContain('    at ');
  });

  it('names the database that it cannot open', async () => {
    const databases = {
      'postgres://somebody:s3cret@127.0.0.1:1/records': 'ECONNREFUSED',
      'postgres://nowhere.invalid/records': 'ENOTFOUND',
    };
    for (const [address, reason] of Object.entries(databases)) {
      const { code, output } = await started({ PORT: '0', DATABASE_URL: address });
      expect(code).toBe(1);
      expect(output).toContain(
        `DATABASE_URL: the database records at ${new URL(address).host} cannot be opened`,
      );
      expect(output).toContain(reason);
      expect(output).not.toMatch(/s3cret| {4}at /);
    }
  });

  it('names the SQLite file that is no database, and an address without a file', async () => {
    const other = join(dataDir, 'notes.sqlite');
    writeFileSync(other, 'The notes of a viewing, which are no database. '.repeat(40));
    const { code, output } = await started({ PORT: '0', DATABASE_URL: `sqlite:${other}` });
    expect(code).toBe(1);
    expect(output.trim().split('\n').slice(-2)).toEqual([
      'The service cannot start:',
      `  - DATABASE_URL: the database ${other} cannot be opened (SQLITE_NOTADB: file is not a database). Restore it from a backup, or name another file.`,
    ]);
    for (const address of ['sqlite:', 'sqlite://', 'sqlite::memory:'])
      expect((await started({ PORT: '0', DATABASE_URL: address })).output).toContain(
        '  - DATABASE_URL: must name a file: sqlite:<path>',
      );
  });

  itOnPostgres.each(['transaction', 'session'])(
    'reports that PgBouncer in %s mode is no PostgreSQL',
    async (pool_mode) => {
      if (!(await postgresReachable()) || !installed('pgbouncer')) return;
      const settings = { pool_mode, ignore_startup_parameters: 'options' };
      const bouncer = await startPgBouncer(postgresAdminUrl, settings);
      const { code, output } = await started({ PORT: '0', DATABASE_URL: bouncer.url });
      await bouncer.stop();
      expect(code).toBe(1);
      expect(output).toContain('The service cannot start:\n  - DATABASE_URL: a connection pooler');
      expect(output).not.toContain('    at ');
    },
  );

  const bucket = 's3://blobs/house?endpoint=http://127.0.0.1:1&region=eu-central-1';
  const keys = { AWS_ACCESS_KEY_ID: 'AKIAOFTHETEST', AWS_SECRET_ACCESS_KEY: 's3cret' };

  it('names the bucket that does not answer, without its credentials', async () => {
    const { code, output } = await started({ PORT: '0', STORAGE_URL: bucket, ...keys });
    expect(code).toBe(1);
    expect(output).toContain(
      'STORAGE_URL: the bucket "blobs" at 127.0.0.1:1 cannot be used: it does not answer (ECONNREFUSED)',
    );
    expect(output).not.toMatch(/s3cret|AKIA| {4}at /);
  });

  it.each([
    [{}, 'must be given, to open the bucket of STORAGE_URL'],
    [{ AWS_ACCESS_KEY_ID: 'AKIAOFTHETEST' }, 'must be given both'],
    [{ AWS_EC2_METADATA_DISABLED: 'true' }, 'must be given, to open the bucket of STORAGE_URL'],
  ] as [Record<string, string>, string][])(
    'looks nowhere else for the credentials of a bucket: %j',
    async (given, fault) => {
      const { code, output } = await started({ PORT: '0', STORAGE_URL: bucket, ...given });
      expect(code).toBe(1);
      expect(output).toContain(`  - AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: ${fault}`);
      expect(output).not.toMatch(/AKIA| {4}at /);
    },
  );

  it.each([
    ['s3://AKIA:s3cret@blobs/house', 'must not hold credentials'],
    ['s3://blobs?endpoint=http://u:s3cret@127.0.0.1:1', 'must not hold credentials'],
    ['s3://Blobs/s3cret', 'must be a directory, or a bucket such as s3://'],
    ['s3://blobs?key=s3cret', 'accepts only the parameters endpoint and region'],
    ['s3://blobs?endpoint=ftp://s3cret', 'must have an http or https address as its endpoint'],
    ['s3://blobs/a%20s3cret', 'must have a prefix of letters'],
    ['gs://s3cret', 'must be a directory (a path or file: address) or a bucket (s3://bucket/prefix)'],
  ])('refuses %s as a store', async (address, fault) => {
    const { code, output } = await started({ PORT: '0', STORAGE_URL: address, ...keys });
    expect(code).toBe(1);
    expect(output).toContain(`  - STORAGE_URL: ${fault}`);
    expect(output).not.toContain('s3cret');
  });

  it.each([
    ['a file', () => join(dataDir, 'no-directory')],
    ['a place where nothing can be made', () => '/sys/nowhere'],
  ])('reports that %s is no store', async (_, storage) => {
    writeFileSync(join(dataDir, 'no-directory'), '');
    const { code, output } = await started({ PORT: '0', STORAGE_URL: storage() });
    expect(code).toBe(1);
    expect(output).toContain(`STORAGE_URL: files cannot be written in ${storage()}`);
    expect(output).not.toContain('    at ');
  });
});
