import type { TimeSource, QuarterTurn } from '../../api/inspection-terms.js';
import type { Camera, Fact, Photograph, Remark } from '../../api/inspections.js';
import { isoTime } from '../../common/iso-time.js';
import type { SqlReader } from '../../database/tx.js';
import type { AreaType } from '../areas/area-type.js';
import { correctionsOf } from '../corrections/corrected-views.js';
import { type FactRow, recordedFact } from '../facts/record-facts.js';
import type { SessionAddress } from '../session.js';

export interface PhotographRow {
  id: string;
  area_key: string;
  area_name: string;
  area_type: AreaType;
  captured_at: number;
  source: TimeSource;
  received_at: number;
  file_name: string | null;
  caption: string | null;
  sha256: string;
  bytes: number;
  original_width: number;
  original_height: number;
  camera: string | null;
  turn: QuarterTurn;
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

export const photographView = (row: PhotographRow, area: string, corrected = 0): Photograph => ({
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

export const remarkView = (row: RemarkRow, area: string, corrected = 0): Remark => ({
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
): Promise<Fact[]> {
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
