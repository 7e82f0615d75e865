import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startTestApp, type TestApp } from './support/app.js';

const root = join(__dirname, '..');

/** Everything that the documents tell to paste into a shell beside a running service. */
function commandsOf(document: string): string {
  const text = readFileSync(join(root, document), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block!);
  return blocks.filter((block) => /\b(curl|API=)/.test(block)).join('\n');
}

describe('the commands in the documents', () => {
  let app: TestApp;
  let folder: string;

  beforeAll(async () => {
    app = await startTestApp({ env: { SAMPLES: 'on' } });
    folder = mkdtempSync(join(tmpdir(), 'documented-'));
    symlinkSync(join(root, 'samples'), join(folder, 'samples'));
  });

  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await app.close();
  });

  async function paste(document: string): Promise<string> {
    const script = join(folder, 'commands.sh');
    writeFileSync(script, commandsOf(document).replaceAll('http://127.0.0.1:3000', app.url));
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', script], {
      cwd: folder,
      env: { ...process.env, ADMIN_API_KEY: app.adminKey },
      timeout: 50_000,
    });
    return stdout;
  }

  const isReport = () => readFileSync(join(folder, 'report.pdf')).subarray(0, 5).toString() === '%PDF-';

  it('of the README make a report, each time they are pasted', async () => {
    for (const _ of ['first', 'second']) {
      rmSync(join(folder, 'report.pdf'), { force: true });
      const output = await paste('README.md');
      expect(output).toContain('2 photographs in Kitchen');
      expect(output).toMatch(/Photographs: 3\nPages: \d/);
      expect(isReport()).toBe(true);
    }
  }, 60_000);

  it('of docs/api.md succeed', async () => {
    const output = await paste('docs/api.md');
    expect(output).toContain('data: {"event":"token"');
    expect(output).toContain('The same answer, charged once.');
    expect(output).toContain('"object":"chat.completion"');
    expect(output).toContain('"balance":');
    expect(isReport()).toBe(true);
  }, 60_000);
});
