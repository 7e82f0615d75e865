import type { Verdict } from '../../scripts/verify/check-report.mjs';
import address from './check-worker.ts?worker&url';

/** A file that takes longer is not one of our reports. */
const LONGEST_MS = 60_000;

/** The verdict on a file, or the reason for having none. `stopped`: the check was cancelled. */
export type Checked = Verdict | string;

/** Checks a file in a worker, so that a malicious file cannot block the page. */
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

/** The worker's URL as a Trusted Type. The page's policy allows creating this policy once. */
const { trustedTypes } = globalThis as { trustedTypes?: Policies };
const policy = trustedTypes?.createPolicy('verify-worker', { createScriptURL: () => address });
const workerAddress = (): unknown => policy?.createScriptURL(address) ?? address;
