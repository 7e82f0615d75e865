import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const register = join(__dirname, 'support', 'ts-register.cjs');
const main = join(__dirname, '..', 'src', 'main.ts');

describe('a service that cannot start', () => {
  let dataDir: string;

  beforeAll(() => (dataDir = mkdtempSync(join(tmpdir(), 'starting-'))));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  /** How the service ends and what it says, started with these variables. */
  const started = (env: Record<string, string>) =>
    new Promise<{ code: number | null; said: string }>((resolve) => {
      const child = spawn(
        process.execPath,
        ['--require', register, '-e', `require(${JSON.stringify(main)})`],
        {
          env: { PATH: process.env['PATH'], DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...env },
          stdio: ['ignore', 'ignore', 'pipe'],
        },
      );
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
      child.once('close', (code) => resolve({ code, said }));
    });

  it('names every wrong variable, and nothing else', async () => {
    const { code, said } = await started({ PORT: 'x', MAX_PHOTOS: '0', OUTBOUND_ALLOW: 'two words' });
    expect(code).toBe(1);
    expect(said.trim().split('\n')).toEqual([
      'The service cannot start:',
      '  - PORT: must be a whole number',
      expect.stringContaining('  - OUTBOUND_ALLOW.0: must be host:port'),
      '  - MAX_PHOTOS: must be at least 1',
    ]);
  });

  it('says where it cannot listen', async () => {
    const { code, said } = await started({ PORT: '0', HOST: '999.1.1.1' });
    expect(code).toBe(1);
    expect(said).toContain('HOST and PORT: cannot listen on 999.1.1.1:0');
    expect(said).not.toContain('    at ');
  });
});
