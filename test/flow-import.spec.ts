import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { startTestApp, type TestApp } from './support/app.js';

/** Exports that are not part of this repository; looked at where they lie beside it. */
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
    expect(warnings).toEqual([
      { code: 'state_kept', message: expect.stringContaining('kept per chat'), path: 'nodes[1]' },
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

  it('takes the export inside of a member too, and names the flow', async () => {
    const answer = await importOf({ export: exported });
    expect([answer.status, answer.body.name]).toEqual([200, 'Imported flow']);
  });

  it('refuses what cannot run, naming every such node, and stores nothing', async () => {
    const before = await flowCount();
    const nodes = [...exported.nodes, node('agentAgentflow_0'), node('httpAgentflow_0', { url: '' })];
    const answer = await importOf({ nodes, edges: exported.edges });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_flow']);
    const errors = answer.body.errors as { path: string; message: string }[];
    const of = (path: string) => errors.find((error) => error.path === path)?.message;
    expect(of('nodes.6.config.url')).toContain('"The httpAgentflow_0" (httpAgentflow_0)');
    expect(of('nodes.5.kind') ?? of('nodes.5.config') ?? JSON.stringify(errors)).toContain(
      'agentAgentflow_0',
    );
    for (const body of ['{}', '[]', 'null', '"x"', '{"nodes":""}', '{"export":{}}', '{"nodes":[1]}']) {
      const refused = await importOf(body);
      expect([body, refused.status, refused.body.code]).toEqual([body, 400, 'invalid_flow']);
    }
    expect(await flowCount()).toBe(before);
  });

  (existsSync(EXPORTS) ? it : it.skip)(
    'takes published templates, or says which nodes it lacks',
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
