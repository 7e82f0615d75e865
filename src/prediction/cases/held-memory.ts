import { reserveToRead } from '../../common/bodies/body-budget.js';
import type { Hold } from '../run/run-inputs.js';

/** Does work that reads stored files, each time within the memory budget of read bodies, which is released at its end. */
export async function withHeldMemory<Value>(
  signal: AbortSignal,
  work: (hold: Hold) => Promise<Value>,
): Promise<Value> {
  const releases: (() => void)[] = [];
  try {
    return await work(async (bytes) => void releases.push(await reserveToRead(bytes, signal)));
  } finally {
    for (const release of releases) release();
  }
}
