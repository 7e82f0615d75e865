import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canvasOf } from '../web/console/flows/canvas/canvas-model.js';
import { placed } from '../web/console/flows/canvas/placing.js';
import { FlowDocument } from '../web/console/flows/document/flow-document.js';
import { rewrite } from '../web/console/flows/document/rewrite.js';
import { schemaFaults } from '../web/console/flows/editor/schema-faults.js';
import { textOfFlow } from '../web/console/flows/flow-text.js';
import {
  type Members,
  nodesIn,
  type Point,
  withoutMember,
} from '../web/console/flows/operations/definition.js';
import { moveNodes, renameNode } from '../web/console/flows/operations/edit-nodes.js';
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
      nodes: { id: string; type: string; position: Point; data: { inputs: { note?: string } } }[];
      edges: object[];
    };
    const models = { '*': { provider: 'openai-compatible', name: 'fake', baseUrl: model.url } };
    const { status, body } = await client.admin('POST', 'flows/import', { export: given, id, models });
    expect([status, body.errors]).toEqual([200, undefined]);
    const running = given.nodes.filter(({ type }) => type !== 'stickyNote');
    expect(body.nodes.map((node: { id: string }) => node.id)).toEqual(running.map((node) => node.id));
    expect(body.edges).toHaveLength(given.edges.length);
    const notes = given.nodes.filter(({ type }) => type === 'stickyNote');
    expect(body.notes ?? []).toEqual(
      notes.map(({ position, data }) => ({ text: data.inputs.note, position })),
    );
    const missing = body.nodes.filter(({ kind }: { kind: string }) => kind === 'missing');
    for (const { id: name } of missing)
      expect(body.warnings).toContainEqual(
        expect.objectContaining({ code: 'node_missing', message: expect.stringContaining(`(${name})`) }),
      );
  });

  it.each(ids)(
    '%s opens in the console without a fault, and is saved unchanged, with the order of its members',
    async (id) => {
      const { body: flow } = await client.admin('GET', `flows/${id}`);
      const { body: schema } = await client.admin('GET', 'flows/schema');
      const text = textOfFlow(flow);
      expect(schemaFaults({ name: id, ...(JSON.parse(text) as object) }, schema)).toEqual([]);
      const saved = await client.admin('PUT', `flows/${id}/draft`, JSON.parse(text));
      expect([saved.status, textOfFlow(saved.body)]).toEqual([200, text]);
    },
  );

  it.each(ids)(
    '%s opens on the canvas with its own layout, is edited there and saved with nothing lost',
    async (id) => {
      const { nodes } = JSON.parse(readFileSync(join(FOLDER, `${id}.json`), 'utf8')) as {
        nodes: { id: string; type: string; position: Point }[];
      };
      const { body: flow } = await client.admin('GET', `flows/${id}`);
      const document = new FlowDocument(textOfFlow(flow));
      const [text, before] = [document.text, JSON.parse(document.text) as Members];
      const boxes = placed(canvasOf(before));
      for (const node of nodes.filter(({ type }) => type !== 'stickyNote'))
        expect(boxes.get(node.id)).toMatchObject(node.position);
      expect(rewrite(text, before, before)).toEqual([]);
      const free = nodesIn(before).map((node) => withoutMember(node as Members, 'position'));
      const model = canvasOf({ ...before, nodes: free });
      const arranged = model.nodes.map((node) => ({ ...node, ...placed(model).get(node.id)! }));
      const overlaps = arranged.flatMap((one, index) =>
        arranged
          .slice(index + 1)
          .filter(
            (two) =>
              one.parentNode === two.parentNode &&
              one.x < two.x + two.width &&
              two.x < one.x + one.width &&
              one.y < two.y + two.height &&
              two.y < one.y + one.height,
          )
          .map((two) => [one.id, two.id]),
      );
      expect(overlaps).toEqual([]);

      const [first] = nodes;
      const moved = moveNodes(before, new Map([[first!.id, { x: 7, y: -7 }]]));
      const after = renameNode(moved, first!.id, 'renamed');
      document.edit(rewrite(text, before, after));
      expect(JSON.stringify(JSON.parse(document.text))).toBe(JSON.stringify(after));
      const saved = await client.admin('PUT', `flows/${id}/draft`, JSON.parse(document.text));
      expect([saved.status, saved.body.nodes, saved.body.edges]).toEqual([
        200,
        after['nodes'],
        after['edges'],
      ]);
      document.undo();
      expect(document.text).toBe(text);
    },
  );

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
