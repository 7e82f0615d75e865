import { mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder, with its missing parents, durably: each is synced in the folder above it, so that its name survives a
 * power cut. A folder that exists is synced too, because its maker may have died before that. Above the folder's own
 * parent, failures to sync are ignored: those folders were there before us. Rejects where the folder cannot be made.
 */
export async function makeLastingFolder(path: string): Promise<void> {
  const folder = resolve(path);
  await mkdir(folder, { recursive: true });
  for (
    let below = folder, above = dirname(folder);
    above !== below;
    [below, above] = [above, dirname(above)]
  ) {
    await syncFolder(above).catch((error: unknown) => {
      if (below === folder) throw error;
    });
  }
}

/** Makes the names in a folder durable. The contents of its files are not: each needs a sync of its own. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
