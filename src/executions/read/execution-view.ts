import type { ExecutionRecord, NodeTrace } from '../../api/executions.js';
import { isoTime } from '../../common/clock.js';
import type { TracedNode } from '../execution.js';
import { executionColumns, type ExecutionEntity } from '../log/execution.entity.js';

/** Columns for the service alone: readers of the log see all others. */
const INNER = [
  ...(['chatDigits', 'account', 'runId', 'outlivesProcess', 'processId'] as const),
  ...(['holdsTurn', 'cancelRequested', 'trace', 'processDeaths'] as const),
] as const;

/** The texts that a list cuts, because a page may hold two hundred. */
const LONG = ['question', 'answer'] as const;

export type ExecutionRow = Omit<ExecutionEntity, (typeof INNER)[number]>;

/** The columns of a whole record. */
export const WHOLE = executionColumns.selected(executionColumns.without(INNER));

/** Those of a record as a list shows it. */
export const LISTED = LONG.reduce(
  (columns, text) => columns.replace(`executions.${text} AS`, `substr(executions.${text}, 1, 1000) AS`),
  WHOLE,
);

/** One run of a node; `data` is its JSON as it was recorded. */
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

/** The node runs that have rows of their own, and those that were written with the record, in their order. */
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

/** A record as the API shows it (contract section 8), without its nodes. What was never known is absent or null. */
export function viewOf(row: ExecutionRow): ExecutionRecord {
  const { id, kind, flowId, flowName, chatId, status, httpStatus, durationMs, ...more } = row;
  const { startedAt, finishedAt, credits, refunded, attempt, inputTokens, outputTokens, ...others } = more;
  const { callerAddress, callerApiKeyId, callerOrigin, failedNodeId, failedNodeLabel, ...known } = others;
  return {
    ...{ id, kind, flowId, flowName, chatId, status, httpStatus },
    startedAt: isoTime(startedAt),
    finishedAt: finishedAt === null ? null : isoTime(finishedAt),
    durationMs,
    credits: credits - refunded,
    ...(refunded === 0 ? {} : { refunded }),
    ...(inputTokens === null && outputTokens === null
      ? {}
      : { tokens: { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 } }),
    caller: { address: callerAddress, ...knownOf({ apiKeyId: callerApiKeyId, origin: callerOrigin }) },
    ...(failedNodeId === null
      ? {}
      : { failedNode: { id: failedNodeId, label: failedNodeLabel ?? failedNodeId } }),
    ...knownOf(known),
    ...(attempt > 1 ? { attempt } : {}),
  };
}

/** One node run of the trace as the API shows it. */
export function nodeViewOf({ runId, run }: RecordedNode): NodeTrace {
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

/** The members that are not null. */
const knownOf = <Members extends object>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as {
    [Name in keyof Members]?: NonNullable<Members[Name]>;
  };
