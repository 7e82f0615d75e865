import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './support/eventually.js';
import { installed } from './support/services.js';

const register = join(__dirname, 'support', 'ts-register.cjs');
const main = join(__dirname, '..', 'src', 'main.ts');

/** `script` of util-linux gives a command a terminal. */
const describeAtTerminal = installed('script') ? describe : describe.skip;

describeAtTerminal('a service started in a terminal', () => {
  let dataDir: string;
  let child: ChildProcess | undefined;
  let shown: string;

  beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'terminal-'))));
  afterEach(() => {
    if (child?.exitCode === null) child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });

  function start(env: Record<string, string>): Promise<number | null> {
    const command = `exec ${process.execPath} --require ${register} -e 'require(${JSON.stringify(main)})'`;
    const started = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      cwd: dataDir,
      env: { PATH: process.env['PATH'], SHELL: '/bin/sh', PORT: '0', DATA_DIR: dataDir, ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child = started;
    shown = '';
    started.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
    return new Promise((resolve) => started.once('close', resolve));
  }

  it('shows the addresses of its pages and its admin key, logs in plain lines, and exits on Ctrl+C', async () => {
    const ended = start({});
    await eventually(() => shown.includes('Ctrl+C'));
    const lines = shown.replaceAll('\r', '').split('\n');
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d info {2}ready {2}port=\d+ host=127\.0\.0\.1 /);
    const url = /Ready at (\S+)/.exec(shown)![1]!;
    expect(lines).toContain(`    Chat page           ${url}/chat/inspection-assistant`);
    expect(lines).toContain(`    Admin key           in ${join(dataDir, 'admin-key')}`);
    for (const page of ['/chat/inspection-assistant', '/docs'])
      expect([page, (await fetch(url + page)).status]).not.toEqual([page, 404]);
    child!.stdin!.write('\u0003');
    expect(await ended).toBe(0);
    expect(shown).toMatch(/ info {2}stopping: calls under way have 8 seconds to end {2}signal=SIGINT/);
    expect(shown).not.toContain('{"level"');
  });

  it('shows nothing if LOG_LEVEL is silent', async () => {
    const ended = start({ LOG_LEVEL: 'silent', PORT: 'x' });
    expect(await ended).toBe(1);
    expect(shown.replaceAll('\r', '')).toBe(
      'The service cannot start:\n  - PORT: must be a whole number from 0 to 65535\n',
    );
  });

  it('gives once the reason why it cannot start', async () => {
    expect(await start({ HOST: '999.1.1.1' })).toBe(1);
    expect(shown.trim().split('\n')).toHaveLength(2);
  });
});
