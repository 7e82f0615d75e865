import type { Approval, ExecutionRecord, NodeTrace, PresentedKey, TracedNode } from '../../api/executions.js';
import { isoTime } from '../../common/iso-time.js';
import { EntityColumns } from '../../database/entity-columns.js';
import type { SqlReader } from '../../database/tx.js';
import { ApprovalEntity } from '../approvals/approval.entity.js';
import { versionNameOf } from '../execution.js';
import { executionColumns, type ExecutionEntity } from '../log/execution.entity.js';

/** Columns that readers of the log do not see. */
const INNER = [
  ...(['chatDigits', 'account', 'runId', 'outlivesProcess', 'processId'] as const),
  ...(['holdsTurn', 'cancelRequested', 'trace', 'processDeaths'] as const),
] as const;

/** Texts that lists truncate, because a page may hold two hundred. */
const LONG = ['question', 'answer'] as const;

export type ExecutionRow = Omit<ExecutionEntity, (typeof INNER)[number]>;

/** Columns of a whole record. */
export const WHOLE = executionColumns.selected(executionColumns.without(INNER));

/** Columns of a record in a list. */
export const LISTED = LONG.reduce(
  (columns, text) => columns.replace(`executions.${text} AS`, `substr(executions.${text}, 1, 1000) AS`),
  WHOLE,
);

/** A stored node run; `data` is its recorded JSON. */
export interface ExecutionNodeRow {
  run_id: string;
  position: number;
  data: string;
}

interface RecordedNode {
  runId: string;
  position: number;
  run: Omit<TracedNode, 'runId'>;
}

/** Merges node runs from their own rows and from the record, in order. */
export function nodesOf(rows: readonly ExecutionNodeRow[], trace: string | null): RecordedNode[] {
  const written = rows.map(({ run_id: runId, position, data }) => nodeOf(runId, position, JSON.parse(data)));
  const atEnd = trace === null ? [] : (JSON.parse(trace) as [string, number, unknown][]);
  const nodes = new Map(written.map((node) => [node.runId, node]));
  for (const [runId, position, data] of atEnd) nodes.set(runId, nodeOf(runId, position, data));
  return [...nodes.values()].sort((a, b) => a.position - b.position || (a.runId < b.runId ? -1 : 1));
}

const nodeOf = (runId: string, position: number, data: unknown): RecordedNode => ({
  runId,
  position: Number(position),
  run: data as RecordedNode['run'],
});

/** Returns the API's view of a record (contract section 8), without its nodes. Unknown values are absent or null. */
export function viewOf(row: ExecutionRow): ExecutionRecord {
  const { id, kind, flowId, flowName, chatId, status, httpStatus, durationMs, ...more } = row;
  const { startedAt, finishedAt, credits, refunded, attempt, inputTokens, outputTokens, ...others } = more;
  const { callerAddress, callerApiKeyId, callerOrigin, presentedKey, flowVersion, ...rest } = others;
  const { failedNodeId, failedNodeLabel, ...known } = rest;
  return {
    ...{ id, kind, flowId, flowName },
    ...(flowVersion === null ? {} : { flowVersion: versionNameOf(flowVersion) }),
    ...{ chatId, status, httpStatus },
    startedAt: isoTime(startedAt),
    finishedAt: finishedAt === null ? null : isoTime(finishedAt),
    durationMs,
    credits: credits - refunded,
    ...(refunded === 0 ? {} : { refunded }),
    ...(inputTokens === null && outputTokens === null
      ? {}
      : { tokens: { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 } }),
    caller: { address: callerAddress, ...knownOf({ apiKeyId: callerApiKeyId, origin: callerOrigin }) },
    ...(httpStatus === 401 ? { presentedKey: parsedKey(presentedKey) } : {}),
    ...(failedNodeId === null
      ? {}
      : { failedNode: { id: failedNodeId, label: failedNodeLabel ?? failedNodeId } }),
    ...knownOf(known),
    ...(attempt > 1 ? { attempt } : {}),
  };
}

const parsedKey = (text: string | null): PresentedKey | null =>
  text === null ? null : (JSON.parse(text) as PresentedKey);

/**
 * Returns the API's view of the node runs of a record. If the process of a run dies, its last nodes are stored as running:
 * once the record has ended, they are shown as stopped.
 */
export function traceViewOf(nodes: readonly RecordedNode[], record: ExecutionRecord): NodeTrace[] {
  const trace = nodes.map(nodeViewOf);
  const { status, finishedAt } = record;
  if (finishedAt === null || status === 'running' || status === 'waiting') return trace;
  const end = Date.parse(finishedAt);
  return trace.map((run) => {
    if (run.status !== 'running') return run;
    return { ...run, status: 'stopped', durationMs: Math.max(0, end - Date.parse(run.startedAt)) };
  });
}

function nodeViewOf({ runId, run }: RecordedNode): NodeTrace {
  const {
    nodeId,
    label,
    kind,
    status,
    startedAt,
    durationMs,
    input,
    output,
    error,
    errorCode,
    tokens,
    attempt,
    parent,
    flowId,
  } = run;
  return {
    runId,
    nodeId,
    label,
    kind,
    status,
    startedAt: isoTime(startedAt),
    durationMs: durationMs ?? null,
    input: input ?? null,
    output: output ?? null,
    ...(error === undefined
      ? {}
      : { error: errorCode === undefined ? error : { code: errorCode, message: error } }),
    ...(tokens === undefined ? {} : { tokens }),
    attempt,
    ...(parent === undefined ? {} : { parent }),
    ...(flowId === undefined ? {} : { flowId }),
  };
}

/** Returns the members that are not null. */
const knownOf = <Members extends object>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as {
    [Name in keyof Members]?: NonNullable<Members[Name]>;
  };

const SHOWN_APPROVAL = [
  ...(['id', 'nodeId', 'nodeLabel', 'text', 'action', 'askedAt', 'expiresAt'] as const),
  ...(['decision', 'feedback', 'decidedAt', 'decidedBy'] as const),
] as const;

/** An approval and the caller who decided it. */
type ShownApproval = Pick<ApprovalEntity, (typeof SHOWN_APPROVAL)[number]> &
  Record<'callerAddress' | 'callerApiKeyId', string | null>;

const APPROVALS = `SELECT ${new EntityColumns(ApprovalEntity).selected(SHOWN_APPROVAL)}, caller_address AS "callerAddress",
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
