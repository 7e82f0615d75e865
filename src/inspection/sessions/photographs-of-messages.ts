import { z } from 'zod';
import type { QuarterTurn } from '../../api/inspection-terms.js';
import type { PhotographsOfMessages } from '../../api/inspections.js';
import { isoTime } from '../../common/iso-time.js';
import type { SqlReader } from '../../database/tx.js';
import type { AreaType } from '../areas/area-type.js';
import { type SessionAddress, messageKey } from '../session.js';
import { summarise } from './session-summary.js';

const MOST_AT_ONCE = 100;
const LONGEST_ID = 1_000;

/** The query: `messageId`, repeated for each photograph. */
export const messagesQuery = z.object({
  flowId: z.string().optional(),
  messageId: z
    .union(
      [z.string().transform((id) => [id]), z.array(z.string())],
      'must be sent, once for each photograph',
    )
    .refine((ids) => ids.length <= MOST_AT_ONCE, `must be sent at most ${MOST_AT_ONCE} times`)
    .refine((ids) => ids.every((id) => id.length <= LONGEST_ID), `must have at most ${LONGEST_ID} characters`)
    .describe(`As the photograph was sent with; once for each photograph, at most ${MOST_AT_ONCE} times.`),
});

interface Row {
  id: string;
  message_key: string;
  area_key: string;
  area_name: string;
  area_type: AreaType;
  turn: QuarterTurn;
  withdrawn_at: number | null;
  report_id: string | null;
  reported_at: number | null;
}

/**
 * Finds the photographs sent with these message ids (contract section 5), in the order of the ids. Omits those that were
 * not recorded.
 */
export async function photographsOfMessages(
  reader: SqlReader,
  { flowId, sessionId }: SessionAddress,
  messageIds: readonly string[],
): Promise<PhotographsOfMessages> {
  // If several photographs share a message id, only the first is found.
  const keys = new Map(messageIds.map((id) => [messageKey('photograph', id, 0), id]));
  const rows = await reader.all<Row>(
    `SELECT photographs.id, message_key, area_key, area_name, area_type, turn, withdrawn_at,
         claims.report_id, claims.created_at AS reported_at
       FROM photographs LEFT JOIN claims ON claims.id = claim_id
       WHERE photographs.flow_id = ? AND photographs.session_id = ?
         AND message_key IN (${[...keys].map(() => '?').join(', ')})`,
    [flowId, sessionId, ...keys.keys()],
  );
  const found = new Map(rows.map((row) => [row.message_key, row]));
  const { summary, names } = await summarise(reader, flowId, sessionId);
  const photographs = [...keys].flatMap(([key, messageId]) => {
    const row = found.get(key);
    return row ? [{ messageId, ...photographOf(row), area: names.get(row.area_key) ?? row.area_name }] : [];
  });
  return { flowId, sessionId, ...summary, photographs };
}

const photographOf = (
  row: Row,
): Omit<PhotographsOfMessages['photographs'][number], 'messageId' | 'area'> => ({
  id: row.id,
  areaType: row.area_type,
  turn: row.turn,
  withdrawnAt: row.withdrawn_at === null ? null : isoTime(row.withdrawn_at),
  report: row.report_id === null ? null : { id: row.report_id, at: isoTime(Number(row.reported_at)) },
});
