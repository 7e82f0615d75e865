import type { ServiceArea } from './areas/area-type.js';
import type { ClaimState } from './claim.entity.js';

/** What a claim's document is made of: what it took itself, or two earlier reports. */
export type ClaimSource =
  { type: 'inspection' } | { type: 'comparison'; /** Ids of reports. */ before: string; after: string };

/** What a render took. `createdAt` is its instant (epoch milliseconds). */
export interface Claim {
  id: string;
  sessionId: string;
  flowIds: string[];
  state: ClaimState;
  executionId: string;
  reportId: string;
  source: ClaimSource;
  meta: unknown;
  photographs: number;
  remarks: number;
  outstandingAreas: ServiceArea[];
  failure: string | null;
  createdAt: number;
}

/** A claim as it stands in the database. */
export interface ClaimRow {
  id: string;
  session_id: string;
  flow_ids: string;
  state: ClaimState;
  execution_id: string;
  report_id: string;
  source: string | null;
  meta: string;
  photographs: number;
  remarks: number;
  outstanding_areas: string;
  failure: string | null;
  created_at: number;
}

export const claimOf = (row: ClaimRow): Claim => ({
  id: row.id,
  sessionId: row.session_id,
  flowIds: JSON.parse(row.flow_ids) as string[],
  state: row.state,
  executionId: row.execution_id,
  reportId: row.report_id,
  source: row.source === null ? { type: 'inspection' } : (JSON.parse(row.source) as ClaimSource),
  meta: JSON.parse(row.meta) as unknown,
  photographs: row.photographs,
  remarks: row.remarks,
  outstandingAreas: JSON.parse(row.outstanding_areas) as ServiceArea[],
  failure: row.failure,
  createdAt: row.created_at,
});
