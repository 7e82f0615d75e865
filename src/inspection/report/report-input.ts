import type { Camera } from '../../api/inspections.js';
import type { AreaType, ServiceArea } from '../areas/area-type.js';
import type { FactKind, FactWords } from '../facts/fact.js';
import type { PrintStep } from '../pictures/picture.js';

/** A claimed photograph as the report needs it. Instants are epoch milliseconds. */
export interface PhotographInput {
  readonly id: string;
  /** The area's name as `normalizeArea` gives it: photographs with one key stand under one heading. */
  readonly areaKey: string;
  /** The name as sent; the best spelling of an area's names becomes its heading. */
  readonly areaName: string;
  readonly areaType: AreaType;
  readonly service?: ServiceArea;
  readonly capturedAt: number;
  readonly source: 'captureTs' | 'server';
  readonly receivedAt: number;
  /** Ever-growing sequence number of arrival within the session. */
  readonly arrival: number;
  readonly caption?: string;
  /** Data of the picture is missing or corrupt: its print shows a part of it. */
  readonly partlyRead?: true;
  /** Evidence, never printed as its time. */
  readonly camera?: Camera;
  /** Pixels of the print rendition (or of the original when there is none). */
  readonly width: number;
  readonly height: number;
  /** Storage key of the print rendition; null when none could be made: the report then prints a placeholder. */
  readonly rendition: string | null;
  /** Hex; other bytes on disk are not drawn. Null where it is not known. */
  readonly renditionSha256: string | null;
  /** The size in which this report prints it; absent of one that is printed as it was recorded. */
  readonly reducedTo?: PrintStep;
  /** Bytes of the print rendition. */
  readonly renditionBytes?: number;
  readonly sha256: string;
  readonly bytes: number;
  /** Perceptual hash of the print, 16 hex digits; absent where it has no contrast, or was turned after it was made. */
  readonly look?: string;
  /** Degrees clockwise by which the print was turned; absent where it was not. */
  readonly turn?: number;
  /** Of a photograph that was withdrawn before its claim. */
  readonly withdrawnAt?: number;
  /** Its corrections before the claim, oldest first; absent where there are none. */
  readonly corrections?: readonly CorrectionInput[];
}

/** A correction: when, by whom, what it changed and why. */
export interface CorrectionInput {
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
  readonly change: object;
  readonly reason?: string;
}

/** A remark recorded by a capture, in the order in which it was recorded. */
export interface RemarkInput {
  readonly areaName: string;
  readonly areaType?: AreaType;
  readonly text: string;
}

/** A remark that was withdrawn before its claim: evidence, never printed. Instants are epoch milliseconds. */
export interface WithdrawnRemark {
  readonly id: string;
  readonly areaName: string;
  readonly text: string;
  readonly recordedAt: number;
  readonly withdrawnAt: number;
  /** Oldest first. */
  readonly corrections?: readonly CorrectionInput[];
}

/** An observation, a reading, keys or an alarm, in the order in which it was recorded. */
export interface FactInput {
  readonly id: string;
  readonly kind: FactKind;
  readonly areaName: string;
  readonly areaType: AreaType;
  readonly fact: FactWords;
  /** Ids, of photographs of this report or of an earlier one. */
  readonly photographs: readonly string[];
  /** Epoch milliseconds. */
  readonly recordedAt: number;
  /** Of a fact that was withdrawn before its claim. */
  readonly withdrawnAt?: number;
  /** Its corrections before the claim, oldest first; absent where there are none. */
  readonly corrections?: readonly CorrectionInput[];
}

export interface ReportInput {
  readonly reportId: string;
  /** The render's instant, epoch milliseconds; fixed by the claim, so that a redraw gives the same bytes. */
  readonly now: number;
  readonly photographs: readonly PhotographInput[];
  readonly remarks: readonly RemarkInput[];
  /** Absent where there are none. */
  readonly facts?: readonly FactInput[];
  /** Kept and not printed, for the list of evidence; absent where none was. */
  readonly withdrawnFacts?: readonly FactInput[];
  /** The same of remarks. */
  readonly withdrawnRemarks?: readonly WithdrawnRemark[];
  /** Kept and not printed: the declaration and the list of evidence count them. */
  readonly withdrawn?: readonly PhotographInput[];
  /** Of a further edition of a report: its number, and the report that it replaces; the instant in epoch milliseconds. */
  readonly edition?: {
    readonly number: number;
    readonly replaces: { readonly reportId: string; readonly createdAt: number };
  };
  /** Service areas that earlier reports of the session have settled: no absence note is printed for them. */
  readonly settledBefore?: readonly ServiceArea[];
  /** `source.meta` as it arrived: anything at all. */
  readonly meta: unknown;
}
