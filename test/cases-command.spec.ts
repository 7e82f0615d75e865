import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestApp, TEST_ADMIN_KEY, type TestApp } from './support/app.js';
import { echoFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';

const SCRIPT = join(__dirname, '../scripts/cases.mjs');

describe('npm run cases', () => {
  let service: TestApp;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    service = await startTestApp();
  });
  afterAll(() => service.close());

  const run = (...args: string[]) =>
    new Promise<{ code: unknown; told: string; wrong: string }>((resolve) => {
      const env = {
        PATH: process.env['PATH'],
        PORT: new URL(service.url).port,
        ADMIN_API_KEY: TEST_ADMIN_KEY,
      };
      execFile(process.execPath, [SCRIPT, ...args], { cwd: tmpdir(), env }, (error, told, wrong) =>
        resolve({ code: error?.code ?? 0, told, wrong }),
      );
    });

  it('prints a line for each case, and exits with 1 if one fails', async () => {
    const flow = await client.flow(echoFlow({ name: 'Echo', price: 0 }));
    const add = (name: string, value: string) =>
      client.admin('POST', `flows/${flow}/cases`, {
        ...{ name, input: { question: 'Good day' }, checks: [{ kind: 'contains', value }] },
      });
    await add('Greets', 'day');
    expect(await run(flow)).toMatchObject({
      code: 0,
      told: expect.stringMatching(/^passed {2}Greets \[.*\]\n1 of 1 cases passed against version 1\.\n$/),
    });
    await add('Wishes', 'night');
    expect(await run(flow, '--version', '1')).toMatchObject({
      code: 1,
      told: expect.stringMatching(/FAILED {2}Wishes .*: The answer does not contain "night"\.\n1 of 2/),
    });
  });

  it('exits with 2 and a sentence when nothing can be run', async () => {
    expect(await run()).toMatchObject({ code: 2, wrong: expect.stringContaining('Usage: npm run cases') });
    expect(await run('unknown-flow')).toMatchObject({ code: 2, wrong: expect.stringContaining('flow') });
    expect(await run('x', '--version', 'newest')).toMatchObject({
      code: 2,
      wrong: '--version must be draft or a number.\n',
    });
  });
});
