import { scryptSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Credentials } from '../src/flows/credentials/credentials.js';
import { startTestApp, type TestApp } from './support/app.js';
import { makePlace, type TestPlace } from './support/databases.js';
import {
  type Cell,
  flowiseEncrypted,
  flowiseFlow,
  type FlowiseRows,
  makeFlowiseDatabase,
  makeFlowiseFile,
  type MoveEnd,
  moveInto,
} from './support/flowise.js';
import { itOnPostgres } from './support/on-postgres.js';
import { ServiceClient } from './support/service-client.js';
import { postgresReachable } from './support/services.js';

const PASSPHRASE = 'the passphrase of the other side';
const LONG = 'k'.repeat(43);
const OTHER = 'o'.repeat(20);

const hash = (key: string): string => `${scryptSync(key, 'salt', 64).toString('hex')}.salt`;
const keyRow = (id: string, apiKey: string | null, apiSecret: string | null = null) => ({
  id,
  keyName: `key ${id.slice(-1)}`,
  apiKey,
  apiSecret,
  createdDate: '2024-05-06 07:08:09',
});
const uuid = (number: number): string => `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`;

const flowNamed = (name: string, more: Record<string, Cell> = {}, nodes: object[] = []) =>
  flowiseFlow({ name, ...more }, nodes);

const agent = (inputs: object) => ({
  id: 'agentAgentflow_0',
  data: { name: 'agentAgentflow', label: 'Helper', inputs },
});
const llm = (config: object) => ({
  id: 'llmAgentflow_0',
  data: {
    name: 'llmAgentflow',
    label: 'LLM',
    inputs: { llmModel: 'chatOpenAI', llmModelConfig: { modelName: 'm', ...config } },
  },
});

const json = (value: unknown): string => JSON.stringify(value);
const origins = (...allowedOrigins: unknown[]) => ({ chatbotConfig: json({ allowedOrigins }) });
const limit = (limitMax: unknown, limitDuration: unknown) => ({
  apiConfig: json({ rateLimit: { status: true, limitMax, limitDuration } }),
});

const ROWS: FlowiseRows = {
  chat_flow: [
    flowNamed('keyed', { apikeyid: uuid(1) }),
    flowNamed('dangling', { apikeyid: uuid(99), isPublic: 1 }),
    flowNamed('short', { apikeyid: uuid(2) }),
    flowNamed('masked', { apikeyid: uuid(3) }),
    flowNamed(
      'pages',
      origins('https://Shop.Example.net:8443/x', 'http://bücher.example', 'localhost:3000', ''),
    ),
    flowNamed('any page', origins('', 'https://ignored.example')),
    flowNamed('nonsense pages', origins('ht!tp://', 7)),
    flowNamed('broken pages', { chatbotConfig: '{"allowedOrigins":' }),
    flowNamed('limited', limit('3', 60)),
    flowNamed('nonsense limit', limit('many', '60')),
    flowNamed('broken settings', {
      apiConfig: 'x',
      mcpServerConfig: '[]',
      speechToText: '{"a":{"status":true}}',
    }),
    flowNamed('asking', {}, [llm({ FLOWISE_CREDENTIAL_ID: uuid(10) })]),
    flowNamed('asking without', {}, [llm({ credential: uuid(98) })]),
    flowNamed('tools', {}, [
      agent({
        agentTools: [
          { agentSelectedTool: 'customTool', agentSelectedToolConfig: { selectedTool: uuid(20) } },
          { agentSelectedTool: 'customTool', agentSelectedToolConfig: { selectedTool: uuid(21) } },
        ],
      }),
    ]),
    flowNamed('runs another', {}, [
      {
        id: 'executeFlowAgentflow_0',
        data: { name: 'executeFlowAgentflow', inputs: { executeFlowSelectedFlow: uuid(97) } },
      },
    ]),
    flowNamed('old', { type: 'CHATFLOW' }),
    flowNamed('team', { type: 'MULTIAGENT' }),
    flowNamed('no graph', { flowData: 'no JSON' }),
    flowNamed('empty graph', { flowData: '{"nodes":[],"edges":[]}' }),
    flowNamed('\u001b[31mred 検査 🚗\n', { flowData: '{}' }),
    flowNamed(`long ${'x'.repeat(300)}`),
    flowNamed('reads', {
      workspaceId: 'w1',
      flowData: flowiseFlow().flowData!.toString().replace('question', '$vars.place'),
    }),
  ],
  apikey: [
    keyRow(uuid(1), LONG, hash(LONG)),
    keyRow(uuid(2), 'nineteen characters'),
    keyRow(uuid(3), `sk-****${'*'.repeat(20)}`, hash(OTHER)),
    keyRow(uuid(4), null),
    keyRow(uuid(5), 'key with blanks in it, long'),
  ],
  credential: [
    {
      id: uuid(10),
      name: 'Provider',
      credentialName: 'openAIApi',
      encryptedData: flowiseEncrypted({ openAIApiKey: 'sk-p' }, PASSPHRASE),
    },
    {
      id: uuid(11),
      name: 'Cloud',
      credentialName: 'awsApi',
      encryptedData: flowiseEncrypted({ awsKey: 'a', awsSecret: 'b' }, PASSPHRASE),
    },
    { id: uuid(12), name: 'Elsewhere', credentialName: 'openAIApi', encryptedData: 'FlowiseCredential_1' },
    {
      id: uuid(13),
      name: 'Of another key',
      credentialName: 'openAIApi',
      encryptedData: flowiseEncrypted({ a: 'b' }, 'x'),
    },
  ],
  tool: [
    {
      id: uuid(20),
      name: 'mileage check',
      func: 'return $km > 9',
      schema: json([{ property: 'km', type: 'number', required: true }]),
    },
    { id: uuid(21), name: 'goes out', func: "const r = await fetch('https://x')", schema: '' },
  ],
  variable: [
    { id: uuid(30), name: 'place', value: 'Oslo', type: 'static', workspaceId: 'w1' },
    { id: uuid(31), name: 'place', value: 'Rome', type: 'static', workspaceId: 'w2' },
  ],
  custom_template: [{ id: uuid(40) }],
};

