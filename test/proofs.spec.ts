import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty PATH, so that no network namespace can be made. */
const nowhere = mkdtempSync(join(tmpdir(), 'nothing-'));
afterAll(() => rmdirSync(nowhere));

function prove(name: string, env: Record<string, string>) {
  const script = join(__dirname, '..', 'prove', `${name}.mjs`);
  const { status, stdout } = spawnSync(process.execPath, [script], { env: { PATH: nowhere, ...env } });
  return { status, out: stdout.toString() };
}

describe('the proof of the outbound rules, without a network namespace', () => {
  it.each([{ REQUIRE_SERVICES: '1' }, { CI: 'true' }])('fails under %j', (env) => {
    const { status, out } = prove('egress', env);
    expect([status, out]).toEqual([1, expect.stringContaining('FAIL')]);
    expect(out).not.toMatch(/passed|SKIPPED/);
  });

  it('reports otherwise that it was skipped, and never that it passed', () => {
    const { status, out } = prove('egress', {});
    expect([status, out]).toEqual([77, expect.stringContaining('SKIPPED')]);
    expect(out).not.toMatch(/passed|FAIL/);
  });
});
