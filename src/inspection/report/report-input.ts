import type { AreaType, ServiceArea } from '../areas/area-type.js';

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
  /** Pixels of the print rendition (or of the original when there is none). */
  readonly width: number;
  readonly height: number;
  /** Storage key of the print rendition; null when none could be made: the report then prints a placeholder. */
  readonly rendition: string | null;
  readonly renditionSha256: string | null;
  /** Bytes of the print rendition; another length on disk is an undrawable picture. */
  readonly renditionBytes?: number;
  readonly sha256: string;
  readonly bytes: number;
}

/** A remark recorded by a capture, in the order in which it was recorded. */
export interface RemarkInput {
  readonly areaName: string;
  readonly areaType?: AreaType;
  readonly text: string;
}

export interface ReportInput {
  readonly reportId: string;
  /** The render's instant, epoch milliseconds; fixed by the claim, so that a redraw gives the same bytes. */
  readonly now: number;
  readonly photographs: readonly PhotographInput[];
  readonly remarks: readonly RemarkInput[];
  /** `source.meta` as it arrived: anything at all. */
  readonly meta: unknown;
}