describe('a Flowise with every kind of fault in it', () => {
  let folder: string;
  let place: TestPlace;
  let service: TestApp;
  let end: MoveEnd;
  let args: string[];
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'moving-cases-'));
    await makeFlowiseFile(join(folder, 'f.sqlite'), ROWS);
    writeFileSync(join(folder, 'key'), PASSPHRASE);
    args = ['--database', join(folder, 'f.sqlite'), '--key', join(folder, 'key')];
    place = await makePlace();
    end = await moveInto(place, args);
    service = await startTestApp({ place });
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const idOf = (name: string): string =>
    String(ROWS['chat_flow']!.find((row) => row['name'] === name)!['id']);
  const stored = async (name: string) => (await client.admin('GET', `flows/${idOf(name)}`)).body;

  it('exits with 0, and names all flows that were not imported', () => {
    expect([end.code, end.wrong]).toEqual([0, '']);
    expect(end.out).toContain('"old": type CHATFLOW');
    expect(end.out).toContain('"team": type MULTIAGENT');
    expect(end.out).toContain('"no graph": its graph is not JSON');
    expect(end.out).toMatch(/"empty graph", "\[31mred 検査 🚗": its graph cannot be read: /);
    expect(end.out).not.toContain('\u001b');
    expect(end.out).toMatch(/^flows +17 +0 +0 +5$/m);
  });

  it('closes flows whose key was not imported', async () => {
    const call = (name: string, key: string) =>
      client.predict(idOf(name), { question: 'x' }, { authorization: `Bearer ${key}` });
    expect((await call('keyed', LONG)).status).toBe(200);
    for (const [name, key] of [
      ['dangling', LONG],
      ['short', 'nineteen characters'],
      ['masked', OTHER],
      ['keyed', 'nineteen characters'],
    ] as const) {
      expect([name, (await call(name, key)).status]).toEqual([name, 401]);
      expect((await client.predict(idOf(name), { question: 'x' })).status).toBe(401);
    }
    expect(end.out).toContain(`"dangling": it needs the API key ${uuid(99)}, which was not imported`);
    expect(end.out).toMatch(/API keys: "key 2": its value has fewer than 20 characters/);
    expect(end.out).toMatch(/API keys: "key 3": the value in the database does not match its hash/);
    expect(end.out).toMatch(/API keys: "key 4": its value is not in the database/);
    expect(end.out).toMatch(/API keys: "key 5": its value cannot be sent in a header/);
  });

  it('carries over allowed domains, and allows none if the list is unreadable', async () => {
    const domains = async (name: string) => (await stored(name)).access.allowedDomains;
    expect(await domains('pages')).toEqual([
      'shop.example.net:8443',
      'xn--bcher-kva.example',
      'localhost:3000',
    ]);
    expect(await domains('any page')).toEqual([]);
    for (const name of ['nonsense pages', 'broken pages']) {
      const from = (origin: string) => client.predict(idOf(name), { question: 'x' }, { origin });
      expect([name, (await from('https://any.example')).status]).toEqual([name, 403]);
      expect((await from('null')).status).toBe(403);
    }
  });

  it('reads limits given as texts, and leaves out invalid ones', async () => {
    expect((await stored('limited')).access.rateLimit).toEqual({ limit: 3, windowSeconds: 60 });
    expect((await stored('nonsense limit')).access.rateLimit).toBeNull();
    expect(end.out).toContain('"nonsense limit": its rate limit of "many" calls in "60" seconds is none');
    expect((await stored('broken settings')).name).toBe('broken settings');
    for (const why of [
      'its apiConfig is no JSON object',
      'its mcpServerConfig is no JSON object',
      'speechToText',
    ])
      expect(end.out).toContain(`"broken settings": ${why}`);
  });

  it('imports supported credentials, and wires them', async () => {
    const credentials = service.app.get(Credentials);
    expect(await credentials.apiKey(uuid(10))).toBe('sk-p');
    expect((await credentials.list()).map(({ id }) => id)).toEqual([uuid(10)]);
    const model = async (name: string) =>
      (await stored(name)).nodes.find(({ kind }: { kind: string }) => kind === 'llm').config.model;
    expect((await model('asking')).credentialId).toBe(uuid(10));
    expect((await model('asking without')).credentialId).toBeUndefined();
    expect(end.out).toMatch(/"asking without": its models have no credential/);
    expect(end.out).toContain('"Cloud": it holds awsKey, awsSecret');
    expect(end.out).toContain('"Elsewhere": its secret is not in the database');
    expect(end.out).toContain('"Of another key": it cannot be decrypted with this key');
  });

  it('makes functions of custom tools, and placeholders of those that functions cannot express', async () => {
    const { nodes } = await stored('tools');
    const { tools } = nodes.find(({ kind }: { kind: string }) => kind === 'agent').config;
    expect(tools[0]).toEqual({
      tool: 'function',
      name: 'mileage_check',
      code: 'return $km > 9',
      parameters: { type: 'object', properties: { km: { type: 'number' } }, required: ['km'] },
    });
    expect(tools[1]).toMatchObject({ tool: 'missing', original: 'customTool' });
    expect(end.out).toMatch(/"tools": .*the tool "customTool" has no counterpart here/);
  });

  it('gives a flow the variables of its own workspace', async () => {
    expect((await stored('reads')).vars).toEqual({ place: { value: 'Oslo', locked: true } });
    expect(end.out).toMatch(/variables: "place": no flow here reads it/);
  });

  it('reports everything else that is lost', () => {
    expect(end.out).toContain(`"runs another": it runs the flow ${uuid(97)}, which is not here`);
    expect(end.out).toMatch(/"long x+…": its name was cut to 200 characters/);
    expect(end.out).toContain('"custom_template (1)": another feature of the other product');
  });

  it('carries over the dates', async () => {
    const { createdAt, updatedAt } = await stored('limited');
    expect([createdAt, updatedAt]).toEqual(['2025-01-02T03:04:05.000Z', '2025-02-03T04:05:06.789Z']);
    const { body } = await client.admin('GET', 'api-keys');
    expect(body.data).toMatchObject([{ id: uuid(1), name: 'key 1', createdAt: '2024-05-06T07:08:09.000Z' }]);
  });

  it('leaves a revoked key revoked', async () => {
    await client.admin('DELETE', `api-keys/${uuid(1)}`);
    expect((await moveInto(place, args)).out).toMatch(/API keys: "key 1": it was revoked here and stays so/);
    expect((await client.predict(idOf('keyed'), {}, { authorization: `Bearer ${LONG}` })).status).toBe(401);
  });

  it('imports credentials in a later run if the first had no key for them', async () => {
    const later = await makePlace();
    const first = await moveInto(later, args.slice(0, 2));
    expect([first.code, first.out]).toEqual([0, expect.stringContaining('"Provider", "Cloud"')]);
    expect((await moveInto(later, args)).out).toMatch(/^credentials +1 +0 +0 +3$/m);
    const app = await startTestApp({ place: later });
    const { body } = await new ServiceClient(() => app).admin('GET', `flows/${idOf('asking')}`);
    expect(JSON.stringify(body.nodes)).toContain(`"credentialId":"${uuid(10)}"`);
    expect(await app.app.get(Credentials).apiKey(uuid(10))).toBe('sk-p');
    await app.close();
  });

  itOnPostgres('is imported from PostgreSQL with the same result', async () => {
    if (!(await postgresReachable())) return;
    const there = await makePlace('postgres');
    const here = await makePlace();
    await makeFlowiseDatabase(there.databaseUrl, ROWS);
    const same = await moveInto(here, ['--database', there.databaseUrl, '--key', join(folder, 'key')]);
    expect([same.code, same.out]).toEqual([0, end.out]);
    await here.remove();
    await there.remove();
  });

  it('exits with 1 if nothing could be imported', async () => {
    const file = join(folder, 'old.sqlite');
    await makeFlowiseFile(file, { chat_flow: [flowNamed('old', { type: 'CHATFLOW' })] });
    const { code, out } = await moveInto(place, ['--database', file]);
    expect([code, out]).toEqual([1, expect.stringMatching(/^flows +0 +0 +0 +1$/m)]);
  });

  it.each([
    [[], 'Usage: npm run import:flowise'],
    [['--database', 'x', '--what'], "Unknown option '--what'"],
    [['--database', '/no/such/file'], 'There is no database'],
    [['--database', __filename], 'is not an SQLite database'],
    [['--database', 'postgres://127.0.0.1:1/x'], 'cannot be read'],
  ])('exits with 2 for %j', async (given, said) => {
    const { code, out, wrong } = await moveInto(place, given);
    expect([code, out, wrong]).toEqual([2, '', expect.stringContaining(said)]);
  });
});
