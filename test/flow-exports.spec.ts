import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaFaults } from '../web/console/flows/editor/schema-faults.js';
import { textOfFlow } from '../web/console/flows/flow-text.js';
import { startTestApp, type TestApp } from './support/app.js';
import { type FakeModel, type FakeRequest, startFakeModel } from './support/fake-model.js';
import { ServiceClient } from './support/service-client.js';

/** Published exports, which are not part of this repository; used if they lie beside it. */
const FOLDER = join(__dirname, '../../shared/agentflow-exports');
const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.json')) : [];
if (files.length === 0) process.stderr.write('SKIPPED: no published exports lie beside the repository\n');

/** Chooses the first scenario, answers in JSON if it must, and says hello otherwise. */
const scripted = ({ body }: FakeRequest) => {
  if (body.response_format) return { tokens: ['{"sql_query":"select 1"}'] };
  return { tokens: [/scenario/i.test(JSON.stringify(body.messages)) ? '0' : 'Hello'] };
};

(files.length > 0 ? describe : describe.skip)('published exports', () => {
  let service: TestApp;
  let model: FakeModel;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    model = await startFakeModel(scripted);
    service = await startTestApp();
  });
  afterAll(async () => {
    await service.close();
    await model.close();
  });

  const ids = files.map((name) => name.replace('.json', ''));

  it.each(ids)('%s is imported, and what was not carried over is reported', async (id) => {
    const given = JSON.parse(readFileSync(join(FOLDER, `${id}.json`), 'utf8')) as {
      nodes: { id: string; type: string }[];
      edges: object[];
    };
    const models = { '*': { provider: 'openai-compatible', name: 'fake', baseUrl: model.url } };
    const { status, body } = await client.admin('POST', 'flows/import', { export: given, id, models });
    expect([status, body.errors]).toEqual([200, undefined]);
    const running = given.nodes.filter(({ type }) => type !== 'stickyNote');
    expect(body.nodes.map((node: { id: string }) => node.id)).toEqual(running.map((node) => node.id));
    expect(body.edges).toHaveLength(given.edges.length);
    const missing = body.nodes.filter(({ kind }: { kind: string }) => kind === 'missing');
    for (const { id: name } of missing)
      expect(body.warnings).toContainEqual(
        expect.objectContaining({ code: 'node_missing', message: expect.stringContaining(`(${name})`) }),
      );
  });

  it.each(ids)('%s opens in the console without a fault, and is saved unchanged', async (id) => {
    const { body: flow } = await client.admin('GET', `flows/${id}`);
    const { body: schema } = await client.admin('GET', 'flows/schema');
    const text = textOfFlow(flow);
    expect(schemaFaults(JSON.parse(text), schema)).toEqual([]);
    const saved = await client.admin('PUT', `flows/${id}`, JSON.parse(text));
    expect([saved.status, saved.body.nodes]).toEqual([200, flow.nodes]);
  });

  it.each(ids)('%s runs to its end, or fails at a placeholder that names what it replaces', async (id) => {
    const { body: flow } = await client.admin('GET', `flows/${id}`);
    const kinds = new Map<string, string>(flow.nodes.map(({ id, kind }: never) => [id, kind]));
    const { status, body } = await client.predict(id, { question: 'Tell me about AI' });
    if (status === 200) {
      expect(body.text).not.toBe('');
      return;
    }
    expect([status, body.code]).toEqual([500, 'flow_failed']);
    const { body: record } = await client.admin('GET', `executions/${body.executionId}`);
    const kind = kinds.get(record.failedNode.id)!;
    const expected = kind === 'missing' ? /placeholder for ".+", which could not be imported/ : /require/;
    expect([kind, record.error]).toEqual([
      expect.stringMatching(/^(missing|function)$/),
      expect.stringMatching(expected),
    ]);
  });

  it('mostly run', async () => {
    const { body } = await client.admin('GET', 'executions?kind=prediction&limit=200');
    const ended = body.data.filter(({ status }: { status: string }) => status === 'succeeded');
    expect([body.data.length, ended.length >= files.length / 2]).toEqual([files.length, true]);
  });
});
