/**
 * The directories of a service of this proof: secrets, database and blobs each in a folder of its own with parents,
 * none of which exists before the first start, so that no folder is made durable by the sync of another.
 */
import { join } from 'node:path';

/** Path of the blobs, below the root. */
export const STORE = 'store/kept/files/';

export const layout = (root) => ({
  dataDir: join(root, 'secrets', 'kept', 'data'),
  databaseUrl: `sqlite:${join(root, 'database', 'kept', 'file', 'service.sqlite')}`,
  storage: { STORAGE_URL: join(root, 'store', 'kept', 'files') },
});
