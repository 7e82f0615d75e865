import type { SessionItem } from '../../api/inspections.js';
import { isoTime } from '../../common/iso-time.js';

/** The row of a session in the list. */
export interface ItemRow extends Pick<SessionItem, 'address' | 'postcode' | 'inspector'> {
  flow_id: string;
  session_id: string;
  current_area: string | null;
  created_at: number;
  updated_at: number;
  photographs: number;
  pending: number;
  remarks: number;
}

/** Returns the SQL for the number of records in a table that were not withdrawn. */
const counted = (table: string): string =>
  `SELECT COUNT(*) FROM ${table} item WHERE item.session_id = session.session_id AND item.flow_id = session.flow_id
    AND item.withdrawn_at IS NULL`;

/** The query for the rows of the list, to be followed by conditions. */
export const ITEMS = `SELECT session.*, record.address, record.postcode, record.inspector,
  (${counted('photographs')}) AS photographs,
  (${counted('photographs')} AND item.claim_id IS NULL) AS pending, (${counted('remarks')}) AS remarks
  FROM inspection_sessions session LEFT JOIN inspection_details record
    ON record.flow_id = session.flow_id AND record.session_id = session.session_id`;

/** The columns that the list searches. */
export const FOUND_BY = ['session.session_id', 'record.address', 'record.postcode', 'record.inspector'];

export const itemOf = (
  row: ItemRow,
  areas: string[],
  lastReport: SessionItem['lastReport'],
): SessionItem => ({
  flowId: row.flow_id,
  sessionId: row.session_id,
  photographs: row.photographs,
  pending: row.pending,
  remarks: row.remarks,
  currentArea: row.current_area,
  areas,
  title: row.address,
  address: row.address,
  postcode: row.postcode,
  inspector: row.inspector,
  lastReport,
  createdAt: isoTime(row.created_at),
  updatedAt: isoTime(row.updated_at),
});
