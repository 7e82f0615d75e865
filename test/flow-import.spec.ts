import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { FlowStore } from '../src/flows/store/flow-store.js';
import { startTestApp, type TestApp } from './support/app.js';

/** Exports that are not part of this repository; used if they lie beside it. */
const EXPORTS = join(__dirname, '../../shared/agentflow-exports');

let test: TestApp;
const importOf = (body: object | string) =>
  request(test.url)
    .post('/api/v1/flows/import')
    .set('authorization', `Bearer ${test.adminKey}`)
    .type('json')
    .send(typeof body === 'string' ? body : JSON.stringify(body));
const flowCount = async () => {
  const listed = await request(test.url).get('/api/v1/flows').set('authorization', `Bearer ${test.adminKey}`);
  return (listed.body.data as unknown[]).length;
};

const node = (id: string, inputs: object = {}) => ({
  id,
  type: 'agentFlow',
  data: { name: id.split('_')[0], label: `The ${id}`, inputs },
});

const edge = (source: string, output: string, target: string) => ({
  source,
  sourceHandle: `${source}-output-${output}`,
  target,
});

const exported = {
  nodes: [
    node('stickyNoteAgentflow_0', { note: 'A note' }),
    node('startAgentflow_0', { startInputType: 'chatInput', startState: [{ key: 'seen', value: '' }] }),
    node('conditionAgentflow_0', {
      conditions: [
        {
          type: 'string',
          value1:
            '<p><span class="variable" data-type="mention" data-id="question">{{ question }}</span></p>',
          operation: 'contains',
          value2: '<p>bye</p>',
        },
      ],
    }),
    node('directReplyAgentflow_0', { directReplyMessage: '<p>Goodbye &amp; thanks</p>' }),
    node('directReplyAgentflow_1', { directReplyMessage: '<p>Hello <strong>{{ question }}</strong></p>' }),
  ],
  edges: [
    edge('startAgentflow_0', 'startAgentflow', 'conditionAgentflow_0'),
    edge('conditionAgentflow_0', '0', 'directReplyAgentflow_0'),
    edge('conditionAgentflow_0', '1', 'directReplyAgentflow_1'),
  ],
};

beforeAll(async () => {
  test = await startTestApp({ env: {} });
});
afterAll(() => test.close());

