import { startTestApp, type TestApp } from './support/app.js';
import { ServiceClient } from './support/service-client.js';

interface Warned {
  code: string;
  message: string;
  path?: string;
}
interface Listed {
  flows: { id: string; name: string; warnings: Warned[] }[];
  warnings?: Warned[];
}

const node = (id: string, inputs: object = {}) => ({
  id,
  type: 'agentFlow',
  data: { name: id.split('_')[0], label: `The ${id}`, inputs },
});
const saying = (text: string, more: object[] = []) => ({
  nodes: [
    node('startAgentflow_0', { startInputType: 'chatInput' }),
    node('directReplyAgentflow_0', { directReplyMessage: `<p>${text}</p>` }),
    ...more,
  ],
  edges: [{ source: 'startAgentflow_0', target: 'directReplyAgentflow_0' }],
});
/** A flow in the form of the other service's API and dashboard. */
const row = (id: string, name: string, graph: object | string, more: object = {}) => ({
  id,
  name,
  flowData: typeof graph === 'string' ? graph : JSON.stringify(graph),
  type: 'AGENTFLOW',
  deployed: false,
  isPublic: true,
  apikeyid: '',
  chatbotConfig: '{"starterPrompts":{"0":{"prompt":"Hello"}},"allowedOrigins":["https://shop.example.net"]}',
  apiConfig: null,
  ...more,
});
const file = (flows: object[], more: object = {}) => ({
  FileDefaultName: 'ExportData.json',
  AgentFlow: [],
  AgentFlowV2: flows,
  ...{ ChatFlow: [], ChatMessage: [], DocumentStore: [], Tool: [], Variable: [] },
  ...more,
});

