import type { SqlReader } from '../../database/tx.js';

/** How many corrections there are of each photograph and remark of a session; those without any are left out. */
export async function timesCorrected(
  reader: SqlReader,
  { flowId, sessionId }: { flowId: string; sessionId: string },
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
