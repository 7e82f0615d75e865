import { existsSync, readFileSync } from 'node:fs';
import { startTestApp, TEST_ADMIN_KEY, type TestApp } from './support/app.js';
import { SERVICE_FLAGS, startChild } from './support/child-process.js';
import { makePlace, suiteDatabase, type TestPlace } from './support/databases.js';
import { type FakeEmbeddings, startFakeEmbeddings } from './support/fake-embeddings.js';
import { FilledStore } from './support/filled-store.js';
import { directionOf, fillWith } from './support/many-chunks.js';

/** 205 MB of vectors: more than the worker caches. */
const SIZE = { documents: 20, chunksOfEach: 5_000, dimensions: 512 };
/** The worker's memory; on PostgreSQL, whose bytes arrive as text, also that of reading them. */
const DOCUMENTED_MB = suiteDatabase === 'sqlite' ? 256 : 320;
/** Beginnings of their vectors, beyond those of all chunks. */
const QUESTIONS = [1_000_003, 1_000_037];
const ROUNDS = 5;

const LOOK_MS = 20;

/** The peak memory of the process in MB, without file pages, which the system reclaims at will. */
class MemoryPeak {
  private highest = 0;
  private readonly timer = setInterval(() => this.look(), LOOK_MS);

  constructor(private readonly pid: number) {}

  look(): number {
    const file = `/proc/${this.pid}/status`;
    // Not available on other systems, where only the results are checked.
    const status = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const kilobytes = /RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0;
    this.highest = Math.max(this.highest, (Number(kilobytes) * 1024) / 1e6);
    return this.highest;
  }

  end(): number {
    clearInterval(this.timer);
    return this.look();
  }
}

describe('a store of 100,000 chunks without a vector index', () => {
  let place: TestPlace;
  let model: FakeEmbeddings;
  let serving: TestApp | { url: string; adminKey: string };
  let child: ReturnType<typeof startChild> | undefined;

  beforeAll(async () => {
    [place, model] = [await makePlace(), await startFakeEmbeddings()];
  });
  afterAll(async () => {
    child?.child.kill('SIGKILL');
    await child?.exit;
    await model.close();
    await place.remove();
  });

  it('finds the nearest four of all, with no more memory than documented', async () => {
    const filling = await startTestApp({ place });
    serving = filling;
    const [store, small] = [
      await FilledStore.of(() => serving, model.url),
      await FilledStore.of(() => serving, model.url),
    ];
    await small.becomes(await small.add('The boiler stands in the cellar.'), 'ready');
    await filling.close({ keep: true });
    jest
      .spyOn(jest.requireActual<typeof import('sqlite-vec')>('sqlite-vec'), 'getLoadablePath')
      .mockImplementation(() => {
        throw new Error('there is none for this system');
      });
    const queries = QUESTIONS.map((from) => directionOf(from, SIZE.dimensions));
    const filled = await startTestApp({ place });
    const nearest = await fillWith(filled, store.id, SIZE, queries);
    await filled.close({ keep: true });

    child = startChild('service-child.ts', [place.dataDir, place.databaseUrl], {
      flags: SERVICE_FLAGS,
      required: ['without-sqlite-vec.cjs'],
    });
    serving = { url: await child.firstLine, adminKey: TEST_ADMIN_KEY };
    // Starts the worker, which compiles its sources first (in tests only).
    expect(await small.found('boiler')).toHaveLength(1);
    const memory = new MemoryPeak(child.child.pid!);
    const before = memory.look();
    // The first round reads everything; later ones compare the cache and read the rest again.
    for (let round = 0; round < ROUNDS; round++)
      for (const [question, vector] of queries.entries()) {
        model.otherwise = { vectors: () => [[...vector]] };
        const found = await store.found(`question ${question}`);
        expect(found.map(({ text }) => text)).toEqual(nearest[question]);
      }
    const peak = memory.end() - before;
    expect(peak).toBeLessThan(DOCUMENTED_MB);
  });
});
