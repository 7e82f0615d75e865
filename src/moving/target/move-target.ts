import type { ApiKeys } from '../../auth/api-keys/api-keys.js';
import type { AppConfig } from '../../common/app-config.js';
import type { Clock } from '../../common/clock.js';
import type { DatabaseReader } from '../../database/database-reader.js';
import type { DocumentStores } from '../../documents/stores/document-stores.js';
import type { Credentials } from '../../flows/credentials/credentials.js';
import type { NodeKinds } from '../../flows/engine/node-kind.js';
import type { FlowStore } from '../../flows/store/flow-store.js';
import type { BlobStore } from '../../storage/blob-store.js';
import type { MoveReport } from '../report/move-report.js';
import type { Progress } from '../report/progress.js';
import type { MoveSource } from '../source/move-source.js';
import type { UploadPlaces } from '../source/upload-places.js';
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

/** A move under way: both sides, and the account of it. */
export interface Move {
  readonly source: MoveSource;
  readonly target: MoveTarget;
  readonly report: MoveReport;
  readonly progress: Progress;
  /** Nothing may be written. */
  readonly dryRun: boolean;
  /** Where the other side's uploads lie, where that was said. */
  readonly uploads: UploadPlaces | undefined;
  /** The flows that are here after the move, moved or here before, by their ids: only their chats can come. */
  readonly flowIds: Set<string>;
}
