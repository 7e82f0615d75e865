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
  /** The size to which its pictures were stepped down; null if none is smaller than recorded. */
  prints: PrintStep | null;
  /** Bytes of the pictures in the file. */
  pictureBytes: number;
  /** The revision that signs the sealed one; stored with the report, so that a redraw has it too. */
  signature?: Buffer;
  /** The signed list of evidence, to be stored or discarded. */
  evidence: Draft;
}

/** A report whose list of evidence is stored beside it. */
export interface SealedReport extends Omit<DrawnReport, 'evidence'> {
  manifestKey: string;
}

/** The signal that aborts a drawing, and the listener to its progress. */
export interface DrawingWatch {
  readonly signal: AbortSignal;
  readonly progress: { next(progress: RenderProgress): void };
}

/** Options for drawing the pages of a claim. */
export interface DrawingOptions {
  /** A word at the head of each page. Such a report is not signed. */
  readonly mark?: string;
  /** Smaller pictures, in place of the recorded ones. */
  readonly stepped?: SteppedPrints;
  /** For a redraw: the stored signature, if any. No new one is made. */
  readonly again?: { readonly signature: Buffer | undefined };
  /** Bytes above which the file is not signed, because it will be discarded. */
  readonly unsignedAbove?: number;
  /** Set if the time-stamp server has failed already: no stamp is requested. */
  readonly unstamped?: boolean;
}
