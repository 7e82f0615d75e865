import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codedIn, cropped, heic, heicFixture, heicSequence, rotated } from '../../../test/fixtures/heic.js';
import { startPictureProcess } from './decoder-pool.js';
import type { PictureProcess } from './picture-job.js';

/**
 * Pictures decoded one after another in one process, which must not depend on what it decoded before. By default: every
 * ordered pair of the made files that differ most in memory, each file of the shared folders in a fresh process, and one
 * order of all in one process. `CORPUS=full` takes every ordered pair of all and twenty orders, some minutes of
 * processor time.
 */
const isFull = process.env.CORPUS === 'full';

const shared = join(__dirname, '../../../../shared');
const sharedFiles = ['photos', 'hard-inputs']
  .map((name) => join(shared, name))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((path) => /\.hei[cf]$/.test(path));

describe('HEIC files decoded in any order', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heic-corpus-'));
  const processes: PictureProcess[] = [];
  afterAll(() => {
    for (const each of processes) each.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  const chart = codedIn(heicFixture('chart'));
  const made: Readonly<Record<string, Buffer>> = {
    // The planes of its colours end where the memory of WebAssembly does.
    twelveMegapixels: heic(codedIn(heicFixture('flat-512')), {
      grid: { columns: 8, rows: 6, width: 4032, height: 3024 },
    }),
    transparent: heicFixture('chart-alpha'),
    tenBits: heicFixture('chart-10-bit'),
    cropped: heic(chart, { properties: [cropped(100, 60), rotated(1)] }),
    sequence: heicSequence(chart),
  };
  const madeFiles = Object.entries(made).map(([name, bytes]) => {
    const path = join(folder, `${name}.heic`);
    writeFileSync(path, bytes);
    return path;
  });
  const all = [...madeFiles, ...sharedFiles, ...(isFull ? largeFixtures() : [])];

  /** Files that were not recorded, with what came of them. */
  const decodeInTurn = async (paths: readonly string[]): Promise<string[]> => {
    const decoder = startPictureProcess();
    processes.push(decoder);
    const failed: string[] = [];
    for (const path of paths) {
      const task = { path, renditionPath: join(folder, 'print'), maxPixels: 50e6 };
      const ended = await decoder.run(task);
      const end = 'end' in ended ? ended.end : ended;
      if (!('result' in end && 'picture' in end.result)) failed.push(`${path}: ${JSON.stringify(end)}`);
    }
    decoder.kill();
    return failed;
  };

  it('are recorded after each other one', async () => {
    const paths = isFull ? all : madeFiles.slice(0, 3);
    const failed: string[] = [];
    for (const first of paths) {
      for (const second of paths) failed.push(...(await decodeInTurn([first, second])));
    }
    expect(failed).toEqual([]);
  }, 3_600_000);

  it('are recorded first', async () => {
    const failed: string[] = [];
    for (const path of isFull ? [] : sharedFiles) failed.push(...(await decodeInTurn([path])));
    expect(failed).toEqual([]);
  });

  it('are recorded in any order of all', async () => {
    const failed: string[] = [];
    for (let seed = 1; seed <= (isFull ? 20 : 1); seed++)
      failed.push(...(await decodeInTurn(shuffled(all, seed))));
    expect(failed).toEqual([]);
  }, 3_600_000);
});

function largeFixtures(): string[] {
  const folder = join(__dirname, '../../../test/fixtures');
  return ['flat-12-megapixels.heic', 'flat-49-megapixels.heic'].map((name) => join(folder, name));
}

/** The same order for the same seed. */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other]!, result[last]!];
  }
  return result;
}