describe('the shapes of an import (contract section 9)', () => {
  let service: TestApp;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    service = await startTestApp();
  });
  afterAll(() => service.close());

  const importOf = (body: unknown) => client.admin('POST', 'flows/import', body);
  const flow = async (id: string): Promise<Record<string, unknown>> =>
    (await client.admin('GET', `flows/${id}`)).body;
  const count = async () => ((await client.admin('GET', 'flows?limit=200')).body.data as unknown[]).length;

  it('accept a row of the API under its own id and name, with its settings', async () => {
    const { status, body } = await importOf(row('row-one', 'Row one', saying('Hello {{question}}')));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: 'row-one',
      name: 'Row one',
      access: { public: true, apiKeyId: null, allowedDomains: ['shop.example.net'] },
      chat: { starterPrompts: { 0: { prompt: 'Hello' } } },
      warnings: [],
    });
    const named = await importOf({
      export: row('row-two', 'Row two', saying('x')),
      id: 'row-mine',
      name: 'Mine',
    });
    expect(named.body).toMatchObject({ id: 'row-mine', name: 'Mine' });
    const parsed = await importOf({ ...row('row-three', '', ''), flowData: saying('x') });
    expect([parsed.status, parsed.body.name]).toEqual([200, 'Imported flow']);
  });

  it('never open a flow that needed a key before', async () => {
    const { body } = await importOf(row('row-keyed', 'Keyed', saying('x'), { apikeyid: 'a-key-of-theirs' }));
    expect(body.access.apiKeyId).toBe('a-key-of-theirs');
    expect(body.warnings).toEqual([
      expect.objectContaining({ code: 'api_key_missing', path: 'access.apiKeyId' }),
    ]);
    expect((await client.predict('row-keyed', { question: 'x' })).status).toBe(401);
  });

  it('convert references of the original, and warn of others, also when a flow is saved', async () => {
    const text =
      '<p>{{ customFunctionAgentflow_0.output.content }} {{ customFunctionAgentflow_0.output.nope }}</p>';
    const graph = {
      nodes: [
        node('startAgentflow_0'),
        node('customFunctionAgentflow_0', { customFunctionJavascriptFunction: 'return "a" + 1' }),
        node('directReplyAgentflow_0', { directReplyMessage: text }),
      ],
      edges: [
        { source: 'startAgentflow_0', target: 'customFunctionAgentflow_0' },
        { source: 'customFunctionAgentflow_0', target: 'directReplyAgentflow_0' },
      ],
    };
    const { body } = await importOf(row('refers', 'Refers', graph));
    expect(body.warnings).toEqual([expect.objectContaining({ code: 'unknown_reference', path: 'nodes[2]' })]);
    const answer = await client.predict('refers', { question: 'x' });
    expect(answer.body.text).toBe('a1 {{customFunctionAgentflow_0.output.nope}}');
    const saved = await client.admin('POST', 'flows', {
      name: 'Saved',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'get', kind: 'http', config: { url: 'https://example.com' } },
        { id: 'say', kind: 'reply', config: { message: '{{get.output.http.data}}' } },
      ],
      edges: [
        { from: 'start', to: 'get' },
        { from: 'get', to: 'say' },
      ],
    });
    expect(saved.body.warnings).toEqual([
      expect.objectContaining({
        ...{ code: 'unknown_reference', path: 'nodes[2].config.message', suggestion: 'get.output.data' },
      }),
    ]);
  });

  it('accept every flow of an "export all" file, and report the rest of it', async () => {
    const tool = {
      ...{ id: 'tool-1', name: 'km check', description: 'Says', func: 'return 1' },
      schema: '[{"property":"km","type":"number","required":true}]',
    };
    const agent = node('agentAgentflow_0', {
      agentUserMessage: 'x',
      agentTools: [{ agentSelectedTool: 'customTool', agentSelectedToolConfig: { selectedTool: 'tool-1' } }],
    });
    const given = file(
      [
        row('all-one', 'One', saying('{{$vars.town}} {{$vars.blank}}', [agent])),
        row(
          'all-two',
          'Two',
          saying('x', [node('executeFlowAgentflow_0', { executeFlowSelectedFlow: 'all-one' })]),
        ),
        row('all-empty', 'Nothing yet', { nodes: [], edges: [] }),
      ],
      {
        AgentFlow: [row('v1', 'Team of agents', '{}', { type: 'MULTIAGENT' })],
        ChatFlow: [row('cf', 'Old chain', '{}', { type: 'CHATFLOW' })],
        AssistantOpenAI: [{ id: 'as', details: '{"name":"Helper"}' }],
        ChatMessage: [{ id: 'm1' }, { id: 'm2' }],
        DocumentStore: [{ id: 'ds', name: 'Manuals' }],
        Tool: [tool, { ...tool, id: 'tool-2', name: 'unused' }],
        Variable: [
          { id: 'v1', name: 'town', value: 'Perth', type: 'static' },
          { id: 'v2', name: 'blank', value: '', type: 'static' },
          { id: 'v3', name: '__proto__', value: 'x', type: 'static' },
        ],
      },
    );
    const { status, body } = await importOf(given);
    expect(status).toBe(200);
    const { flows, warnings = [] } = body as unknown as Listed;
    expect(flows.map(({ id, name }) => [id, name])).toEqual([
      ['all-one', 'One'],
      ['all-two', 'Two'],
    ]);
    expect(flows.flatMap(({ warnings }) => warnings.map(({ code, message }) => [code, message]))).toEqual([
      ['variables_missing', expect.stringMatching(/Set vars for blank\.$/)],
      ['unreached_node', expect.any(String)],
      ['unreached_node', expect.any(String)],
    ]);
    expect(warnings.map(({ path, code }) => [path, code])).toEqual([
      ['AgentFlowV2[2]', 'not_imported'],
      ['AgentFlow[0]', 'not_imported'],
      ['ChatFlow[0]', 'not_imported'],
      ['ChatMessage', 'not_imported'],
      ['DocumentStore[0]', 'not_imported'],
      ['Tool[1]', 'not_imported'],
      ['Variable[1]', 'not_imported'],
      ['Variable[2]', 'not_imported'],
      ['AssistantOpenAI[0]', 'not_imported'],
    ]);
    const messages = warnings.map(({ message }) => message).join('\n');
    for (const name of [
      'Nothing yet',
      'Team of agents',
      'Old chain',
      '2 of ChatMessage',
      'Manuals',
      'unused',
      'blank',
      '__proto__',
      'Helper',
    ])
      expect(messages).toContain(name);
    const one = await flow('all-one');
    expect(one).toMatchObject({ vars: { town: { value: 'Perth', locked: true } } });
    expect((one['nodes'] as { config: object }[])[2]).toMatchObject({
      config: { tools: [{ tool: 'function', name: 'km_check' }] },
    });
    const single = await importOf({ export: file([row('all-three', 'Three', saying('x'))]), name: 'Mine' });
    expect(single.body).toEqual({ flows: [{ id: 'all-three', name: 'Mine', warnings: [] }] });
  });

  it('import nothing if an id exists, unless it is replaced or copied', async () => {
    const two = (text: string) =>
      file([
        row('same-one', 'One', saying(text)),
        row(
          'same-two',
          'Two',
          saying(text, [node('executeFlowAgentflow_0', { executeFlowSelectedFlow: 'same-one' })]),
        ),
      ]);
    await importOf(file([row('same-one', 'First', saying('first'))]));
    const before = await count();
    const refused = await importOf(two('second'));
    expect([refused.status, refused.body.code]).toEqual([409, 'flow_exists']);
    expect(refused.body.message).toContain('"One" (same-one)');
    expect(refused.body.errors).toEqual([expect.objectContaining({ path: 'AgentFlowV2.0.id' })]);
    expect(await count()).toBe(before);

    const settings = { name: 'Own name', price: 7, account: 'another', access: { public: false } };
    const stored = await flow('same-one');
    await client.admin('PUT', 'flows/same-one', { ...stored, ...settings, vars: { kept: { value: 1 } } });
    const replaced = await importOf({ ...two('third'), onConflict: 'replace' });
    expect((replaced.body as unknown as Listed).flows).toMatchObject([
      { id: 'same-one', name: 'Own name' },
      { id: 'same-two', name: 'Two' },
    ]);
    const after = await flow('same-one');
    expect(after).toMatchObject({ ...settings, vars: { kept: { value: 1 } } });
    expect(JSON.stringify(after['nodes'])).toContain('third');

    const copied = await importOf({ export: two('fourth'), onConflict: 'copy' });
    const ids = (copied.body as unknown as Listed).flows.map(({ id }) => id);
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(JSON.stringify(await flow('same-one'))).toContain('third');
    expect(JSON.stringify((await flow(ids[1]!))['nodes'])).toContain(ids[0]);

    const plain = { export: saying('plain'), id: 'same-one' };
    expect((await importOf(plain)).status).toBe(409);
    expect((await importOf({ ...plain, onConflict: 'copy' })).body.id).not.toBe('same-one');
    expect((await importOf({ ...plain, onConflict: 'replace' })).body).toMatchObject({
      id: 'same-one',
      price: 7,
    });
    expect((await importOf({ ...plain, onConflict: 'other' })).body.errors).toEqual([
      expect.objectContaining({ path: 'onConflict' }),
    ]);
  });

  it('report the place of unreadable input, and store nothing of it', async () => {
    const before = await count();
    const deep = `{"nodes":${'['.repeat(100)}${']'.repeat(100)}}`;
    const good = row('fine', 'Fine', saying('x'));
    const cases: [unknown, string][] = [
      [row('a-row', 'A', 'not JSON'), 'flowData'],
      [row('a-row', 'A', deep), 'flowData'],
      [row('a-row', 'A', JSON.stringify(JSON.stringify(saying('x')))), 'flowData'],
      [row('a-row', 'A', '[]'), 'flowData'],
      [{ ...good, flowData: 5 }, 'flowData'],
      [row('a-row', 'A', { nodes: [] }), 'flowData.nodes'],
      [row('a-row', 'A', { nodes: [node('directReplyAgentflow_0')], edges: [] }), 'flowData.nodes'],
      [row('a-row', 'A', { nodes: [1] }), 'flowData.nodes.0'],
      [row('a-row', 'A', saying('x'), { type: 'CHATFLOW' }), 'type'],
      [row('no id', 'A', saying('x')), 'id'],
      [{ export: row('a-row', 'A', '{') }, 'export.flowData'],
      [file([good, row('a-row', 'A', '{')]), 'AgentFlowV2.1.flowData'],
      [file([good, 5 as never]), 'AgentFlowV2.1'],
      [file([good, good]), 'AgentFlowV2.1.id'],
      [file([]), 'AgentFlowV2'],
      [file([], { ChatFlow: [row('c', 'C', '{}', { type: 'CHATFLOW' })] }), 'AgentFlowV2'],
      [{ export: file([good, row('more', 'More', saying('x'))]), name: 'One name' }, 'name'],
      [
        JSON.parse('{"__proto__":{"nodes":[]},"flowData":"{\\"__proto__\\":1}","name":"constructor"}'),
        'flowData.nodes',
      ],
    ];
    for (const [body, path] of cases) {
      const { status, body: answer } = await importOf(body);
      expect([path, status, answer.code, (answer.errors as Warned[]).map((fault) => fault.path)[0]]).toEqual([
        path,
        400,
        'invalid_flow',
        path,
      ]);
    }
    expect(await count()).toBe(before);
  });

  it('accept 10,000 nodes in a file of 45 MB', async () => {
    const flows = Array.from({ length: 20 }, (_, index) => {
      const more = Array.from({ length: 498 }, (_, place) =>
        node(`directReplyAgentflow_${place + 1}`, { directReplyMessage: `<p>${'a word '.repeat(600)}</p>` }),
      );
      return row(`large-${index}`, `Large ${index}`, saying('x', more));
    });
    const { status, body } = await importOf(file(flows));
    expect([status, (body as unknown as Listed).flows.length]).toEqual([200, 20]);
    expect((await client.predict('large-19', { question: 'x' })).body.text).toBe('x');
  });
});
