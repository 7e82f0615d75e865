import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSecret } from '../src/common/secrets/secret-file.js';
import { linkSecret } from '../src/common/secrets/secret-kind.js';
import { type Fault, straceWorks, traced } from './support/strace.js';

const register = join(__dirname, 'support', 'ts-register.cjs');
const command = (file: string, ...args: string[]) => [
  process.execPath,
  '--require',
  register,
  '-e',
  `require(${JSON.stringify(file)})`,
  ...args,
];

const opener = join(__dirname, 'support', 'secret-child.ts');
const main = join(__dirname, '..', 'src', 'main.ts');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const describeWithStrace = straceWorks() ? describe : describe.skip;

describe('a secret that eight concurrent starts create', () => {
  it('is the same for all of them', async () => {
    for (let round = 0; round < 3; round++) {
      const directory = mkdtempSync(join(tmpdir(), 'secrets-at-once-'));
      const [node, ...args] = command(opener, directory, linkSecret.file);
      const starts = Array.from({ length: 8 }, () =>
        spawn(node!, args, { stdio: ['pipe', 'pipe', 'inherit'] }),
      );
      const outputs = starts.map(async (start) => {
        let text = '';
        for await (const chunk of start.stdout) text += String(chunk);
        return text;
      });
      // All have been started by then, and begin when their input ends.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      for (const start of starts) start.stdin.end();
      const hashes = await Promise.all(outputs);
      const stored = readFileSync(join(directory, linkSecret.file), 'utf8');
      expect(new Set(hashes)).toEqual(new Set([`${sha256(stored.trim())}\n`]));
      expect(readdirSync(directory)).toEqual([linkSecret.file]);
      rmSync(directory, { recursive: true });
    }
  });
});

describeWithStrace('a secret, after an interruption of the start at any point', () => {
  let directory: string;
  let token = 0;

  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'secret-faults-'))));
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const path = () => join(directory, linkSecret.file);

  /** Starts a process that opens the secret; its calls in the directory are traced. */
  function start(fault?: Fault) {
    const draft = join(directory, `.${linkSecret.file}.${++token}.new`);
    return traced(command(opener, directory, linkSecret.file, String(token)), [directory, path(), draft], {
      // One thread makes the calls, so that they are counted in order.
      env: { UV_THREADPOOL_SIZE: '1' },
      ...(fault ? { fault } : {}),
    });
  }

  /** Every call of a start in the directory, each made to fail in every way. */
  function faultsIn(calls: readonly string[]): Fault[] {
    const seen = new Map<string, number>();
    return calls.flatMap((call) => {
      const nth = (seen.get(call) ?? 0) + 1;
      seen.set(call, nth);
      return ['signal=KILL', 'error=ENOSPC', 'error=EIO', 'error=EACCES'].map((how) => ({ call, nth, how }));
    });
  }

  async function allHold(calls: readonly string[], stored: string | undefined): Promise<void> {
    const faults = faultsIn(calls);
    const wrong: string[] = [];
    for (const fault of faults) {
      const name = `${fault.call} ${fault.nth} ${fault.how}`;
      rmSync(path(), { force: true });
      if (stored !== undefined) writeFileSync(path(), stored, { mode: 0o600 });
      const { code, out, errors, failed } = await start(fault);
      if (!failed) wrong.push(`${name}: did not fail`);
      const left = existsSync(path()) ? readFileSync(path(), 'utf8').trim() : undefined;
      if (left !== undefined && linkSecret.faultOf(left) !== undefined) wrong.push(`${name}: left "${left}"`);
      if (code === 1 && !errors.includes(path())) wrong.push(`${name}: said ${errors}`);
      // A secret that was used once is used for ever.
      const { text } = await openSecret(path(), linkSecret);
      if (out !== '' && out.trim() !== sha256(text)) wrong.push(`${name}: the next start has another secret`);
      if (out === '' && code === 0) wrong.push(`${name}: ended well without a secret`);
      if (left !== undefined && left !== text) wrong.push(`${name}: what was there is no more`);
      if (stored !== undefined && text !== stored.trim()) wrong.push(`${name}: the kept one was lost`);
      const files = readdirSync(directory);
      if (files.length !== 1) wrong.push(`${name}: left ${files.join(', ')}`);
    }
    expect(wrong).toEqual([]);
  }

  it('is complete or absent, and the next start has one', async () => {
    const { calls, code } = await start();
    expect(code).toBe(0);
    expect(calls).toEqual(expect.arrayContaining(['openat', 'write', 'fsync', 'close', 'link', 'unlink']));
    await allHold(calls, undefined);
  });

  it('that is stored stays unchanged', async () => {
    const stored = `${linkSecret.fresh()}\n`;
    writeFileSync(path(), stored, { mode: 0o600 });
    const { calls, code } = await start();
    expect(code).toBe(0);
    await allHold(calls, stored);
  });

  it('syncs its folder last, before it is used', async () => {
    for (const stored of [false, true]) {
      if (stored) expect(existsSync(path())).toBe(true);
      const { calls } = await start();
      const named = stored ? 0 : calls.indexOf('link');
      expect(calls.slice(named)).toContain('fsync');
      if (!stored) expect(calls.slice(0, named)).toContain('fsync');
    }
  });
});

describeWithStrace('a service whose first start is interrupted', () => {
  let dataDir: string;

  beforeAll(() => (dataDir = mkdtempSync(join(tmpdir(), 'first-start-'))));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  const file = (name: string) => join(dataDir, name);
  const env = () => ({ DATA_DIR: dataDir, PORT: '0', SAMPLES: 'off', LOG_LEVEL: 'info' });

  const start = (paths: readonly string[], fault: Fault) =>
    traced(command(main), paths, { env: env(), fault });

  it('continues at the next one with the complete secrets, and creates the others', async () => {
    const full = await start([file('seal-key')], { call: 'link', nth: 1, how: 'error=ENOSPC' });
    expect(full.code).toBe(1);
    expect(full.errors).toContain(`${file('seal-key')} cannot be made (ENOSPC)`);
    expect(full.errors).not.toContain('    at ');
    const first = readFileSync(file('link-secret'), 'utf8');

    rmSync(file('credentials-key'), { force: true });
    const killed = await start([file('credentials-key')], { call: 'link', nth: 1, how: 'signal=KILL' });
    expect(killed.failed).toBe(true);
    expect(killed.out).not.toContain('"ready"');
    expect(existsSync(file('credentials-key'))).toBe(false);
    const sealed = readFileSync(file('seal-key'), 'utf8');

    const [node, ...args] = command(main);
    const child = spawn(node!, args, {
      env: { PATH: process.env['PATH'], ...env() },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let outputs = '';
    const tooLong = setTimeout(() => child.kill('SIGKILL'), 60_000);
    for await (const chunk of child.stdout) {
      outputs += String(chunk);
      if (outputs.includes('"ready"')) child.kill('SIGTERM');
    }
    clearTimeout(tooLong);
    expect(outputs).toContain('"ready"');
    expect(readFileSync(file('link-secret'), 'utf8')).toBe(first);
    expect(readFileSync(file('seal-key'), 'utf8')).toBe(sealed);
    const secrets = ['admin-key', 'credentials-key', 'link-secret', 'seal-key'];
    const left = readdirSync(dataDir).filter((name) => name.includes('key') || name.includes('secret'));
    expect(left.sort()).toEqual(secrets);
  });
});
