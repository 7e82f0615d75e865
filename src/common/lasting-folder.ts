import { access, constants, mkdir, open } from 'node:fs/promises';
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

/** Makes a folder as `makeLastingFolder` does. Rejects where files cannot be read and written in it either. */
export async function makeWritableFolder(path: string): Promise<void> {
  await makeLastingFolder(path);
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
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
