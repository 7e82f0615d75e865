import type { Approval } from '../../api/executions.js';
import { isoTime } from '../../common/clock.js';
import { EntityColumns } from '../../database/entity-columns.js';
import type { SqlReader } from '../../database/tx.js';
import { ApprovalEntity } from '../approvals/approval.entity.js';

const SHOWN = [
  ...(['id', 'nodeId', 'nodeLabel', 'text', 'action', 'askedAt', 'expiresAt'] as const),
  ...(['decision', 'feedback', 'decidedAt', 'decidedBy'] as const),
] as const;

/** An approval and the caller who decided it. */
type ShownApproval = Pick<ApprovalEntity, (typeof SHOWN)[number]> &
  Record<'callerAddress' | 'callerApiKeyId', string | null>;

const APPROVALS = `SELECT ${new EntityColumns(ApprovalEntity).selected(SHOWN)}, caller_address AS "callerAddress",
  caller_api_key_id AS "callerApiKeyId" FROM run_stops LEFT JOIN executions ON executions.id = decided_by
  WHERE run_stops.execution_id = ? ORDER BY asked_at, run_stops.id`;

/** Returns the approvals of a run in order. One without `decision` is open. */
export const approvalsOf = async (reader: SqlReader, executionId: string) =>
  (await reader.all<ShownApproval>(APPROVALS, [executionId])).map(approvalViewOf);

function approvalViewOf(approval: ShownApproval): Approval {
  const { id: name, nodeId, nodeLabel, text, action, askedAt, expiresAt, decision } = approval;
  const { feedback, decidedAt, decidedBy, callerAddress, callerApiKeyId } = approval;
  return {
    ...{ name, nodeId, nodeLabel, text },
    action: JSON.parse(action) as Approval['action'],
    askedAt: isoTime(askedAt),
    expiresAt: isoTime(expiresAt),
    ...(decision === null ? {} : { decision }),
    ...(feedback === null ? {} : { feedback }),
    ...(decidedAt === null ? {} : { decidedAt: isoTime(decidedAt) }),
    ...(decidedBy === null ? {} : { decidedBy }),
    ...(callerAddress === null
      ? {}
      : { by: { address: callerAddress, ...(callerApiKeyId === null ? {} : { apiKeyId: callerApiKeyId }) } }),
  };
}
