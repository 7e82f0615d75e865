import { DatabaseReader } from '../src/database/database-reader.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import {
  type EmbeddingRequest,
  type FakeEmbeddings,
  startFakeEmbeddings,
} from './support/fake-embeddings.js';
import { Hold } from './support/fake-model.js';
import { ServiceClient } from './support/service-client.js';

interface Shown {
  id: string;
  status: string;
  progress: number;
  chunks: number;
  code: string | null;
  error: string | null;
}

/** Returns this many paragraphs, each a chunk of its own. */
const manual = (count: number, about = 'meter'): string =>
  Array.from(
    { length: count },
    (_, index) => `The ${about} of room number${index} is read by hand. ${'It is. '.repeat(5)}`,
  )
    .map((line) => line.trim())
    .join('\n\n');

const A_BATCH = 64;

describe('the ingestion of documents (contract section 8)', () => {
  let service: TestApp;
  let model: FakeEmbeddings;
  let store: string;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    model = await startFakeEmbeddings();
    service = await startTestApp();
  });
  afterAll(async () => {
    await service.close();
    await model.close();
  });
  beforeEach(async () => {
    store = await makeStore();
  });
  afterEach(() => {
    model.otherwise = {};
    model.answers = [];
    model.requests = [];
  });

  const settings = (name = 'embedder') => ({
    name: 'Manual',
    embedding: { provider: 'openai-compatible', name, baseUrl: model.url },
    chunk: { size: 100, overlap: 0 },
  });
  const makeStore = async () => (await client.admin('POST', 'document-stores', settings())).body.id as string;
  const add = async (text: string, name = 'manual.md') => {
    const { body } = await client.admin('POST', `document-stores/${store}/documents`, { name, text });
    return body.data[0].id as string;
  };
  const documents = async () =>
    (await client.admin('GET', `document-stores/${store}/documents`)).body.data as Shown[];
  const one = async (id: string) => (await documents()).find((document) => document.id === id)!;
  const becomes = (id: string, status: string) => eventually(async () => (await one(id)).status === status);
  const found = async (query: string, topK = 3) =>
    ((await client.admin('POST', `document-stores/${store}/query`, { query, topK })).body.data ?? []) as {
      text: string;
      score: number;
    }[];
  const count = async (table: string, where = '1 = 1') => {
    const reader = service.app.get(DatabaseReader);
    return (await reader.one<{ count: number }>(`SELECT count(*) AS count FROM ${table} WHERE ${where}`))!
      .count;
  };
  /** Answers this many requests, and holds the others back. */
  const holdAfter = (answered: number): Hold => {
    const held = new Hold();
    let seen = 0;
    model.otherwise = () => (++seen > answered ? { held } : {});
    return held;
  };
  const texts = (requests: readonly EmbeddingRequest[]) => requests.flatMap((request) => request.texts);

  it('resumes after a restart, with each chunk once', async () => {
    const held = holdAfter(1);
    const id = await add(manual(150));
    await eventually(async () => (await one(id)).chunks === A_BATCH);
    expect(await one(id)).toMatchObject({ status: 'running' });
    const { place } = service;
    await service.close({ keep: true });
    held.letGo();
    const before = texts(model.requests.slice(0, 1));
    model.requests = [];
    model.otherwise = {};
    service = await startTestApp({ place });
    await becomes(id, 'ready');
    expect(await one(id)).toMatchObject({ chunks: 150, progress: 1 });
    const after = texts(model.requests);
    expect(new Set([...before, ...after]).size).toBe(150);
    expect(after.filter((text) => before.includes(text))).toEqual([]);
    expect(await count('document_chunks', `document_id = '${id}'`)).toBe(150);
    expect((await found(after.at(-1)!, 1))[0]!.score).toBeCloseTo(1, 4);
  });

  it('is shared by several processes, with each chunk once', async () => {
    const other = await startTestApp({ place: service.place });
    try {
      const ids: string[] = [];
      for (let number = 0; number < 6; number++) ids.push(await add(manual(80, `pump${number}`)));
      await eventually(async () => (await documents()).every(({ status }) => status === 'ready'));
      const sent = texts(model.requests);
      expect(sent).toHaveLength(480);
      expect(new Set(sent).size).toBe(480);
      expect((await documents()).map(({ chunks }) => chunks)).toEqual(ids.map(() => 80));
    } finally {
      await other.close({ keep: true });
    }
  });

  it('ends if the document is deleted meanwhile, and leaves nothing', async () => {
    const held = holdAfter(1);
    const id = await add(manual(150));
    await eventually(async () => (await one(id)).chunks === A_BATCH);
    expect((await client.admin('DELETE', `document-stores/${store}/documents/${id}`)).status).toBe(204);
    expect(await documents()).toEqual([]);
    expect((await client.admin('DELETE', `document-stores/${store}/documents/${id}`)).status).toBe(404);
    held.letGo();
    await eventually(async () => (await count('store_documents', `id = '${id}'`)) === 0);
    for (const table of ['document_chunks', 'document_vectors'])
      expect(await count(table, `document_id = '${id}'`)).toBe(0);
  });

  it('ends if the store is deleted meanwhile, and leaves nothing', async () => {
    const held = holdAfter(1);
    const [first, second] = [await add(manual(150)), await add(manual(70))];
    await eventually(async () => (await documents()).some(({ chunks }) => chunks === A_BATCH));
    expect((await client.admin('DELETE', `document-stores/${store}`)).status).toBe(204);
    expect((await client.admin('POST', `document-stores/${store}/query`, { query: 'x' })).status).toBe(404);
    expect((await client.admin('POST', `document-stores/${store}/documents`, { text: 'x' })).status).toBe(
      404,
    );
    held.letGo();
    await eventually(async () => (await count('document_stores', `id = '${store}'`)) === 0);
    for (const table of ['document_chunks', 'document_vectors'])
      expect(await count(table, `document_id IN ('${first}', '${second}')`)).toBe(0);
  });

  it('waits for a model that is down, and reports it', async () => {
    model.otherwise = { error: { status: 503, message: 'it rests' } };
    const id = await add('The boiler stands in the cellar.');
    await eventually(async () => (await one(id)).error !== null);
    expect(await one(id)).toMatchObject({ status: 'running', error: expect.stringContaining('it rests') });
    model.otherwise = {};
    service.clock.advance(10_000);
    await becomes(id, 'ready');
    expect(await one(id)).toMatchObject({ error: null, chunks: 1 });
  });

  it('fails for a model that answers garbage; a PUT retries', async () => {
    model.otherwise = { raw: '<html></html>' };
    const id = await add('The boiler stands in the cellar.');
    await becomes(id, 'failed');
    expect(await one(id)).toMatchObject({ error: expect.stringContaining('web page'), chunks: 0 });
    model.otherwise = {};
    await client.admin('PUT', `document-stores/${store}`, settings());
    await becomes(id, 'ready');
  });

  it('fails for vectors of another dimension, and leaves the existing ones', async () => {
    const kept = await add('The boiler stands in the cellar.');
    await becomes(kept, 'ready');
    model.otherwise = { dimensions: 7 };
    const other = await add('Keys hang beside the front door.');
    await becomes(other, 'failed');
    expect(await one(other)).toMatchObject({ code: 'wrong_dimension', error: expect.stringContaining('64') });
    model.otherwise = {};
    expect(await found('Where is the boiler?')).toHaveLength(1);
  });

  it('starts over with another model; nothing is found meanwhile', async () => {
    const id = await add(manual(70));
    await becomes(id, 'ready');
    model.requests = [];
    const held = new Hold();
    model.otherwise = { held, dimensions: 32 };
    const { body } = await client.admin('PUT', `document-stores/${store}`, settings('larger'));
    expect(body).toMatchObject({ dimensions: null, documents: 1 });
    await eventually(() => model.requests.length > 0);
    expect(await one(id)).toMatchObject({ status: 'running', chunks: 0, progress: 0 });
    expect(await found('the meter of room number1')).toEqual([]);
    held.letGo();
    await becomes(id, 'ready');
    expect(new Set(model.requests.map((request) => request.model))).toEqual(new Set(['larger']));
    expect((await found('the meter of room number1')).length).toBe(3);
    expect(await count('document_chunks', `document_id = '${id}'`)).toBe(70);
  });

  it('hides a document from queries until it is ready, however similar it is', async () => {
    const ready = await add('The boiler stands in the cellar.');
    await becomes(ready, 'ready');
    const held = holdAfter(1);
    const id = await add(manual(150, 'boiler boiler boiler'));
    await eventually(async () => (await one(id)).chunks === A_BATCH);
    model.otherwise = {};
    expect(await found('boiler', 1)).toMatchObject([{ text: 'The boiler stands in the cellar.' }]);
    held.letGo();
    await becomes(id, 'ready');
    expect((await found('boiler', 1))[0]!.text).not.toBe('The boiler stands in the cellar.');
  });
});
