import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder outside of everything that the service keeps; `remove` deletes it with what is in it. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'moving-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
