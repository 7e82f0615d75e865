import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

describe('npm start', () => {
  const started = (env: Record<string, string>) =>
    spawnSync('npm', ['--silent', 'start'], {
      cwd: resolve(__dirname, '..'),
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });

  it.each([
    ['MAX_HEAP_MB', 'x', 'a whole number from 256 to 1000000'],
    ['MAX_HEAP_MB', '2g', 'a whole number from 256 to 1000000'],
    ['MAX_HEAP_MB', '20', 'a whole number from 256 to 1000000'],
    ['UV_THREADPOOL_SIZE', '0', 'a whole number from 1 to 1024'],
  ])('refuses %s=%s, and says what it must be', (name, value, rule) => {
    const { status, stderr } = started({ [name]: value });
    expect(stderr).toBe(`The service cannot start:\n  - ${name}: must be ${rule}\n`);
    expect(status).toBe(1);
  });
});
