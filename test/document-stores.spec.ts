import { eventually } from './support/eventually.js';
import { DocumentFixture } from './support/filled-store.js';

describe('document stores (contract section 9)', () => {
  const fixture = new DocumentFixture();
  const { client } = fixture;
  const embedding = (name = 'embedder') => ({
    provider: 'openai-compatible',
    name,
    baseUrl: fixture.model.url,
  });
  const makeStore = async (more: object = {}): Promise<string> => {
    const { body } = await client.admin('POST', 'document-stores', {
      name: 'Manual',
      embedding: embedding(),
      ...more,
    });
    return body.id as string;
  };
  const add = (store: string, text: string, name = 'manual.md') =>
    client.admin('POST', `document-stores/${store}/documents`, { name, text });
  const documents = async (store: string) =>
    (await client.admin('GET', `document-stores/${store}/documents`)).body.data;
  const settled = async (store: string) => {
    const isSettled = ({ status }: { status: string }) => status === 'ready' || status === 'failed';
    await eventually(async () => (await documents(store)).every(isSettled));
    return documents(store);
  };

  it('are created, listed and removed by admins alone', async () => {
    const made = await client.admin('POST', 'document-stores', { name: 'Manual', embedding: embedding() });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({
      name: 'Manual',
      chunk: { size: 1000, overlap: 100 },
      dimensions: null,
      documents: 0,
    });
    const listed = await client.admin('GET', 'document-stores');
    expect(listed.body.data).toContainEqual(made.body);
    expect((await client.admin('DELETE', `document-stores/${made.body.id}`)).status).toBe(204);
    expect((await client.admin('DELETE', `document-stores/${made.body.id}`)).status).toBe(404);
    expect((await client.admin('GET', `document-stores/${made.body.id}/documents`)).status).toBe(404);
    expect((await client.send('GET', '/api/v1/document-stores')).status).toBe(401);
  });

  it.each([
    [{ name: 'a\u0007b' }, 'name'],
    [{ embedding: { provider: 'anthropic', name: 'x' } }, 'embedding.provider'],
    [{ embedding: { provider: 'openai-compatible', name: 'x' } }, 'embedding.baseUrl'],
    [{ embedding: { provider: 'openai', name: 'x', credentialId: 'none' } }, 'embedding.credentialId'],
    [{ chunk: { size: 1e9 } }, 'chunk.size'],
    [{ chunk: { size: 200, overlap: 150 } }, 'chunk.overlap'],
  ])('refuse %j', async (more, path) => {
    const { status, body } = await client.admin('POST', 'document-stores', {
      name: 'Manual',
      embedding: embedding(),
      ...more,
    });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.errors.map((fault: { path: string }) => fault.path)).toEqual([path]);
  });

  it('make a document ready in the background', async () => {
    const store = await makeStore({ chunk: { size: 100, overlap: 0 } });
    const added = await add(
      store,
      'The boiler stands in the cellar.\n\nThe stopcock is under the sink.'.repeat(4),
    );
    expect(added.status).toBe(200);
    expect(added.body.data[0]).toMatchObject({
      name: 'manual.md',
      status: 'pending',
      progress: 0,
      chunks: 0,
    });
    const [ready] = await settled(store);
    expect(ready).toMatchObject({ status: 'ready', progress: 1, error: null, warnings: [] });
    expect(ready.chunks).toBe(fixture.model.requests.flatMap(({ texts }) => texts).length);
    expect(ready.chunks).toBeGreaterThan(2);
  });

  it('accept files, all of a call or none', async () => {
    const store = await makeStore();
    const form = (...files: [string, string][]) => {
      const made = new FormData();
      for (const [name, text] of files) made.append('files', new Blob([text], { type: 'text/plain' }), name);
      return made;
    };
    const taken = await client.admin(
      'POST',
      `document-stores/${store}/documents`,
      form(['a\u202e.txt', 'one'], ['b.txt', 'two']),
    );
    expect(taken.body.data.map(({ name }: { name: string }) => name)).toEqual(['a.txt', 'b.txt']);
    const refused = await client.admin(
      'POST',
      `document-stores/${store}/documents`,
      form(['c.txt', 'one'], ['d.txt', '']),
    );
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'files.1']);
    expect(await settled(store)).toHaveLength(2);
  });

  const query = (store: string, body: object) => client.admin('POST', `document-stores/${store}/query`, body);

  describe('find', () => {
    let store: string;
    beforeAll(async () => {
      store = await makeStore({ chunk: { size: 100, overlap: 0 } });
      await add(store, 'The boiler stands in the cellar.', 'boiler.md');
      await add(store, 'The stopcock is under the kitchen sink.', 'water.md');
      await add(store, 'Keys hang beside the front door.', 'keys.md');
      await settled(store);
    });

    it('the nearest chunks first', async () => {
      const { status, body } = await query(store, { query: 'Where is the boiler? In the cellar?', topK: 2 });
      expect(status).toBe(200);
      expect(body.data).toHaveLength(2);
      expect(body.data[0]).toEqual({
        text: 'The boiler stands in the cellar.',
        name: 'boiler.md',
        score: expect.any(Number),
        documentId: expect.any(String),
      });
      expect(body.data[0].score).toBeGreaterThan(body.data[1].score);
    });

    it('a chunk itself with a score of 1', async () => {
      const { body } = await query(store, { query: 'Keys hang beside the front door.', topK: 1 });
      expect(body.data[0].name).toBe('keys.md');
      expect(body.data[0].score).toBeCloseTo(1, 5);
    });

    it.each([0, 1e9, '4', 1.5, null])('nothing for a topK of %j', async (topK) => {
      const { status, body } = await query(store, { query: 'boiler', topK });
      expect([status, body.errors[0].path]).toEqual([400, 'topK']);
    });

    it.each(['', 'x'.repeat(1024 * 1024), 5])('nothing for an invalid query', async (asked) => {
      const { status, body } = await query(store, { query: asked });
      expect([status, body.errors[0].path]).toEqual([400, 'query']);
    });

    it('nothing in an empty store, without calling the model', async () => {
      const empty = await makeStore();
      const { status, body } = await query(empty, { query: 'boiler' });
      expect([status, body.data, fixture.model.requests]).toEqual([200, [], []]);
    });

    it('nothing if the model fails, and report why', async () => {
      fixture.model.otherwise = { error: { status: 401, message: 'no such key' } };
      const { status, body } = await query(store, { query: 'boiler' });
      expect([status, body.code]).toEqual([502, 'model_failed']);
      expect(body.detail).toContain('no such key');
    });

    it('no vector of another dimension', async () => {
      fixture.model.otherwise = { dimensions: 7 };
      const { status, body } = await query(store, { query: 'boiler' });
      expect([status, body.code]).toEqual([502, 'model_failed']);
    });
  });

  describe('in flows', () => {
    let store: string;
    beforeAll(async () => {
      store = await makeStore();
      await add(store, 'The boiler stands in the cellar.', 'boiler.md');
      await add(store, 'Keys hang beside the front door.', 'keys.md');
      await settled(store);
    });

    const retrieverFlow = (config: object) => ({
      name: 'Manual',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'manual', kind: 'retriever', config: { stores: [store], query: '{{question}}', ...config } },
      ],
      edges: [{ from: 'start', to: 'manual' }],
    });

    it('return the chunks, and stream them as sources', async () => {
      const flow = await client.flow(retrieverFlow({ topK: 1 }));
      const stream = await client.stream(flow, { question: 'the boiler in the cellar' });
      await stream.done;
      const { events } = stream;
      const sources = events.find(({ event }) => event === 'sourceDocuments');
      expect(sources?.data).toEqual([
        {
          pageContent: 'The boiler stands in the cellar.',
          metadata: {
            source: 'boiler.md',
            storeId: store,
            documentId: expect.any(String),
            score: expect.any(Number),
          },
        },
      ]);
      const tokens = events.filter(({ event }) => event === 'token').map(({ data }) => data);
      expect(tokens.join('')).toBe('The boiler stands in the cellar.');
    });

    it('return a list if the node is set so', async () => {
      const flow = await client.flow(retrieverFlow({ topK: 2, format: 'json' }));
      const { body } = await client.predict(flow, { question: 'where are the keys' });
      expect(JSON.parse(body.text as string)).toEqual([
        expect.objectContaining({ text: 'Keys hang beside the front door.', name: 'keys.md' }),
        expect.objectContaining({ text: 'The boiler stands in the cellar.' }),
      ]);
    });

    it('truncate a query that is too long for any model, and report it', async () => {
      const flow = await client.flow(retrieverFlow({ topK: 1 }));
      const { status, body } = await client.predict(flow, { question: 'boiler '.repeat(100_000) });
      expect([status, body.text]).toEqual([200, 'The boiler stands in the cellar.']);
      expect(body.warnings).toContainEqual(expect.objectContaining({ code: 'query_cut' }));
      expect(fixture.model.requests.at(-1)!.texts[0]!.length).toBeLessThanOrEqual(8_000);
    });

    it.each([
      [{ stores: ['none'] }, 'nodes.1.config.stores.0'],
      [{ stores: [] }, 'nodes.1.config.stores'],
      [{ topK: 0 }, 'nodes.1.config.topK'],
    ])('refuse a node with %j when it is saved', async (config, path) => {
      const { status, body } = await client.admin('POST', 'flows', retrieverFlow(config));
      expect([status, body.code, body.errors[0].path]).toEqual([400, 'invalid_flow', path]);
    });

    it('refuse a tool that names an unknown store', async () => {
      const tool = { tool: 'retrieve', stores: [store, 'none'] };
      const nodes = [
        { id: 'start', kind: 'start' },
        { id: 'agent', kind: 'agent', config: { tools: [tool] } },
        { id: 'tool', kind: 'tool', config: { ...tool, arguments: { query: 'x' } } },
      ];
      const edges = [
        { from: 'start', to: 'agent' },
        { from: 'agent', to: 'tool' },
      ];
      const { body } = await client.admin('POST', 'flows', { name: 'Agent', nodes, edges });
      expect(body.errors.map((fault: { path: string }) => fault.path)).toEqual([
        'nodes.1.config.tools.0.stores.1',
        'nodes.2.config.stores.1',
      ]);
    });

    it('fail the node if the store is deleted later', async () => {
      const other = await makeStore();
      const flow = await client.flow(retrieverFlow({ stores: [other] }));
      await client.admin('DELETE', `document-stores/${other}`);
      const { status, body } = await client.predict(flow, { question: 'boiler' });
      expect([status, body.code]).toEqual([500, 'flow_failed']);
      const record = await client.admin('GET', `executions/${body.executionId}`);
      expect(record.body.error).toContain(`There is no document store "${other}"`);
    });

    it('are searched by a tool', async () => {
      const nodes = [
        { id: 'start', kind: 'start' },
        {
          id: 'look',
          kind: 'tool',
          config: { tool: 'retrieve', stores: [store], topK: 1, arguments: { query: '{{question}}' } },
        },
      ];
      const flow = await client.flow({ name: 'Tool', nodes, edges: [{ from: 'start', to: 'look' }] });
      const { body } = await client.predict(flow, { question: 'keys beside the door' });
      expect(body.text).toBe('Keys hang beside the front door.');
    });

    it('are retained by an import if they exist', async () => {
      await client.admin('POST', 'document-stores', {
        id: 'moved-here',
        name: 'Moved',
        embedding: embedding(),
      });
      const node = (id: string, name: string, inputs: object) => ({
        id,
        type: 'agentFlow',
        data: { name, label: id, inputs },
      });
      const named = (id: string) => [{ documentStore: `${id}:Its name`, docStoreDescription: 'The manual' }];
      const retriever = (id: string) => ({
        retrieverKnowledgeDocumentStores: named(id),
        retrieverQuery: '<p>{{ question }}</p>',
        outputFormat: 'text',
      });
      const nodes = [
        node('startAgentflow_0', 'startAgentflow', { startInputType: 'chatInput' }),
        node('r_0', 'retrieverAgentflow', retriever('moved-here')),
        node('r_1', 'retrieverAgentflow', retriever('elsewhere')),
        node('a_0', 'agentAgentflow', {
          agentKnowledgeDocumentStores: [...named('moved-here'), ...named('elsewhere')],
        }),
      ];
      const edges = ['r_0', 'r_1', 'a_0'].map((target) => ({ source: 'startAgentflow_0', target }));
      const { status, body } = await client.admin('POST', 'flows/import', {
        name: 'Imported',
        export: { nodes, edges },
      });
      expect(status).toBe(200);
      const [, kept, lost, agent] = body.nodes as { kind: string; config: { tools: object[] } }[];
      expect(kept).toMatchObject({
        kind: 'retriever',
        config: { stores: ['moved-here'], query: '{{question}}' },
      });
      expect(lost).toMatchObject({ kind: 'missing', config: { original: 'retrieverAgentflow' } });
      expect(agent!.config.tools).toEqual([
        { tool: 'retrieve', name: 'retrieve', description: 'The manual', stores: ['moved-here'] },
        {
          tool: 'missing',
          original: 'agentKnowledgeDocumentStores',
          settings: { agentKnowledgeDocumentStores: named('elsewhere') },
        },
      ]);
    });
  });
});
