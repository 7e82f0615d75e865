import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { type FakeEmbeddings, startFakeEmbeddings } from './support/fake-embeddings.js';
import {
  defaultModel,
  type FakeAnswer,
  type FakeModel,
  type FakeRequest,
  startFakeModel,
} from './support/fake-model.js';
import { smallJpeg } from './support/recorded-photographs.js';
import { ServiceClient } from './support/service-client.js';

const PAGES = join(__dirname, '../docs/nodes');

/** A node kind in the schema of definitions; the config of a tool depends on its type. */
interface SchemaNode {
  properties: { kind: { const: string }; config: { properties: object; oneOf?: SchemaTool[] } };
}

interface SchemaTool {
  properties: object & { tool: { const: string } };
}

const kinds = readdirSync(PAGES).map((name) => name.replace(/\.md$/, ''));
const pageOf = (kind: string): string => readFileSync(join(PAGES, `${kind}.md`), 'utf8');

/** Chooses the first scenario, calls an offered tool once and repeats its result; otherwise says hello. */
function asInThePages({ body }: FakeRequest): FakeAnswer {
  const messages = body.messages as { role: string; content: string }[];
  const last = messages.at(-1)!;
  if (last.role === 'tool') return { tokens: ['The tool says: ', last.content] };
  const [tool] = (body.tools ?? []) as { function: { name: string } }[];
  if (tool) return { toolCalls: [{ name: tool.function.name, arguments: '{"currency":"eur"}' }] };
  return { tokens: messages[0]!.content.includes('scenarios') ? ['0'] : ['Hello', ' there'] };
}

/** Returns the contents of the fences of one sort, in order. */
const fenced = (page: string, sort: string): string[] =>
  [...page.matchAll(/^```json (\w+)\n([^]*?)^```$/gm)].flatMap((match) =>
    match[1] === sort ? [match[2]!] : [],
  );

/** The example of each page does what the page describes for writers of flows. */
describe('the page of a node kind', () => {
  let service: TestApp;
  let model: FakeModel;
  let embeddings: FakeEmbeddings;
  let target: Server;
  let photograph: string;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    target = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end('{"rate":1.17}');
    }).listen(0, '127.0.0.1');
    await once(target, 'listening');
    model = await startFakeModel(asInThePages);
    photograph = (await smallJpeg()).toString('base64');
    service = await startTestApp({
      env: {
        OUTBOUND_ALLOW: hostOf(target),
        ...defaultModel(model),
      },
    });
    embeddings = await startFakeEmbeddings();
    await keepManual();
  });

  /** Makes the document store that the pages name. */
  async function keepManual(): Promise<void> {
    const embedding = { provider: 'openai-compatible', name: 'fake', baseUrl: embeddings.url };
    await client.admin('POST', 'document-stores', { id: 'house-manual', name: 'House manual', embedding });
    const documents = 'document-stores/house-manual/documents';
    for (const text of ['The boiler stands in the cellar.', 'Keys hang beside the front door.'])
      await client.admin('POST', documents, { text });
    await eventually(async () => {
      const { data } = (await client.admin('GET', documents)).body as { data: { status: string }[] };
      return data.every(({ status }) => status === 'ready');
    });
  }

  afterAll(async () => {
    await service.close();
    await model.close();
    await embeddings.close();
    target.close().closeAllConnections();
  });

  const hostOf = (server: Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  /** Replaces the service and the photograph that the pages name by existing ones. */
  const here = (text: string): string =>
    text
      .replaceAll('https://rates.example.com', `http://${hostOf(target)}`)
      .replaceAll('base64,…', `base64,${photograph}`);

  const nodesInSchema = async (): Promise<SchemaNode[]> =>
    (await client.admin('GET', 'flows/schema')).body.properties.nodes.items.anyOf as SchemaNode[];

  it('exists for every kind, and explains every member of its config', async () => {
    const nodes = await nodesInSchema();
    const documented = nodes.map(({ properties: { kind, config } }) => {
      const text = kinds.includes(kind.const) ? pageOf(kind.const) : '';
      const members = Object.keys(config.properties).filter((name) => name !== 'updateState');
      return { kind: kind.const, untold: members.filter((name) => !text.includes(`- \`${name}\`:`)) };
    });
    expect(documented.map(({ kind }) => kind).sort()).toEqual([...kinds].sort());
    expect(documented.filter(({ untold }) => untold.length > 0)).toEqual([]);
  });

  it('explains the settings that all tools have, and names those of each type in docs/tools.md', async () => {
    const configs = (await nodesInSchema()).map(({ properties }) => properties);
    const types = configs.find(({ kind }) => kind.const === 'tool')!.config.oneOf!;
    const common = Object.keys(types[0]!.properties).filter((name) =>
      types.every(({ properties }) => name in properties),
    );
    expect(common.filter((name) => !pageOf('tool').includes(`- \`${name}\`:`))).toEqual([]);
    const tools = readFileSync(join(PAGES, '../tools.md'), 'utf8').split('\n');
    const unnamed = types.flatMap(({ properties: { tool, ...members } }) => {
      const row = tools.find((line) => line.startsWith(`| \`${tool.const}\``)) ?? '';
      const node = configs.find(({ kind }) => kind.const === tool.const && row.includes('those of the'));
      return Object.keys(members)
        .filter((name) => !common.includes(name) && !row.includes(`\`${name}\``))
        .filter((name) => !(name in (node?.config.properties ?? {})))
        .map((name) => `${tool.const}: ${name}`);
    });
    expect(unnamed).toEqual([]);
  });

  it.each(kinds)('%s: its example runs and is answered as shown', async (kind) => {
    const page = here(pageOf(kind));
    const flows = fenced(page, 'flow').map((text) => JSON.parse(text) as { nodes: { kind: string }[] });
    expect(flows.flatMap(({ nodes }) => nodes).map((node) => node.kind)).toContain(kind);
    let flowId = '';
    for (const flow of flows) flowId = await client.flow(flow);
    const answers = fenced(page, 'answer');
    const calls = fenced(page, 'call');
    expect([answers.length, calls.length > 0]).toEqual([calls.length, true]);
    let stop = '';
    for (const [index, call] of calls.entries()) {
      // A page cannot name an approval id: only the previous answer does.
      const answer = await client.predict(flowId, JSON.parse(call.replace(/[\w-]+#…/, stop)));
      stop = (answer.body?.action?.data?.nodeId as string | undefined) ?? stop;
      const { status = 200, ...body } = JSON.parse(answers[index]!) as { status?: number };
      expect({ status: answer.status, body: answer.body }).toEqual({
        status,
        body: expect.objectContaining(body),
      });
    }
  });
});
