import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const SCRIPT = resolve(__dirname, '..', 'scripts', 'build-once.mjs');

describe('a missing build', () => {
  let folder: string;
  const path = (name: string) => join(folder, name);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'build-once-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Starts a process that needs it; resolves to its presence when the process continues. */
  const wanted = (): Promise<boolean> =>
    new Promise((done, fail) => {
      const program = `
        import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
        import { setTimeout as pause } from 'node:timers/promises';
        import { buildOnce } from ${JSON.stringify(SCRIPT)};
        const built = ${JSON.stringify(path('built'))};
        await buildOnce(${JSON.stringify(path('lock'))}, () => !existsSync(built), async () => {
          appendFileSync(${JSON.stringify(path('builds'))}, 'x');
          await pause(500);
          writeFileSync(built, '');
        });
        process.exit(existsSync(built) ? 0 : 1);`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
      child.once('error', fail);
      child.once('exit', (code) => done(code === 0));
    });

  it('is made by one of all processes that need it at once, while the others wait', async () => {
    expect(await Promise.all([wanted(), wanted(), wanted(), wanted()])).toEqual([true, true, true, true]);
    expect(readFileSync(path('builds'), 'utf8')).toBe('x');
    expect(existsSync(path('lock'))).toBe(false);
  });

  it('is made although the process that was making it has died', async () => {
    const died = spawn(process.execPath, ['-e', '']);
    await new Promise((done) => died.once('exit', done));
    writeFileSync(path('lock'), String(died.pid));
    expect(await wanted()).toBe(true);
    expect(readFileSync(path('builds'), 'utf8')).toBe('x');
  });

  it('is not made again if it is present', async () => {
    writeFileSync(path('built'), '');
    expect(await wanted()).toBe(true);
    expect(existsSync(path('builds'))).toBe(false);
  });
});
