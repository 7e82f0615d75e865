import { fileURLToPath } from 'node:url';

/** Options of `new Piscina({ ...workerFile(import.meta.url, 'draw-worker'), … })` that start a worker thread. */
export interface WorkerFile {
  readonly filename: string;
  readonly execArgv?: string[];
}

/**
 * Returns the worker file beside its importer in a form that a thread can load: the compiled module in `dist`, or in tests
 * the TypeScript file with a loader that compiles it and its imports. `name` has no extension. The worker file exports its
 * function as `default`, and imports with `.js` specifiers like any other source.
 */
export function workerFile(importMetaUrl: string, name: string): WorkerFile {
  const source = importMetaUrl.endsWith('.ts');
  const filename = fileURLToPath(new URL(`./${name}${source ? '.ts' : '.js'}`, importMetaUrl));
  if (!source) return { filename };
  const loader = fileURLToPath(new URL('../../test/support/ts-register.cjs', import.meta.url));
  return { filename, execArgv: ['--require', loader] };
}
