import { join } from 'node:path';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { type FakeEmbeddings, startFakeEmbeddings } from './support/fake-embeddings.js';
import { type Cell, flowiseFlow, makeFlowiseFile, type MoveEnd, moveInto } from './support/flowise.js';
import { ServiceClient } from './support/service-client.js';

const HERE = '570df92b-087b-4d3b-9462-7a11283454a5';
const GONE = '25429b8f-0377-4762-9cda-0d5366cf022c';

const rows = (...names: string[]) => names.map((documentStore) => ({ documentStore }));

/** start → a retriever whose text is the answer. */
const searching = (name: string, stores: object[]): Record<string, Cell> => ({
  ...flowiseFlow({ name }),
  flowData: JSON.stringify({
    nodes: [
      { id: 'startAgentflow_0', data: { name: 'startAgentflow', label: 'Start', inputs: {} } },
      {
        id: 'retrieverAgentflow_0',
        data: {
          name: 'retrieverAgentflow',
          label: 'Look up',
          inputs: { retrieverKnowledgeDocumentStores: stores, retrieverQuery: '<p>{{ question }}</p>' },
        },
      },
    ],
    edges: [{ source: 'startAgentflow_0', target: 'retrieverAgentflow_0' }],
  }),
});

const knowing = (name: string, stores: object[]): Record<string, Cell> =>
  flowiseFlow({ name }, [
    {
      id: 'agentAgentflow_0',
      data: { name: 'agentAgentflow', label: 'Helper', inputs: { agentKnowledgeDocumentStores: stores } },
    },
  ]);

describe('imported flows that search in document stores', () => {
  let service: TestApp;
  let model: FakeEmbeddings;
  let args: string[];
  let dry: MoveEnd;
  let end: MoveEnd;
  const client = new ServiceClient(() => service);
  const flows = [
    searching('finds', rows(`${HERE}:Manuals`)),
    searching('finds half', rows(`${HERE}:Manuals`, `${GONE}:Papers`)),
    knowing('knows', rows(`${HERE}:Manuals`, `${GONE}:Papers`)),
  ];

  beforeAll(async () => {
    model = await startFakeEmbeddings();
    service = await startTestApp();
    const embedding = { provider: 'openai-compatible', name: 'embedder', baseUrl: model.url };
    await client.admin('POST', 'document-stores', { id: HERE, name: 'Our manuals', embedding });
    const documents = `document-stores/${HERE}/documents`;
    await client.admin('POST', documents, { name: 'boiler.md', text: 'The boiler is behind the pantry.' });
    await eventually(async () => (await client.admin('GET', documents)).body.data[0].status === 'ready');
    args = ['--database', join(service.place.dataDir, 'flowise.sqlite')];
    await makeFlowiseFile(args[1]!, {
      chat_flow: flows,
      document_store: [
        { id: HERE, name: 'Manuals' },
        { id: GONE, name: 'Papers' },
      ],
    });
    dry = await moveInto(service.place, [...args, '--dry-run']);
    end = await moveInto(service.place, args);
  });
  afterAll(async () => {
    await service.close();
    await model.close();
  });

  const stored = async (name: string) =>
    (await client.admin('GET', `flows/${String(flows.find((flow) => flow['name'] === name)!['id'])}`)).body;

  it('search the store that has the same id here', async () => {
    const flow = await stored('finds');
    expect(flow.nodes[1]).toMatchObject({
      kind: 'retriever',
      config: { stores: [HERE], query: '{{question}}' },
    });
    const { status, body } = await client.predict(flow.id, { question: 'Where is the boiler?' });
    expect([status, body.text]).toEqual([200, 'The boiler is behind the pantry.']);
    expect((await client.admin('PUT', `flows/${flow.id}`, flow)).status).toBe(200);
  });

  it('have a tool for each existing store, and placeholders for the others', async () => {
    const { tools } = (await stored('knows')).nodes.find(
      ({ kind }: { kind: string }) => kind === 'agent',
    ).config;
    expect(tools).toEqual([
      { tool: 'retrieve', name: 'retrieve', stores: [HERE] },
      expect.objectContaining({ tool: 'missing', original: 'agentKnowledgeDocumentStores' }),
    ]);
    expect(JSON.stringify(tools[1])).not.toContain(HERE);
    expect((await stored('finds half')).nodes[1].kind).toBe('missing');
    expect(end.out).toMatch(/^nodes and tools +\d+ +0 +2 +0$/m);
    expect(end.out).not.toMatch(/"finds": .*retriever/);
  });

  it('are reported with the stores that are still to be created, under the ids in the flows', () => {
    expect(end.code).toBe(0);
    expect(end.out).toMatch(/^document stores +0 +1 +0 +1$/m);
    expect(end.out).toContain(`document stores: "Papers (${GONE})": `);
    expect(dry.out.split('\n\n')[0]).toBe(end.out.split('\n\n')[0]);
  });
});
