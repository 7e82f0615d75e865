import { access, constants, mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents durably: syncs the folder above each, so that its name survives a power cut.
 * Syncs existing folders too, because their maker may have died before it did. Ignores failures to sync above the folder's
 * own parent, since those folders existed before. Rejects when the folder cannot be created.
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

/** Creates a folder, not yet durably. Rejects when files in it cannot be read or written. */
export async function makeWritableFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
}

/** Makes the names in a folder durable. The contents of its files need syncs of their own. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Returns whether there is a file or a folder at this path that this process may see. */
export const pathExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
