import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseReader } from '../src/database/database-reader.js';
import { Credentials } from '../src/flows/credentials/credentials.js';
import { SqliteSource } from '../src/moving/source/sqlite-source.js';
import { startTestApp, type TestApp } from './support/app.js';
import { makePlace, type TestPlace } from './support/databases.js';
import { FLOWISE_FOLDER, hasFlowise, type MoveEnd, moveInto } from './support/flowise.js';
import { ServiceClient } from './support/service-client.js';

interface ExpectedFlow {
  id: string;
  name: string;
  carriedOver: boolean;
  isPublic: boolean;
  apikeyid: string | null;
  nodeNames: string[];
  credentialIds: string[];
  rateLimit: { status: boolean; limitMax?: string; limitDuration?: string; limitMsg?: string } | null;
  allowedOrigins: string[];
  starterPrompts: string[];
  chatFeedback: boolean | null;
  leads: object | null;
  fullFileUpload: object | null;
}

interface Expected {
  apiKeys: { id: string; name: string; key: string }[];
  variables: { name: string; type: string; value: string }[];
  credentials: { id: string; name: string; decrypted: { openAIApiKey: string } }[];
  flows: ExpectedFlow[];
  cannotBeCarriedOver: { what: string; flow?: string; rows?: number }[];
}

const DATABASE = join(FLOWISE_FOLDER, 'database.sqlite');
const ALL = [
  ...['--database', DATABASE],
  ...['--key', join(FLOWISE_FOLDER, 'encryption.key')],
  ...['--storage', join(FLOWISE_FOLDER, 'storage')],
];

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** The tables of flows and the things that they name. */
const TABLES = ['flows', 'api_keys', 'credentials'];

