import type { Warning } from '../../common/warnings.js';
import type { PrintStep } from '../../inspection/pictures/picture.js';
import type { Draft, StoredBlob } from '../../storage/blob-store.js';
import type { RenderProgress } from '../renderer/render-job.js';
import type { SteppedPrints } from './smaller-prints.js';

/** A report on disk, not yet in the vault. */
export interface DrawnReport {
  blob: StoredBlob;
  filename: string;
  pages: number;
  photographs: number;
  warnings: Warning[];
  /** The size that its pictures were stepped down to; null where each is printed as it was recorded. */
  prints: PrintStep | null;
  /** Bytes of the pictures in the file. */
  pictureBytes: number;
  /** The new revision with the signature, behind the sealed one: kept with the report, so that it can be given again. */
  signature?: Buffer;
  /** The signed list of evidence: to be kept or discarded. */
  evidence: Draft;
}

/** A report whose list of evidence lies beside it. */
export interface SealedReport extends Omit<DrawnReport, 'evidence'> {
  manifestKey: string;
}

/** The signal that stops a drawing, and the listener to its progress. */
export interface DrawingWatch {
  readonly signal: AbortSignal;
  readonly progress: { next(progress: RenderProgress): void };
}

/** Options for drawing the pages of a claim. */
export interface DrawingOptions {
  /** A word at the head of each page; such a report is not signed. */
  readonly mark?: string;
  /** Smaller pictures, in the place of those that were recorded. */
  readonly stepped?: SteppedPrints;
  /** Of a report that is drawn again: the signature that was kept of it, if any. None is made. */
  readonly again?: { readonly signature: Buffer | undefined };
  /** A larger file is thrown away: the place of its signature stays empty. */
  readonly unsignedAbove?: number;
  /** The server of time stamps has failed already: it is not asked. */
  readonly unstamped?: boolean;
}
