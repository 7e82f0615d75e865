import { DatabaseAway } from '../src/database/away.js';
import { DatabaseReader } from '../src/database/database-reader.js';
import { DocumentRows } from '../src/documents/ingestion/document-rows.js';
import { startTestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { Hold } from './support/fake-model.js';
import {
  A_BATCH,
  DocumentFixture,
  type FilledStore,
  holdAfter,
  manual,
  textsOf,
} from './support/filled-store.js';

describe('the ingestion of documents (contract section 8)', () => {
  const fixture = new DocumentFixture();
  let store: FilledStore;

  beforeEach(async () => {
    store = await fixture.makeStore();
  });

  const count = async (table: string, where = '1 = 1') => {
    const reader = fixture.service.app.get(DatabaseReader);
    return (await reader.one<{ count: number }>(`SELECT count(*) AS count FROM ${table} WHERE ${where}`))!
      .count;
  };

  it('resumes after a restart, with each chunk once', async () => {
    const held = holdAfter(fixture.model, 1);
    const id = await store.add(manual(150));
    await eventually(async () => (await store.one(id)).chunks === A_BATCH);
    expect(await store.one(id)).toMatchObject({ status: 'running' });
    const { place } = fixture.service;
    await fixture.service.close({ keep: true });
    held.letGo();
    const before = textsOf(fixture.model.requests.slice(0, 1));
    fixture.model.requests = [];
    fixture.model.otherwise = {};
    fixture.service = await startTestApp({ place });
    await store.becomes(id, 'ready');
    expect(await store.one(id)).toMatchObject({ chunks: 150, progress: 1 });
    const after = textsOf(fixture.model.requests);
    expect(new Set([...before, ...after]).size).toBe(150);
    expect(after.filter((text) => before.includes(text))).toEqual([]);
    expect(await count('document_chunks', `document_id = '${id}'`)).toBe(150);
    expect((await store.found(after.at(-1)!, 1))[0]!.score).toBeCloseTo(1, 4);
  });

  it('is shared by several processes, with each chunk once', async () => {
    const other = await startTestApp({ place: fixture.service.place });
    try {
      const ids: string[] = [];
      for (let number = 0; number < 6; number++) ids.push(await store.add(manual(80, `pump${number}`)));
      await eventually(async () => (await store.documents()).every(({ status }) => status === 'ready'));
      const sent = textsOf(fixture.model.requests);
      expect(sent).toHaveLength(480);
      expect(new Set(sent).size).toBe(480);
      expect((await store.documents()).map(({ chunks }) => chunks)).toEqual(ids.map(() => 80));
    } finally {
      await other.close({ keep: true });
    }
  });

  it('ends if the document is deleted meanwhile, and leaves nothing', async () => {
    const held = holdAfter(fixture.model, 1);
    const id = await store.add(manual(150));
    await eventually(async () => (await store.one(id)).chunks === A_BATCH);
    expect((await store.remove(id)).status).toBe(204);
    expect(await store.documents()).toEqual([]);
    expect((await store.remove(id)).status).toBe(404);
    held.letGo();
    await eventually(async () => (await count('store_documents', `id = '${id}'`)) === 0);
    for (const table of ['document_chunks', 'document_vectors'])
      expect(await count(table, `document_id = '${id}'`)).toBe(0);
  });

  it('ends if the store is deleted meanwhile, and leaves nothing', async () => {
    const held = holdAfter(fixture.model, 1);
    const [first, second] = [await store.add(manual(150)), await store.add(manual(70))];
    await eventually(async () => (await store.documents()).some(({ chunks }) => chunks === A_BATCH));
    expect((await store.remove()).status).toBe(204);
    expect((await store.call('POST', '/query', { query: 'x' })).status).toBe(404);
    expect((await store.call('POST', '/documents', { text: 'x' })).status).toBe(404);
    held.letGo();
    await eventually(async () => (await count('document_stores', `id = '${store.id}'`)) === 0);
    for (const table of ['document_chunks', 'document_vectors'])
      expect(await count(table, `document_id IN ('${first}', '${second}')`)).toBe(0);
  });

  it('resumes as soon as the database is back, not after the end of its lease', async () => {
    const store = await fixture.makeStore();
    const rows = fixture.service.app.get(DocumentRows);
    const away = new DatabaseAway(undefined);
    const steps = [jest.spyOn(rows, 'append'), jest.spyOn(rows, 'end')];
    for (const step of steps) step.mockRejectedValueOnce(away);
    const id = await store.add('The meter is in the cellar.');
    await eventually(async () => (await store.one(id)).status === 'ready', 20_000);
    expect(steps.map((step) => step.mock.calls.length)).toEqual([2, 3]);
    jest.restoreAllMocks();
  });

  it('waits for a model that is down, and reports it', async () => {
    fixture.model.otherwise = { error: { status: 503, message: 'it rests' } };
    const id = await store.add('The boiler stands in the cellar.');
    await eventually(async () => (await store.one(id)).error !== null);
    expect(await store.one(id)).toMatchObject({
      status: 'running',
      error: expect.stringContaining('it rests'),
    });
    fixture.model.otherwise = {};
    fixture.service.clock.advance(10_000);
    await store.becomes(id, 'ready');
    expect(await store.one(id)).toMatchObject({ error: null, chunks: 1 });
  });

  it('fails for vectors of another dimension, and leaves the existing ones', async () => {
    await store.becomes(await store.add('The boiler stands in the cellar.'), 'ready');
    fixture.model.otherwise = { dimensions: 7 };
    const other = await store.add('Keys hang beside the front door.');
    await store.becomes(other, 'failed');
    expect(await store.one(other)).toMatchObject({
      code: 'wrong_dimension',
      error: expect.stringContaining('64'),
    });
    fixture.model.otherwise = {};
    expect(await store.found('Where is the boiler?')).toHaveLength(1);
  });

  it('starts over with another model; nothing is found meanwhile', async () => {
    const id = await store.add(manual(70));
    await store.becomes(id, 'ready');
    fixture.model.requests = [];
    const held = new Hold();
    fixture.model.otherwise = { held, dimensions: 32 };
    const { body } = await store.save({
      embedding: { provider: 'openai-compatible', name: 'larger', baseUrl: fixture.model.url },
    });
    expect(body).toMatchObject({ dimensions: null, documents: 1 });
    await eventually(() => fixture.model.requests.length > 0);
    expect(await store.one(id)).toMatchObject({ status: 'running', chunks: 0, progress: 0 });
    expect(await store.found('the meter of room number1')).toEqual([]);
    held.letGo();
    await store.becomes(id, 'ready');
    expect(new Set(fixture.model.requests.map((request) => request.model))).toEqual(new Set(['larger']));
    expect(await store.found('the meter of room number1', 3)).toHaveLength(3);
    expect(await count('document_chunks', `document_id = '${id}'`)).toBe(70);
  });

  it('hides a document from queries until it is ready, however similar it is', async () => {
    await store.becomes(await store.add('The boiler stands in the cellar.'), 'ready');
    const held = holdAfter(fixture.model, 1);
    const id = await store.add(manual(150, 'boiler boiler boiler'));
    await eventually(async () => (await store.one(id)).chunks === A_BATCH);
    fixture.model.otherwise = {};
    expect(await store.found('boiler', 1)).toMatchObject([{ text: 'The boiler stands in the cellar.' }]);
    held.letGo();
    await store.becomes(id, 'ready');
    expect((await store.found('boiler', 1))[0]!.text).not.toBe('The boiler stands in the cellar.');
  });
});