describe('the import of flows (contract section 8)', () => {
  it('is open to the admin key alone', async () => {
    const answer = await request(test.url).post('/api/v1/flows/import').send(exported);
    expect([answer.status, answer.body.code]).toEqual([401, 'invalid_admin_key']);
  });

  it('makes a flow that runs', async () => {
    const answer = await importOf({ ...exported, name: 'Greeter', id: 'imported-greeter' });
    expect(answer.status).toBe(200);
    const { warnings, ...flow } = answer.body;
    expect(flow.notes).toEqual([{ text: 'A note', position: expect.anything() }]);
    expect(warnings).toEqual([
      { code: 'state_kept', message: expect.stringContaining('stored for each chat'), path: 'nodes[1]' },
    ]);
    const got = await request(test.url)
      .get('/api/v1/flows/imported-greeter')
      .set('authorization', `Bearer ${test.adminKey}`);
    expect(got.body).toEqual(flow);

    const ask = async (question: string) =>
      (await request(test.url).post('/api/v1/prediction/imported-greeter').send({ question })).body.text;
    expect(await ask('$& {{question}}')).toBe('Hello **$& {{question}}**');
    expect(await ask('bye now')).toBe('Goodbye & thanks');

    const again = await importOf({ export: exported, id: 'imported-greeter' });
    expect([again.status, again.body.code]).toEqual([409, 'flow_exists']);
  });

  it('accepts the export inside a member too, and names the flow', async () => {
    const answer = await importOf({ export: exported });
    expect([answer.status, answer.body.name]).toEqual([200, 'Imported flow']);
  });

  it('makes a placeholder for an unknown kind, with its secrets sealed, which fails by its name', async () => {
    const mail = node('gmailTool_0', { to: 'ada@example.com', apiKey: 'a-very-secret-key' });
    const nodes = [...exported.nodes, mail];
    const edges = [
      ...exported.edges.filter(({ target }) => target !== 'directReplyAgentflow_0'),
      edge('conditionAgentflow_0', '0', 'gmailTool_0'),
    ];
    const answer = await importOf({ nodes, edges, id: 'with-mail' });
    expect(answer.status).toBe(200);
    expect(answer.body.warnings).toContainEqual(
      expect.objectContaining({ code: 'node_missing', path: 'nodes[5]' }),
    );
    const settings = { to: 'ada@example.com', apiKey: '[masked]' };
    const shown = { id: 'gmailTool_0', kind: 'missing', config: { original: 'gmailTool', settings } };
    const { warnings: _warnings, ...flow } = answer.body;
    expect(flow.nodes).toContainEqual(expect.objectContaining(shown));

    const stored = () => test.app.get(FlowStore).get('with-mail');
    const sealed = (await stored())!.flow.definition.nodes.at(-1)!.config;
    expect(JSON.stringify(sealed)).not.toContain('a-very-secret-key');
    const saved = await request(test.url)
      .put('/api/v1/flows/with-mail')
      .set('authorization', `Bearer ${test.adminKey}`)
      .send({ ...flow, name: 'Renamed' });
    expect([saved.status, saved.body.name]).toEqual([200, 'Renamed']);
    expect((await stored())!.flow.definition.nodes.at(-1)!.config).toEqual(sealed);

    const ask = (question: string) =>
      request(test.url).post('/api/v1/prediction/with-mail').send({ question });
    expect((await ask('hello')).body.text).toBe('Hello **hello**');
    const failed = await ask('bye');
    expect([failed.status, failed.body.code]).toEqual([500, 'flow_failed']);
    const record = await request(test.url)
      .get(`/api/v1/executions/${failed.body.executionId}`)
      .set('authorization', `Bearer ${test.adminKey}`);
    expect(record.body).toMatchObject({
      failedNode: { id: 'gmailTool_0', label: 'The gmailTool_0' },
      error: expect.stringContaining('"The gmailTool_0" is a placeholder for "gmailTool"'),
    });
    expect(record.text).not.toContain('a-very-secret-key');
  });

  it('makes a placeholder for an incomplete node, and warns of nodes without an answer', async () => {
    const lost = node('directReplyAgentflow_2', { directReplyMessage: '<p>{{questoin}} {{$vars.town}}</p>' });
    const nodes = [...exported.nodes, node('httpAgentflow_0', { url: '' }), lost];
    const answer = await importOf({ nodes, edges: [...exported.edges, edge('nobody', '0', 'nothing')] });
    expect(answer.status).toBe(200);
    expect(answer.body.nodes).toContainEqual(
      expect.objectContaining({ id: 'httpAgentflow_0', kind: 'missing' }),
    );
    const warned = (answer.body.warnings as { code: string; path: string }[]).map(({ code, path }) => [
      code,
      path,
    ]);
    expect(warned).toEqual(
      expect.arrayContaining([
        ['node_missing', 'nodes[5]'],
        ['unreached_node', 'nodes[5]'],
        ['unreached_node', 'nodes[6]'],
        ['unknown_reference', 'nodes[6]'],
        ['variables_missing', 'vars'],
        ['edge_left_out', 'edges[3]'],
      ]),
    );
    expect(warned.map(([code]) => code)).not.toContain('unknown_variable');
  });

  it('uses the models chosen for it', async () => {
    const nodes = [...exported.nodes, node('llmAgentflow_0', { llmModel: 'chatOther', llmMessages: '' })];
    const model = { provider: 'ollama', name: 'own' };
    const answer = await importOf({ export: { nodes, edges: exported.edges }, models: { '*': model } });
    expect(answer.status).toBe(200);
    expect(answer.body.nodes).toContainEqual(
      expect.objectContaining({ kind: 'llm', config: expect.objectContaining({ model }) }),
    );
    const wrong = await importOf({ export: exported, models: { '*': { provider: 'nobody', name: 'x' } } });
    expect([wrong.status, wrong.body.errors]).toEqual([
      400,
      [expect.objectContaining({ path: 'models.*.provider' })],
    ]);
  });

  it('returns a flow or a clear error for any input, and stores nothing of a refused one', async () => {
    const before = await flowCount();
    const refused = ['{}', '[]', 'null', '"x"', '{"nodes":""}', '{"export":{}}', '{"nodes":[1]}'];
    refused.push(JSON.stringify({ nodes: [...exported.nodes, ...exported.nodes] }));
    refused.push(JSON.stringify({ nodes: [node('directReplyAgentflow_0')] }));
    refused.push(JSON.stringify({ ...exported, id: 'not an id' }), JSON.stringify({ ...exported, name: 5 }));
    refused.push(JSON.stringify({ nodes: [{ ...exported.nodes[1], id: 'a.b' }] }));
    for (const body of refused) {
      const answer = await importOf(body);
      expect([body, answer.status, answer.body.code]).toEqual([body, 400, 'invalid_flow']);
      expect(answer.body.errors.length).toBeGreaterThan(0);
    }
    const many = Array.from({ length: 1_000 }, (_, index) => node(`directReplyAgentflow_${index + 9}`));
    const tooMany = await importOf({ nodes: [...exported.nodes, ...many] });
    expect([tooMany.status, tooMany.body.code]).toEqual([400, 'invalid_flow']);
    const saying = (directReplyMessage: string) => node('directReplyAgentflow_2', { directReplyMessage });
    const crowded = await importOf({ nodes: [...exported.nodes, saying('<b>a</b> '.repeat(1_000_000))] });
    expect([crowded.status, crowded.body.errors]).toEqual([
      400,
      [{ path: 'nodes.5.data.inputs', message: expect.stringContaining('shorten') }],
    ]);
    expect(await flowCount()).toBe(before);
    const large = saying(`<p>${'<b>a</b> '.repeat(10_000)}${'a word '.repeat(1_000_000)}</p>`);
    const most = await importOf({ nodes: [...exported.nodes, large, ...many.slice(0, 900)], edges: '' });
    expect([most.status, most.body.nodes.length]).toEqual([200, 905]);
    expect(most.body.warnings.length).toBeLessThan(102);
  });

  (existsSync(EXPORTS) ? it : it.skip)(
    'imports published templates, or names the nodes that it lacks',
    async () => {
      for (const name of readdirSync(EXPORTS)) {
        const text = readFileSync(join(EXPORTS, name), 'utf8');
        const answer = await importOf(text);
        const { nodes } = JSON.parse(text) as { nodes: { id: string }[] };
        const errors = (answer.body.errors ?? []) as { path: string; message: string }[];
        const unnamed = errors.filter(({ path, message }) => {
          const index = /^nodes\.(\d+)\./.exec(path)?.[1];
          return index === undefined || !message.includes(`(${nodes[Number(index)]?.id})`);
        });
        expect([name, [200, 400].includes(answer.status), unnamed]).toEqual([name, true, []]);
        expect([name, answer.status === 400]).toEqual([name, errors.length > 0]);
      }
    },
  );
});
