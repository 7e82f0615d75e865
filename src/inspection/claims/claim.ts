import { v7 as uuidV7 } from 'uuid';
import type { Change } from '../../api/corrections.js';
import type { Warning } from '../../common/warnings.js';
import type { Tx } from '../../database/tx.js';
import type { ServiceArea } from '../areas/area-type.js';
import type { Columns, SubjectKind } from '../corrections/subject.js';
import type { ReportInput } from '../report/report-input.js';
import type { ReportLook } from '../report/report-look.js';
import type { ClaimState } from './claim.entity.js';

/** The claimed photographs, remarks and facts for the report. */
export type HeldInput = Pick<
  ReportInput,
  'photographs' | 'remarks' | 'withdrawn' | 'withdrawnRemarks' | 'facts' | 'withdrawnFacts'
>;

/** The source of a render as its template reads it; `type` names the kind of report. */
export interface ClaimSource {
  readonly type: string;
}

/** The photographs and remarks that one render holds. `createdAt` is the instant of the claim (epoch milliseconds). */
export interface Claim {
  id: string;
  sessionId: string;
  flowIds: string[];
  state: ClaimState;
  executionId: string;
  reportId: string;
  /** Null for an inspection report of the claimed records. */
  source: ClaimSource | null;
  meta: unknown;
  photographs: number;
  remarks: number;
  outstandingAreas: ServiceArea[];
  /** Service areas with a photograph in an earlier claim of the session, which get no absence note. */
  photographedBefore: ServiceArea[];
  failure: string | null;
  createdAt: number;
  look: ReportLook;
  /** The request of a new claim; not stored. */
  request?: ClaimRequest;
  /** Set for a further edition of the report of another claim. */
  edition?: Edition;
  /** The records of a claim that was made as a trial and rolled back. */
  held?: HeldInput;
}

/** The parts of a request that are not printed as they are. The logo, else that of the flow's brand, is not yet an asset. */
export interface ClaimRequest {
  readonly logo: string | undefined;
  readonly brandLogo?: string;
  /** Set if the report of the check-in is that of the record, whose author had the right to name it. */
  readonly previousOfRecord?: true;
  readonly warnings: readonly Warning[];
}

/** Returns the claims that hold the records of a claim's report, that of the first edition first. */
export const holdersOf = ({ id, edition }: Pick<Claim, 'id' | 'edition'>): readonly string[] =>
  edition?.claimIds ?? [id];

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
  photographed_before: string;
  failure: string | null;
  created_at: number;
  edition: string | null;
  look: string;
}

/** The columns of a `ClaimRow`. Not `*`: a prepared statement fails once a newer version has added a column. */
export const CLAIM_COLUMNS = `id, session_id, flow_ids, state, execution_id, report_id, source, meta, photographs, remarks,
  outstanding_areas, photographed_before, failure, created_at, edition, look`;

export const claimOf = (row: ClaimRow): Claim => ({
  id: row.id,
  sessionId: row.session_id,
  flowIds: JSON.parse(row.flow_ids) as string[],
  state: row.state,
  executionId: row.execution_id,
  reportId: row.report_id,
  source: row.source === null ? null : (JSON.parse(row.source) as ClaimSource),
  meta: JSON.parse(row.meta) as unknown,
  photographs: row.photographs,
  remarks: row.remarks,
  outstandingAreas: JSON.parse(row.outstanding_areas) as ServiceArea[],
  photographedBefore: JSON.parse(row.photographed_before) as ServiceArea[],
  failure: row.failure,
  createdAt: row.created_at,
  look: JSON.parse(row.look) as ReportLook,
  ...(row.edition === null ? {} : { edition: JSON.parse(row.edition) as Edition }),
});

/**
 * A further edition of a report (contract section 6): the claims that hold its records, and the corrections to them. Stored
 * with the claim of the edition, which takes only records that the edition adds.
 */
export interface Edition {
  /** Counted from 2, the first replacement. */
  readonly number: number;
  /** The claims that hold its photographs, remarks and facts: of the first edition, then of each that added some. */
  readonly claimIds: readonly string[];
  /** Ids of the photographs that earlier editions numbered: the first has the number 1. */
  readonly numbered: readonly string[];
  readonly replaces: ReplacedReport;
  /** A key's name, or `admin`. */
  readonly by: string;
  readonly reason: string;
  readonly items: readonly EditionItem[];
}

/** The report that an edition replaces; `createdAt` in epoch milliseconds. */
export interface ReplacedReport {
  readonly claimId: string;
  readonly reportId: string;
  readonly createdAt: number;
}

/** The correction of one record by this edition. */
export interface EditionItem {
  readonly kind: SubjectKind;
  readonly id: string;
  readonly flowId: string;
  readonly sessionId: string;
  readonly change: Change;
  readonly reason: string;
  /** The columns that a correction may change, before this edition. */
  readonly before: Columns;
  /** The changed columns. */
  readonly next: Columns;
}

/**
 * Opens the claim of a render. Returns undefined without storing it if it is an edition of a report that already has
 * another.
 */
export async function insertClaim(
  tx: Tx,
  made: Omit<Claim, 'state' | 'reportId' | 'failure' | 'createdAt'>,
  { processId, now: createdAt }: { processId: string; now: number },
): Promise<Claim | undefined> {
  const reportId = uuidV7({ msecs: createdAt });
  const claim: Claim = { ...made, state: 'drawing', reportId, failure: null, createdAt };
  const inserted = await tx.run(
    `INSERT INTO claims (id, session_id, flow_ids, state, process_id, execution_id, report_id, source, meta, photographs,
       remarks, outstanding_areas, photographed_before, created_at, replaces_claim_id, edition, look)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    [
      claim.id,
      claim.sessionId,
      JSON.stringify(claim.flowIds),
      claim.state,
      processId,
      claim.executionId,
      claim.reportId,
      claim.source === null ? null : JSON.stringify(claim.source),
      JSON.stringify(claim.meta ?? null),
      claim.photographs,
      claim.remarks,
      JSON.stringify(claim.outstandingAreas),
      JSON.stringify(claim.photographedBefore),
      claim.createdAt,
      claim.edition?.replaces.claimId ?? null,
      claim.edition === undefined ? null : JSON.stringify(claim.edition),
      JSON.stringify(claim.look),
    ],
  );
  return inserted === 1 ? claim : undefined;
}
