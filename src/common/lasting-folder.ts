import { mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder, and those that it lies in, so that their names survive a power cut: each is synced in the folder above
 * it. One that is there already too, because whoever made it may have died before that. What cannot be synced above the
 * folder's own parent was not made by us and is passed over. Rejects where the folder cannot be made.
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

/** Makes durable which names stand in a folder. What is in the files is another matter: each has a sync of its own. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
