import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder outside the service's data; `remove` deletes it with its content. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'moving-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
