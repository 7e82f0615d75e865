import type { ApiKeys } from '../../auth/api-keys/api-keys.js';
import type { AppConfig } from '../../common/app-config.js';
import type { Clock } from '../../common/clock.js';
import type { DatabaseReader } from '../../database/database-reader.js';
import type { DocumentStores } from '../../documents/stores/document-stores.js';
import type { Credentials } from '../../flows/credentials/credentials.js';
import type { NodeKinds } from '../../flows/engine/node-kind.js';
import type { FlowStore } from '../../flows/store/flow-store.js';
import type { FlowWrites } from '../../flows/store/flow-writes.js';
import type { BlobStore } from '../../storage/blob-store.js';
import type { MoveReport } from '../report/move-report.js';
import type { Progress } from '../report/progress.js';
import type { MoveSource } from '../source/move-source.js';
import type { UploadPlaces } from '../source/upload-places.js';
import type { ConsiderateWrites } from './considerate-writes.js';

/**
 * This side of a move: the stores of the service on its database, whether the service is running or not. A dry run must not
 * write to them; if there is no database yet, its stores are empty and temporary.
 */
export interface MoveTarget {
  readonly config: AppConfig;
  readonly clock: Clock;
  readonly reader: DatabaseReader;
  readonly writes: ConsiderateWrites;
  readonly flows: Pick<FlowStore, 'changedAt'> & Pick<FlowWrites, 'adopt'>;
  readonly kinds: NodeKinds;
  readonly apiKeys: ApiKeys;
  readonly credentials: Credentials;
  readonly stores: Pick<DocumentStores, 'names'>;
  readonly blobs: BlobStore;
  close(): Promise<void>;
}

/** A running move: both sides, and its report. */
export interface Move {
  readonly source: MoveSource;
  readonly target: MoveTarget;
  readonly report: MoveReport;
  readonly progress: Progress;
  /** Nothing may be written. */
  readonly dryRun: boolean;
  /** The other side's uploads, if `--storage` was given. */
  readonly uploads: UploadPlaces | undefined;
  /** The ids of the flows that are here after the move, moved or here before. Only their chats are moved. */
  readonly flowIds: Set<string>;
}
