import type { ApiKeys } from '../../auth/api-keys/api-keys.js';
import type { AppConfig } from '../../common/app-config.js';
import type { Clock } from '../../common/clock.js';
import type { DatabaseReader } from '../../database/database-reader.js';
import type { DocumentStores } from '../../documents/stores/document-stores.js';
import type { Credentials } from '../../flows/credentials/credentials.js';
import type { NodeKinds } from '../../flows/engine/node-kind.js';
import type { FlowStore } from '../../flows/store/flow-store.js';
import type { BlobStore } from '../../storage/blob-store.js';
import type { ConsiderateWrites } from './considerate-writes.js';

/**
 * This side of a move: the stores of the service on its own database, beside a service that runs or without one. In a dry
 * run nothing may be written to them; where there is no database yet they are empty ones that are thrown away.
 */
export interface MoveTarget {
  readonly config: AppConfig;
  readonly clock: Clock;
  readonly reader: DatabaseReader;
  readonly writes: ConsiderateWrites;
  readonly flows: FlowStore;
  readonly kinds: NodeKinds;
  readonly apiKeys: ApiKeys;
  readonly credentials: Credentials;
  readonly stores: Pick<DocumentStores, 'names'>;
  readonly blobs: BlobStore;
  close(): Promise<void>;
}
