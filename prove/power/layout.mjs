/**
 * Where a service of this proof keeps its things: secrets, database and blobs each in a folder of its own with others
 * above it, none of them there before the first start, so that no folder is made to last by the sync of another.
 */
import { join } from 'node:path';

/** Of the blobs, below the root. */
export const STORE = 'store/kept/files/';

export const layout = (root) => ({
  dataDir: join(root, 'secrets', 'kept', 'data'),
  databaseUrl: `sqlite:${join(root, 'database', 'kept', 'file', 'service.sqlite')}`,
  storage: { STORAGE_URL: join(root, 'store', 'kept', 'files') },
});
