import { getLoadablePath } from 'sqlite-vec';
import type { SqliteConnection } from './sqlite-connections.js';

/**
 * Loads `sqlite-vec` into a connection, which adds `vec0` tables. Does nothing on a system without that library; `SELECT
 * vec_version()` fails there.
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
