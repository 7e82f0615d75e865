import { startTestApp, TEST_ADMIN_KEY, TestClock, type TestApp } from './support/app.js';
import { startChild } from './support/child-process.js';
import { makePlace, type TestPlace } from './support/databases.js';
import { eventually } from './support/eventually.js';
import { type FakeEmbeddings, startFakeEmbeddings } from './support/fake-embeddings.js';
import { Hold } from './support/fake-model.js';
import { A_BATCH, FilledStore, holdAfter, manual, rowsOf } from './support/filled-store.js';

const GONE = { documents: 0, positions: [], packs: 0 };
const CHUNKS = 150;
const each = (chunks: number) => Array.from({ length: chunks }, (_, position) => position);

/** Longer than any lease. */
const LEASE_MS = 11 * 60_000;

describe('a document whose process is killed during its ingestion (contract section 8)', () => {
  let place: TestPlace;
  let model: FakeEmbeddings;
  let held: Hold;
  let store: FilledStore;
  let first: ReturnType<typeof startChild>;
  /** The service under test: the killed process, then the one started after it. */
  let serving: Pick<TestApp, 'url' | 'adminKey'>;
  let second: TestApp | undefined;

  beforeEach(async () => {
    [place, model] = [await makePlace(), await startFakeEmbeddings()];
    held = new Hold();
    first = startChild('service-child.ts', [place.dataDir, place.databaseUrl, '{}']);
    serving = { url: await first.firstLine, adminKey: TEST_ADMIN_KEY };
    store = await FilledStore.of(() => serving, model.url);
  });
  afterEach(async () => {
    held.letGo();
    first.child.kill('SIGKILL');
    await first.exit;
    await second?.close({ keep: true });
    second = undefined;
    await model.close();
    await place.remove();
  });

  async function halfway(): Promise<string> {
    holdAfter(model, 1, held);
    const id = await store.add(manual(CHUNKS));
    await eventually(async () => (await store.one(id)).chunks === A_BATCH);
    await eventually(() => model.requests.length === 2);
    return id;
  }
  async function kill(): Promise<void> {
    first.child.kill('SIGKILL');
    await first.exit;
    model.otherwise = {};
  }
  async function restart(clock = new TestClock()): Promise<TestApp> {
    second = await startTestApp({ place, clock });
    serving = second;
    return second;
  }

  it('is resumed by the next process, with each chunk once', async () => {
    const id = await halfway();
    await kill();
    const service = await restart();
    expect(await store.becomes(id, 'ready')).toMatchObject({ chunks: CHUNKS, progress: 1, error: null });
    expect((await rowsOf(service, id)).positions).toEqual(each(CHUNKS));
    // The first batch was stored and is not paid for again; the one in progress is requested again.
    const sent = model.requests.map(({ texts }) => texts[0]);
    expect(sent.filter((text) => text === model.requests[0]!.texts[0])).toHaveLength(1);
    const last = manual(CHUNKS).split('\n\n').at(-1)!;
    expect((await store.found(last, 1))[0]!.score).toBeCloseTo(1, 4);
  });

  it('is read again if its process was killed while reading it', async () => {
    const rows = Buffer.from(`Room,Meter\n${',\n'.repeat(400_000)}Attic,12\n`);
    const { 'rows.csv': id } = await store.addFiles({ 'rows.csv': rows });
    await eventually(async () => (await store.one(id!)).status === 'running');
    await kill();
    expect(model.requests).toEqual([]);
    await restart();
    expect(await store.becomes(id!, 'ready')).toMatchObject({ chunks: 1 });
    expect(await store.found('attic', 4)).toMatchObject([{ text: 'Room: Attic, Meter: 12' }]);
  });

  it.each([
    ['after the restart', true],
    ['before the kill', false],
  ])('is removed without a trace %s', async (_when, after) => {
    const id = await halfway();
    const remove = async () => expect((await store.remove(id)).status).toBe(204);
    if (!after) await remove();
    await kill();
    const service = await restart();
    if (after) await remove();
    await eventually(async () => (await rowsOf(service, id)).documents === 0);
    expect(await rowsOf(service, id)).toEqual(GONE);
    // The store is not locked: another document becomes ready.
    await store.becomes(await store.add(manual(3)), 'ready');
  });

  it('is deleted with its store', async () => {
    const [id, other] = [await halfway(), await store.add(manual(3, 'boiler'))];
    expect((await store.remove()).status).toBe(204);
    await kill();
    const service = await restart();
    for (const gone of [id, other]) {
      await eventually(async () => (await rowsOf(service, gone)).documents === 0);
      expect(await rowsOf(service, gone)).toEqual(GONE);
    }
    expect((await store.call('GET', '/documents')).status).toBe(404);
  });

  it('is not taken from a process that was only paused: of two at once the later one counts', async () => {
    const id = await halfway();
    first.child.kill('SIGSTOP');
    model.otherwise = {};
    const clock = new TestClock();
    clock.advance(LEASE_MS);
    const service = await restart(clock);
    await store.becomes(id, 'ready');
    const made = await rowsOf(service, id);
    held.letGo();
    first.child.kill('SIGCONT');
    // The first process is done once another document is ready, which either of the two may take.
    serving = { url: await first.firstLine, adminKey: TEST_ADMIN_KEY };
    await store.becomes(await store.add(manual(3, 'boiler')), 'ready');
    expect(await rowsOf(service, id)).toEqual(made);
    expect(made.positions).toEqual(each(CHUNKS));
    expect(await store.one(id)).toMatchObject({ status: 'ready', chunks: CHUNKS });
  });
});
