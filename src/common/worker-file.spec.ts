import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Piscina } from 'piscina';
import { workerFile, type WorkerFile } from './worker-file.js';

describe('the file of a worker', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'worker-file-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function answer(file: WorkerFile): Promise<unknown> {
    const pool = new Piscina({ ...file, maxThreads: 1 });
    try {
      return await pool.run(20);
    } finally {
      await pool.destroy();
    }
  }

  it('is the compiled module beside a compiled importer', async () => {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'sum.js'), 'export const sum = (n) => n + 1;');
    writeFileSync(
      join(folder, 'double-worker.js'),
      "import { sum } from './sum.js'; export default (n) => sum(n);",
    );
    const file = workerFile(pathToFileURL(join(folder, 'pool.js')).href, 'double-worker');
    expect(file).toEqual({ filename: join(folder, 'double-worker.js') });
    expect(await answer(file)).toBe(21);
  });

  it('is the TypeScript file, compiled on the way in, beside an importer that runs from the sources', async () => {
    writeFileSync(join(folder, 'sum.ts'), 'export const sum = (n: number): number => n + 2;');
    writeFileSync(
      join(folder, 'double-worker.ts'),
      "import { sum } from './sum.js';\nexport default async (n: number): Promise<number> => sum(n);",
    );
    const file = workerFile(pathToFileURL(join(folder, 'pool.ts')).href, 'double-worker');
    expect(await answer(file)).toBe(22);
  });

  /** Threads that each loaded the compiler ended this process with SIGSEGV. */
  it('is compiled for one thread after another of a process that does not compile itself', () => {
    const files = ['first', 'second', 'third'].map((name) => {
      writeFileSync(join(folder, `${name}.ts`), `export default (n: number): string => '${name}' + n;`);
      return workerFile(pathToFileURL(join(folder, 'pool.ts')).href, name);
    });
    const program = `
      const { Piscina } = require('piscina');
      (async () => {
        for (const file of ${JSON.stringify(files)}) {
          const pool = new Piscina({ ...file, maxThreads: 1 });
          console.log(await pool.run(20));
          await pool.destroy();
        }
      })();`;
    const { stdout, signal } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
    expect({ stdout, signal }).toEqual({ stdout: 'first20\nsecond20\nthird20\n', signal: null });
  });

  it('takes the address of its importer as the test runner compiles it', () => {
    expect(workerFile(import.meta.url, 'picture-worker').filename).toBe(join(__dirname, 'picture-worker.ts'));
  });
});
