import type { Camera } from '../../api/inspections.js';
import type { AreaType, ServiceArea } from '../areas/area-type.js';
import type { FactKind, FactWords } from '../facts/fact.js';
import type { PrintStep } from '../pictures/picture.js';
import type { ReportSettings } from './report-settings.js';

/** The data of a claimed photograph for the report. Instants are epoch milliseconds. */
export interface PhotographInput {
  readonly id: string;
  /** The area's key; photographs with one key share a heading. */
  readonly areaKey: string;
  /** The name as sent; the best spelling of an area's names is its heading. */
  readonly areaName: string;
  readonly areaType: AreaType;
  readonly service?: ServiceArea;
  readonly capturedAt: number;
  readonly source: 'captureTs' | 'server';
  readonly receivedAt: number;
  /** Ever-growing sequence number of arrival within the session. */
  readonly arrival: number;
  readonly caption?: string;
  /** True if data of the picture is missing or corrupt: its print shows only part of it. */
  readonly partlyRead?: true;
  /** Evidence; its time is never printed as that of the photograph. */
  readonly camera?: Camera;
  /** Pixels of the print rendition (or of the original when there is none). */
  readonly width: number;
  readonly height: number;
  /** Storage key of the print rendition; null if there is none and a placeholder is printed. */
  readonly rendition: string | null;
  /** Hex; a file with another hash is not drawn. Null if unknown. */
  readonly renditionSha256: string | null;
  /** The reduced size in this report; absent if it is printed as recorded. */
  readonly reducedTo?: PrintStep;
  /** Bytes of the print rendition. */
  readonly renditionBytes?: number;
  readonly sha256: string;
  readonly bytes: number;
  /** Perceptual hash of the print, 16 hex digits; absent without contrast or if it was turned later. */
  readonly look?: string;
  /** Degrees clockwise by which the print was turned; absent if it was not. */
  readonly turn?: number;
  /** The time of withdrawal; set if it was withdrawn before its claim. */
  readonly withdrawnAt?: number;
  /** Its corrections before the claim, oldest first; absent where there are none. */
  readonly corrections?: readonly CorrectionInput[];
  /** True if this edition added it. */
  readonly added?: true;
}

/** A correction with its time, author, change and reason. */
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
  /** Its entry in the list of evidence. */
  readonly evidence?: RemarkEvidence;
  /** True if this edition added it. */
  readonly added?: true;
}

/** The members of a remark that only the list of evidence has. Instants are epoch milliseconds. */
export interface RemarkEvidence {
  readonly id: string;
  readonly recordedAt: number;
  /** Oldest first. */
  readonly corrections?: readonly CorrectionInput[];
}

/** A remark withdrawn before its claim: evidence, never printed. */
export interface WithdrawnRemark extends RemarkEvidence {
  readonly areaName: string;
  readonly text: string;
  readonly withdrawnAt: number;
}

/** An observation, a reading, keys or an alarm, in the order in which it was recorded. */
export interface FactInput {
  readonly id: string;
  readonly kind: FactKind;
  readonly areaName: string;
  readonly areaType: AreaType;
  readonly fact: FactWords;
  /** Ids of photographs of this report or of an earlier one. */
  readonly photographs: readonly string[];
  /** Epoch milliseconds. */
  readonly recordedAt: number;
  /** The time of withdrawal; set if it was withdrawn before its claim. */
  readonly withdrawnAt?: number;
  /** Its corrections before the claim, oldest first; absent where there are none. */
  readonly corrections?: readonly CorrectionInput[];
  /** True if this edition added it. */
  readonly added?: true;
}

/** A further edition of a report. Instants are epoch milliseconds. */
export interface EditionInput {
  readonly number: number;
  /** The report that it replaces. */
  readonly replaces: { readonly reportId: string; readonly createdAt: number };
  readonly reason: string;
  /** Ids of the photographs that earlier editions numbered: the first has the number 1. */
  readonly numbered: readonly string[];
  readonly corrected: readonly CorrectedRecord[];
  /** `meta` of the report that it replaces. */
  readonly metaBefore: unknown;
}

/** A record before and after its correction by an edition. */
export interface CorrectedRecord {
  readonly kind: 'photograph' | 'remark' | 'fact';
  readonly id: string;
  readonly reason: string;
  readonly before: RecordState;
  readonly after: RecordState;
}

/** The members of a record that a correction may change. */
export interface RecordState {
  readonly area: string;
  readonly areaType: AreaType;
  readonly withdrawn: boolean;
  /** Degrees clockwise, of a photograph. */
  readonly turn?: number;
  readonly caption?: string;
  /** The words of a remark. */
  readonly text?: string;
  readonly fact?: {
    readonly kind: FactKind;
    readonly words: FactWords;
    readonly photographs: readonly string[];
  };
}

export interface ReportInput {
  readonly reportId: string;
  /** The render's instant, epoch milliseconds; fixed by the claim, so that a redraw gives the same bytes. */
  readonly now: number;
  readonly photographs: readonly PhotographInput[];
  readonly remarks: readonly RemarkInput[];
  /** Absent if there are none. */
  readonly facts?: readonly FactInput[];
  /** Withdrawn facts, for the list of evidence only; absent if there are none. */
  readonly withdrawnFacts?: readonly FactInput[];
  /** Withdrawn remarks, for the list of evidence only. */
  readonly withdrawnRemarks?: readonly WithdrawnRemark[];
  /** Withdrawn photographs, for the declaration and the list of evidence only. */
  readonly withdrawn?: readonly PhotographInput[];
  /** Absent in the first edition. */
  readonly edition?: EditionInput;
  /** Service areas photographed in earlier reports of the session, which get no absence note. */
  readonly photographedBefore?: readonly ServiceArea[];
  /** `source.meta` as sent, unchecked. */
  readonly meta: unknown;
  /** Absent: those of a report without a flow's own. */
  readonly settings?: ReportSettings;
  /** The content of the report that `meta.previousReport` names; absent without one. */
  readonly previous?: ReportInput;
}
