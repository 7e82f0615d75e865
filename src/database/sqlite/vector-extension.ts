import { getLoadablePath } from 'sqlite-vec';
import type { SqliteConnection } from './sqlite-connections.js';

/**
 * Loads `sqlite-vec` into a connection, so that its statements know `vec0` tables. Where there is none for this system the
 * connection does without: `SELECT vec_version()` tells.
 */
export async function loadVectorSearch({ database }: SqliteConnection): Promise<void> {
  await new Promise<void>((resolve) => {
    try {
      database.loadExtension(getLoadablePath(), () => resolve());
    } catch {
      resolve();
    }
  });
}
