import { DatabaseAway } from '../src/database/away.js';
import { DatabaseReader } from '../src/database/database-reader.js';
import { WriteGate } from '../src/database/writes/write-gate.js';
import { ExactSearch } from '../src/documents/search/exact-search.js';
import { startTestApp, type TestApp } from './support/app.js';
import { makePlace, type TestPlace } from './support/databases.js';
import { eventually } from './support/eventually.js';
import { type FakeEmbeddings, startFakeEmbeddings } from './support/fake-embeddings.js';
import { FilledStore, manual } from './support/filled-store.js';

const marks = (count: number) => Array<string>(count).fill('?').join(', ');
const placesOf = (id: string, count: number) =>
  Array.from({ length: count }, (_, position) => `${id}/${position}`);

const extension = jest.requireActual<typeof import('sqlite-vec')>('sqlite-vec');

describe('the index of vectors on SQLite', () => {
  let place: TestPlace;
  let model: FakeEmbeddings;
  let service: TestApp | undefined;
  let made: FilledStore | undefined;
  let store: FilledStore;

  beforeEach(async () => {
    [place, model] = [await makePlace('sqlite'), await startFakeEmbeddings()];
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await service?.close({ keep: true });
    service = made = undefined;
    await model.close();
    await place.remove();
  });

  async function startWith(binary: 'there' | 'missing'): Promise<void> {
    await service?.close({ keep: true });
    jest.restoreAllMocks();
    if (binary === 'missing')
      jest.spyOn(extension, 'getLoadablePath').mockImplementation(() => {
        throw new Error('there is none for this system');
      });
    service = await startTestApp({ place, database: 'sqlite' });
    store = made ??= await FilledStore.of(() => service!, model.url);
  }

  const rows = <Row>(sql: string) => service!.app.get(DatabaseReader).all<Row>(sql);
  const lacking = async () => (await rows('SELECT 1 FROM document_vectors WHERE indexed = 0')).length;
  const upToDate = async () => {
    await eventually(async () => (await lacking()) === 0);
    await eventually(async () => (await rows('SELECT 1 FROM document_index_leftovers')).length === 0);
  };
  /** `<document>/<position>` of all chunks in the index, and of all existing chunks. */
  const indexed = async () =>
    (await rows<{ id: string }>('SELECT id FROM document_index_64')).map(({ id }) => id).sort();
  const chunks = async () =>
    (await rows<{ id: string }>(`SELECT document_id || '/' || position AS id FROM document_chunks`))
      .map(({ id }) => id)
      .sort();
  /** Finds chunks, and reports whether a worker had to compare all vectors for it. */
  async function found(query: string) {
    const compared = jest.spyOn(service!.app.get(ExactSearch), 'nearest');
    const data = await store.found(query, 10);
    const exactly = compared.mock.calls.length > 0;
    compared.mockRestore();
    return { scores: data.map(({ score }) => Number(score.toFixed(5))), data, exactly };
  }
  const ready = async (text: string) => {
    const id = await store.add(text);
    await store.becomes(id, 'ready');
    return id;
  };
  const lastParagraph = manual(8, 'clock').split('\n\n')[7]!;

  it('catches up at the next start with writes made without it; search finds the same either way', async () => {
    await startWith('missing');
    await ready(manual(150));
    await ready(manual(30, 'clock'));
    const before = await found(lastParagraph);
    expect(before).toMatchObject({ exactly: true, data: { length: 10 } });
    expect(before.scores[0]).toBeCloseTo(1, 4);
    // Searches again, now from the worker's cache.
    expect((await found(lastParagraph)).data).toEqual(before.data);
    await startWith('there');
    await upToDate();
    expect(await indexed()).toEqual(await chunks());
    const after = await found(lastParagraph);
    expect([after.exactly, after.scores]).toEqual([false, before.scores]);
  });

  it('includes the writes of a process without it once a search finds it incomplete', async () => {
    await startWith('there');
    await ready(manual(30));
    const other = await ready(manual(30, 'clock'));
    const before = await found(lastParagraph);
    await service!.app.get(WriteGate).write(async (tx) => {
      await tx.run(`DELETE FROM document_index_64 WHERE id IN (${marks(30)})`, placesOf(other, 30));
      await tx.run('UPDATE document_vectors SET indexed = 0 WHERE document_id = ?', [other]);
    });
    const write = jest.spyOn(service!.app.get(WriteGate), 'write');
    write.mockRejectedValueOnce(new DatabaseAway(undefined));
    expect((await found(lastParagraph)).exactly).toBe(true);
    await eventually(() => write.mock.results.length > 0);
    const lackingSome = await found(lastParagraph);
    expect([lackingSome.exactly, lackingSome.scores]).toEqual([true, before.scores]);
    await upToDate();
    expect(await indexed()).toEqual(await chunks());
    const after = await found(lastParagraph);
    expect([after.exactly, after.scores]).toEqual([false, before.scores]);
  });

  it('drops at the next start entries that were deleted or replaced without it', async () => {
    await startWith('there');
    const [gone, changed] = [await ready(manual(70)), await ready(manual(100, 'clock'))];
    expect(await indexed()).toHaveLength(170);
    await startWith('missing');
    expect((await found(lastParagraph)).exactly).toBe(true);
    await store.remove(gone);
    // Replaces the chunks of the same document, in the same positions.
    await store.save({ chunk: { size: 200, overlap: 0 } });
    await eventually(async () => (await store.documents()).every(({ status }) => status === 'ready'));
    await eventually(async () => (await chunks()).every((id) => id.startsWith(changed)));
    const exactly = await found(lastParagraph);
    await startWith('there');
    await upToDate();
    expect(await indexed()).toEqual(await chunks());
    const after = await found(lastParagraph);
    expect([after.exactly, after.scores]).toEqual([false, exactly.scores]);
    // Newly embedded chunks find their positions free.
    await store.save({ chunk: { size: 100, overlap: 0 } });
    await eventually(async () => (await store.documents()).every(({ status }) => status === 'ready'));
    expect(await indexed()).toEqual(await chunks());
  });
});
