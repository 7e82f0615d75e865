import { isoTime } from '../../common/clock.js';
import type { SqlReader } from '../../database/tx.js';
import type { AreaType } from '../areas/area-type.js';
import { type CorrectionView, correctionsOf } from '../corrections/corrected-views.js';
import type { RecordedFact } from '../facts/fact.js';
import { type FactRow, recordedFact } from '../facts/record-facts.js';
import type { Camera } from '../pictures/camera.js';
import type { SessionAddress } from '../session.js';

/** A recorded photograph as a session shows it, under the best spelling of its area. Sizes are of the original, upright. */
export interface PhotographView {
  id: string;
  area: string;
  areaType: AreaType;
  capturedAt: string;
  source: 'captureTs' | 'server';
  receivedAt: string;
  name: string | null;
  caption: string | null;
  sha256: string;
  bytes: number;
  width: number;
  height: number;
  /** The word of the picture itself. */
  camera?: Camera;
  /** Degrees clockwise by which it is printed turned. */
  turn: number;
  /** When it was withdrawn; null unless it is. */
  withdrawnAt: string | null;
  /** Number of its corrections. */
  corrected: number;
  pending: boolean;
  /** The report that took it, or takes it at the moment. */
  reportId: string | null;
  executionId: string;
}

export interface RemarkView {
  id: string;
  area: string;
  text: string;
  recordedAt: string;
  withdrawnAt: string | null;
  corrected: number;
  pending: boolean;
  reportId: string | null;
}

export interface PhotographRow {
  id: string;
  area_key: string;
  area_name: string;
  area_type: AreaType;
  captured_at: number;
  source: 'captureTs' | 'server';
  received_at: number;
  file_name: string | null;
  caption: string | null;
  sha256: string;
  bytes: number;
  original_width: number;
  original_height: number;
  camera: string | null;
  turn: number;
  withdrawn_at: number | null;
  execution_id: string;
  claim_id: string | null;
  report_id: string | null;
}

export interface RemarkRow {
  id: string;
  area_key: string;
  area_name: string;
  text: string;
  recorded_at: number;
  withdrawn_at: number | null;
  claim_id: string | null;
  report_id: string | null;
}

const isPending = (row: PhotographRow | RemarkRow): boolean =>
  row.claim_id === null && row.withdrawn_at === null;

export const photographView = (row: PhotographRow, area: string, corrected = 0): PhotographView => ({
  id: row.id,
  area,
  areaType: row.area_type,
  capturedAt: isoTime(row.captured_at),
  source: row.source,
  receivedAt: isoTime(row.received_at),
  name: row.file_name,
  caption: row.caption,
  sha256: row.sha256,
  bytes: row.bytes,
  width: row.original_width,
  height: row.original_height,
  ...(row.camera === null ? {} : { camera: JSON.parse(row.camera) as Camera }),
  turn: row.turn,
  withdrawnAt: row.withdrawn_at === null ? null : isoTime(row.withdrawn_at),
  corrected,
  pending: isPending(row),
  reportId: row.report_id,
  executionId: row.execution_id,
});

export const remarkView = (row: RemarkRow, area: string, corrected = 0): RemarkView => ({
  id: row.id,
  area,
  text: row.text,
  recordedAt: isoTime(row.recorded_at),
  withdrawnAt: row.withdrawn_at === null ? null : isoTime(row.withdrawn_at),
  corrected,
  pending: isPending(row),
  reportId: row.report_id,
});

/** Counts the corrections of each photograph and remark of a session; those without any are left out. */
export async function timesCorrected(
  reader: SqlReader,
  { flowId, sessionId }: SessionAddress,
): Promise<Map<string, number>> {
  const rows = await reader.all<{ subject_id: string; times: number }>(
    `SELECT subject_id, COUNT(*) AS times FROM corrections
     JOIN corrected_items ON corrected_items.correction_id = corrections.id
     WHERE corrections.session_id = ? AND corrections.flow_id = ? GROUP BY subject_id`,
    [sessionId, flowId],
  );
  // Counts arrive as text from PostgreSQL.
  return new Map(rows.map(({ subject_id, times }) => [subject_id, Number(times)]));
}

/** A recorded fact as a session shows it. */
export interface FactView extends RecordedFact {
  recordedAt: string;
  /** When it was withdrawn; null unless it is. */
  withdrawnAt: string | null;
  /** No report has taken it, and it was not withdrawn. */
  pending: boolean;
  /** The report that took it, or takes it at the moment. */
  reportId: string | null;
  /** Its corrections, oldest first. */
  corrections: CorrectionView[];
}

export interface SessionFactRow extends FactRow {
  area_key: string;
  recorded_at: number;
  withdrawn_at: number | null;
  claim_id: string | null;
  report_id: string | null;
}

/** The facts of these rows; `areaOf` gives the name under which the session shows an area's key. */
export async function factViews(
  reader: SqlReader,
  rows: readonly SessionFactRow[],
  areaOf: (row: { area_key: string; area_name: string }) => string,
): Promise<FactView[]> {
  const byId = await correctionsOf(
    reader,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    ...recordedFact(row),
    area: areaOf(row),
    recordedAt: isoTime(row.recorded_at),
    withdrawnAt: row.withdrawn_at === null ? null : isoTime(row.withdrawn_at),
    pending: row.claim_id === null && row.withdrawn_at === null,
    reportId: row.report_id,
    corrections: byId.get(row.id) ?? [],
  }));
}
