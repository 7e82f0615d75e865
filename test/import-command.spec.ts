import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestApp, TEST_ADMIN_KEY, type TestApp } from './support/app.js';
import { ServiceClient } from './support/service-client.js';

const SCRIPT = join(__dirname, '../scripts/import.mjs');

const exported = (more: object[] = []) => ({
  nodes: [
    { id: 'startAgentflow_0', data: { name: 'startAgentflow', inputs: {} } },
    { id: 'gmailTool_0', data: { name: 'gmailTool', inputs: { to: 'office@example.com' } } },
    ...more,
  ],
  edges: [{ source: 'startAgentflow_0', target: 'gmailTool_0' }],
});

describe('npm run import', () => {
  let service: TestApp;
  let folder: string;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    service = await startTestApp();
    folder = mkdtempSync(join(tmpdir(), 'import-command-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await service.close();
  });

  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  /** Runs it beside the service, in a folder without an `.env`. */
  const run = (args: string[], environment: Record<string, string> = {}) =>
    new Promise<{ code: unknown; told: string; wrong: string }>((resolve) => {
      const env = { PATH: process.env['PATH'], PORT: new URL(service.url).port, ...environment };
      execFile(process.execPath, [SCRIPT, ...args], { cwd: folder, env }, (error, told, wrong) =>
        resolve({ code: error?.code ?? 0, told, wrong }),
      );
    });
  const key = { ADMIN_API_KEY: TEST_ADMIN_KEY };

  it('makes a flow of each file, under its name, and reports what was not carried over', async () => {
    const files = [
      file('first-one.json', JSON.stringify(exported())),
      file('x y.json', JSON.stringify(exported())),
    ];
    const { code, told, wrong } = await run(files, key);
    expect([code, wrong]).toEqual([0, '']);
    expect(told).toMatch(
      /first-one\.json: imported as "first-one" \(first-one\)\n {2}nodes\[1\]: "gmailTool"/,
    );
    expect(told).toMatch(/x y\.json: imported as "x y" \([0-9a-f-]{36}\)/);
    expect((await client.admin('GET', 'flows/first-one')).body.nodes[1].kind).toBe('missing');
  });

  it('reads files with a byte order mark, which editors of Windows write', async () => {
    const models = file('models.json', `\ufeff${JSON.stringify({ '*': { provider: 'openai', name: 'm' } })}`);
    const flow = file('marked.json', `\ufeff${JSON.stringify(exported())}`);
    const { code, told, wrong } = await run([flow, '--models', models], key);
    expect([code, wrong, told]).toEqual([0, '', expect.stringContaining('imported as "marked" (marked)')]);
  });

  it('continues after a refused file, names the reason, and exits with 1', async () => {
    const twice = exported([{ id: 'gmailTool_0', data: { name: 'gmailTool', inputs: {} } }]);
    const files = [
      file('twice.json', JSON.stringify(twice)),
      file('broken.json', '{'),
      join(folder, 'gone.json'),
      file('second-one.json', JSON.stringify({ export: exported(), name: 'Named' })),
      file('first-one.json', JSON.stringify(exported())),
    ];
    const { code, told, wrong } = await run(files, key);
    expect(code).toBe(1);
    expect(told).toContain('imported as "Named" (second-one)');
    expect(wrong).toMatch(/twice\.json: not imported: .*\n {2}nodes\.2\.id: /);
    expect(wrong).toContain('broken.json: not imported: it is not JSON');
    expect(wrong).toContain('gone.json: not imported: it cannot be read (ENOENT)');
    expect(wrong).toContain('first-one.json: not imported: There is a flow with this id already');
  });

  it('sends rows and "export all" files under the names in them, and names the flows that it replaces', async () => {
    const row = (id: string) => ({
      id,
      name: `Named ${id}`,
      flowData: JSON.stringify(exported()),
      type: 'AGENTFLOW',
    });
    const files = [
      file('a-row.json', JSON.stringify(row('row-first'))),
      file('nameless.json', JSON.stringify({ ...row(''), name: null })),
      file(
        'ExportData.json',
        JSON.stringify({
          AgentFlowV2: [row('all-first'), row('all-second')],
          ChatFlow: [{ id: 'c', name: 'Old' }],
        }),
      ),
    ];
    const { code, told } = await run(files, key);
    expect(code).toBe(0);
    for (const line of [
      '"Named row-first" (row-first)',
      '"nameless" (nameless)',
      '"Named all-second" (all-second)',
    ])
      expect(told).toContain(`imported as ${line}`);
    expect(told).toContain('ExportData.json: not imported\n  ChatFlow[0]: The chatflow "Old"');
    const again = await run([files[2]!], key);
    expect([again.code, again.wrong]).toEqual([
      1,
      expect.stringContaining('There are flows with these ids already'),
    ]);
    expect((await run([files[2]!, '--on-conflict', 'replace'], key)).code).toBe(0);
    expect((await run([files[2]!, '--on-conflict', 'other'], key)).code).toBe(2);
  });

  it("uses other models, and finds the service's key", async () => {
    const asking = {
      id: 'llmAgentflow_0',
      data: { name: 'llmAgentflow', inputs: { llmModel: 'chatOther' } },
    };
    const model = { provider: 'ollama', name: 'own' };
    file('admin-key', `${TEST_ADMIN_KEY}\n`);
    const args = [
      file('asking.json', JSON.stringify(exported([asking]))),
      ...['--models', file('models.json', JSON.stringify({ '*': model }))],
      ...['--url', service.url],
    ];
    expect(await run(args, { DATA_DIR: folder, PORT: '1' })).toMatchObject({ code: 0 });
    expect((await client.admin('GET', 'flows/asking')).body.nodes[2].config.model).toEqual(model);
  });

  it('exits with 2 if nothing can be sent, and names the remedy', async () => {
    const good = file('third-one.json', JSON.stringify(exported()));
    const cases: [string[], Record<string, string>, RegExp][] = [
      [[], key, /Usage/],
      [['--what', good], key, /--what/],
      [[good, '--models', join(folder, 'gone.json')], key, /gone\.json: it cannot be read/],
      [[good, '--url', 'nowhere'], key, /--url must be an address/],
      [[good], { ...key, PORT: '1' }, /No service answers at http:\/\/127\.0\.0\.1:1\./],
      [[good], { ADMIN_API_KEY: 'another-key-of-somebody' }, /not the admin key/],
      [[good], { SECRETS_DIR: join(folder, 'empty') }, /no admin key/],
    ];
    for (const [args, environment, said] of cases) {
      const { code, wrong } = await run(args, environment);
      expect([code, wrong]).toEqual([2, expect.stringMatching(said)]);
    }
    expect((await client.admin('GET', 'flows/third-one')).status).toBe(404);
  });
});
