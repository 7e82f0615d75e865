import type { Verdict } from '../../scripts/verify/check-report.mjs';
import address from './check-worker.ts?worker&url';

/** A file that asks for more time is no report of ours. */
const LONGEST_MS = 60_000;

/** The verdict on a file; or why there is none, of which `stopped` is that nobody waits for it any more. */
export type Checked = Verdict | string;

/** Checks a file in a worker, so that the page stays alive whatever the file is made to do. */
export function checkApart(
  file: File,
  trusted: ReadonlyMap<string, string>,
): { verdict: Promise<Checked>; stop: () => void } {
  const worker = new Worker(workerAddress() as string, { type: 'module' });
  let end: (found: Checked) => void = () => undefined;
  const verdict = new Promise<Checked>((resolve) => {
    const late = setTimeout(() => end('it took longer than a minute'), LONGEST_MS);
    end = (found) => {
      clearTimeout(late);
      worker.terminate();
      resolve(found);
    };
    worker.onmessage = ({ data }: MessageEvent<Checked>) => end(data);
    worker.onerror = () => end('this browser could not read it');
    worker.postMessage({ file, trusted });
  });
  return { verdict, stop: () => end('stopped') };
}

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(url: string): unknown };
}

/** The page's policy takes the address of a script only from here (Trusted Types), and lets that be made once. */
const { trustedTypes } = globalThis as { trustedTypes?: Policies };
const policy = trustedTypes?.createPolicy('verify-worker', { createScriptURL: () => address });
const workerAddress = (): unknown => policy?.createScriptURL(address) ?? address;