(hasFlowise ? describe : describe.skip)('npm run import:flowise', () => {
  let place: TestPlace;
  let end: MoveEnd;
  let service: TestApp;
  let expected: Expected;
  let untouched: string;
  const graphs = new Map<unknown, { nodes: { id: string; type: string }[] }>();
  const client = new ServiceClient(() => service);
  const flowOf = (name: string) => expected.flows.find((flow) => flow.name === name)!;
  const stored = async (name: string) => (await client.admin('GET', `flows/${flowOf(name).id}`)).body;

  beforeAll(async () => {
    expected = JSON.parse(readFileSync(join(FLOWISE_FOLDER, 'expected.json'), 'utf8')) as Expected;
    untouched = hashOf(DATABASE);
    const source = await SqliteSource.open(DATABASE);
    for await (const { id, flowData } of source.rows('chat_flow'))
      graphs.set(id, JSON.parse(String(flowData)) as { nodes: { id: string; type: string }[] });
    await source.close();
    place = await makePlace();
    end = await moveInto(place, ALL);
    service = await startTestApp({ place });
  });
  afterAll(() => service.close());

  const rows = async () => {
    const reader = service.app.get(DatabaseReader);
    return Promise.all(TABLES.map((table) => reader.all(`SELECT * FROM ${table} ORDER BY id`)));
  };

  it('exits with 0 and a table', () => {
    expect([end.code, end.wrong]).toEqual([0, '']);
    expect(end.out).toMatch(/^flows +11 +0 +0 +1$/m);
    expect(end.out).toMatch(/^API keys +2 +0 +0 +0$/m);
    expect(end.out).toMatch(/^credentials +1 +0 +0 +0$/m);
  });

  it('imports each flow under its id, with who may call it', async () => {
    const { body } = await client.admin('GET', 'flows?limit=200');
    const carried = expected.flows.filter(({ carriedOver }) => carriedOver);
    const shown = (flow: { id: string; name: string; access: object }) => [flow.id, flow.name, flow.access];
    const here = (body.data as { id: string; name: string; access: object }[]).map(shown);
    const there = carried.map((flow) =>
      shown({
        ...flow,
        access: {
          apiKeyId: flow.apikeyid,
          public: flow.isPublic,
          allowedDomains: flow.allowedOrigins.map((origin) => new URL(origin).host),
          rateLimit: flow.rateLimit?.status
            ? {
                limit: Number(flow.rateLimit.limitMax),
                windowSeconds: Number(flow.rateLimit.limitDuration),
                message: flow.rateLimit.limitMsg,
              }
            : null,
        },
      }),
    );
    expect(here).toHaveLength(there.length);
    expect(here).toEqual(expect.arrayContaining(there));
  });

  it('imports the settings of the chat in the form that clients request', async () => {
    for (const flow of expected.flows.filter(({ carriedOver }) => carriedOver)) {
      const { body } = await client.send('GET', `/api/v1/public-chatbotConfig/${flow.id}`);
      const prompts = Object.values((body.starterPrompts ?? {}) as Record<string, { prompt: string }>);
      expect([flow.name, prompts.map(({ prompt }) => prompt)]).toEqual([flow.name, flow.starterPrompts]);
      expect(body.chatFeedback?.status ?? null).toBe(flow.chatFeedback);
      expect(body.leads ?? null).toEqual(flow.leads);
      const { pdfFile: _, ...upload } = (flow.fullFileUpload ?? {}) as { pdfFile?: object };
      expect(body.fullFileUpload ?? {}).toEqual(upload);
    }
    const { body } = await client.send('GET', `/api/v1/public-chatbotConfig/${flowOf('Inspection desk').id}`);
    expect(body.uploads.isImageUploadAllowed).toBe(true);
  });

  it('imports every node, gives models their credential, and opens it', async () => {
    for (const flow of expected.flows.filter(({ carriedOver }) => carriedOver)) {
      const { nodes, notes = [] } = await stored(flow.name);
      const drawn = graphs.get(flow.id)!.nodes.filter(({ type }) => type === 'stickyNote');
      expect([flow.name, notes.length]).toEqual([flow.name, drawn.length]);
      const original = graphs.get(flow.id)!.nodes.filter(({ type }) => type !== 'stickyNote');
      expect(nodes.map(({ id }: { id: string }) => id)).toEqual(original.map(({ id }) => id));
      const named = JSON.stringify(nodes).match(/"credentialId":"[^"]+"/g) ?? [];
      const ids = new Set(named.map((text) => text.split('"')[3]));
      expect([flow.name, [...ids]]).toEqual([flow.name, flow.credentialIds]);
    }
    for (const { id, name, decrypted } of expected.credentials) {
      const credentials = service.app.get(Credentials);
      expect((await credentials.find(id))?.name).toBe(name);
      expect(await credentials.apiKey(id)).toBe(decrypted.openAIApiKey);
    }
  });

  it('imports the keys with their values: each opens the flow that names it, and no other', async () => {
    const [tablet, portal] = expected.apiKeys;
    const desk = flowOf('Inspection desk');
    expect(desk.apikeyid).toBe(tablet!.id);
    const call = (key?: string, origin = 'https://inspect.example.com') =>
      client.predict(desk.id, {}, { origin, ...(key ? { authorization: `Bearer ${key}` } : {}) });
    expect((await call()).status).toBe(401);
    expect((await call(portal!.key)).status).toBe(401);
    expect((await call(tablet!.key, 'https://elsewhere.example')).body.code).toBe('domain_not_allowed');
    // The key is accepted: only the body is wrong.
    expect((await call(tablet!.key)).body.code).toBe('invalid_request');
    const { body } = await client.admin('GET', 'api-keys');
    const listed = body.data.map(({ id, name }: { id: string; name: string }) => ({ id, name }));
    expect(listed).toEqual(expect.arrayContaining(expected.apiKeys.map(({ id, name }) => ({ id, name }))));
  });

  it('carries over the rate limit of a flow', async () => {
    const { id } = flowOf('Translator');
    for (let nth = 0; nth < 5; nth++) expect((await client.predict(id, {})).status).toBe(400);
    const refused = await client.predict(id, {});
    expect([refused.status, refused.body.detail]).toEqual([429, 'Too many requests, please wait a minute']);
  });

  it('runs an imported flow', async () => {
    const { id } = flowOf('Echo');
    const headers = { origin: 'https://shop.example.net' };
    const { status, body } = await client.predict(id, { question: 'Hallo 👋' }, headers);
    expect([status, body.text]).toEqual([200, 'You said: Hallo 👋']);
  });

  it('copies the variables into the flows that read them, and lets callers set the same ones', async () => {
    const { vars, overrides } = await stored('Inspection desk');
    const { value } = expected.variables.find(({ name }) => name === 'company_name')!;
    expect(vars).toEqual({ company_name: { value } });
    expect(overrides).toEqual(['llmAgentflow_0.model.name']);
    expect((await stored('Echo')).vars).toBeUndefined();
    expect(end.out).toContain('"Inspection desk": the variable FLOW_REGION took its value from');
  });

  it('reports everything that was not imported, and why', () => {
    const words: Record<string, string> = {
      'document store': 'retrieverAgentflow|agentKnowledgeDocumentStores',
      document_store: 'document stores: "Inspection manuals \\(',
      flow: 'type CHATFLOW',
      assistant: 'assistants: "Front desk assistant"',
      tool: 'custom tools: "mileage_check"',
      user: 'accounts with passwords',
      login_sessions: 'browser sessions',
      role: '"role \\(3\\)"',
    };
    for (const { what, flow } of expected.cannotBeCarriedOver) {
      const line = new RegExp(
        `^ .*${flow === undefined ? '' : `"${flow}".*`}(?:${words[what] ?? what})`,
        'm',
      );
      expect(end.out).toMatch(line);
    }
  });

  it('changes nothing when it is run again beside the service', async () => {
    const before = await rows();
    const again = await moveInto(place, ALL);
    expect(again.code).toBe(0);
    expect(again.out).toMatch(/^flows +0 +11 +0 +1$/m);
    expect(await rows()).toEqual(before);
  });

  it('leaves a flow that was changed here, and reports it', async () => {
    const echo = await stored('Echo');
    await client.admin('PUT', `flows/${echo.id}`, { ...echo, name: 'Echo of ours' });
    const before = await rows();
    const again = await moveInto(place, ALL);
    expect(again.out).toMatch(/"Echo": it was changed since/);
    expect(await rows()).toEqual(before);
  });

  it('lists in a dry run everything to be imported, and writes nothing', async () => {
    const before = await rows();
    const fresh = await makePlace();
    const dry = await moveInto(fresh, [...ALL, '--dry-run']);
    expect(dry.out).toMatch(/^flows +11 +0 +0 +1$/m);
    expect(dry.out.split('\n\n')[0]).toBe(end.out.split('\n\n')[0]);
    expect([dry.code, readdirSync(fresh.dataDir)]).toEqual([0, []]);
    await fresh.remove();
    expect((await moveInto(place, [...ALL, '--dry-run'])).out).toMatch(/^flows +0 +11 +0 +1$/m);
    expect(await rows()).toEqual(before);
  });

  it('exits with 2 before anything is written if the key is wrong', async () => {
    const fresh = await makePlace();
    const wrong = join(place.dataDir, 'wrong.key');
    writeFileSync(wrong, 'x'.repeat(32));
    const { code, out, wrong: said } = await moveInto(fresh, ['--database', DATABASE, '--key', wrong]);
    expect([code, out, said]).toEqual([
      2,
      '',
      expect.stringContaining('The key is not that of this database'),
    ]);
    const given = { FLOWISE_SECRETKEY_OVERWRITE: 'y'.repeat(32) };
    expect((await moveInto(fresh, ['--database', DATABASE], given)).code).toBe(2);
    expect(readdirSync(fresh.dataDir)).toEqual([]);
    await fresh.remove();
  });

  it('leaves the other database unchanged', () => {
    const names = readdirSync(FLOWISE_FOLDER).filter((name) => name.startsWith('database'));
    expect(names).toEqual(['database.sqlite']);
    expect(hashOf(DATABASE)).toBe(untouched);
  });
});
