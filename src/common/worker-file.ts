import { fileURLToPath } from 'node:url';

/** The options with which `new Piscina({ ...workerFile(import.meta.url, 'draw-worker'), … })` starts a worker thread. */
export interface WorkerFile {
  readonly filename: string;
  readonly execArgv?: string[];
}

/**
 * The worker that stands beside its importer, as the thread can load it: from `dist` the compiled module; from the
 * sources (tests run them) the TypeScript file, with a loader that compiles it and what it imports on the way in.
 * `name` has no extension: `workerFile(import.meta.url, 'draw-worker')`. The worker file exports its function as
 * `default`, and imports with `.js` specifiers like any other source.
 */
export function workerFile(importMetaUrl: string, name: string): WorkerFile {
  const source = importMetaUrl.endsWith('.ts');
  const filename = fileURLToPath(new URL(`./${name}${source ? '.ts' : '.js'}`, importMetaUrl));
  if (!source) return { filename };
  const loader = fileURLToPath(new URL('../../test/support/ts-register.cjs', import.meta.url));
  return { filename, execArgv: ['--require', loader] };
}
