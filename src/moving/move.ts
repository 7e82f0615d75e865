import type { MoveReport } from './report/move-report.js';
import type { Progress } from './report/progress.js';
import type { MoveSource } from './source/move-source.js';
import type { UploadPlaces } from './source/upload-places.js';
import type { MoveTarget } from './target/move-target.js';

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
