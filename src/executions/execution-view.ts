import { isoTime } from '../common/clock.js';
import type { ExecutionKind, ExecutionStatus, TracedNode } from './execution.js';

/** The columns of a record as a list shows it: long texts cut, because a page may hold two hundred. */
export const LISTED = columns('substr(question, 1, 1000) AS question, substr(answer, 1, 1000) AS answer');

/** The columns of a whole record. */
export const WHOLE = columns('question, answer');

export interface ExecutionRow {
  id: string;
  kind: ExecutionKind;
  flow_id: string | null;
  flow_name: string | null;
  chat_id: string | null;
  status: ExecutionStatus;
  http_status: number | null;
  code: string | null;
  error: string | null;
  started_at: number;
  finished_at: number | null;
  duration_ms: number | null;
  first_token_ms: number | null;
  /** As charged. */
  credits: number;
  refunded: number;
  input_tokens: number | null;
  output_tokens: number | null;
  caller_address: string | null;
  caller_api_key_id: string | null;
  caller_origin: string | null;
  failed_node_id: string | null;
  failed_node_label: string | null;
  question: string | null;
  answer: string | null;
  replay_of: string | null;
  resumes: string | null;
  retry_of: string | null;
  attempt: number;
}

/** One run of a node; `data` is its JSON as it was recorded. */
export interface ExecutionNodeRow {
  execution_id: string;
  run_id: string;
  data: string;
}

/** A record as the API shows it (contract section 8), without its nodes. What was never known is absent or null. */
export type ExecutionView = ReturnType<typeof viewOf>;

export function viewOf(row: ExecutionRow) {
  return {
    id: row.id,
    kind: row.kind,
    flowId: row.flow_id,
    flowName: row.flow_name,
    chatId: row.chat_id,
    status: row.status,
    httpStatus: row.http_status,
    ...member('code', row.code),
    ...member('error', row.error),
    startedAt: isoTime(row.started_at),
    finishedAt: row.finished_at === null ? null : isoTime(row.finished_at),
    durationMs: row.duration_ms,
    ...member('firstTokenMs', row.first_token_ms),
    credits: row.credits - row.refunded,
    ...(row.refunded === 0 ? {} : { refunded: row.refunded }),
    ...(row.input_tokens === null && row.output_tokens === null
      ? {}
      : { tokens: { inputTokens: row.input_tokens ?? 0, outputTokens: row.output_tokens ?? 0 } }),
    caller: {
      address: row.caller_address,
      ...member('apiKeyId', row.caller_api_key_id),
      ...member('origin', row.caller_origin),
    },
    ...(row.failed_node_id === null
      ? {}
      : { failedNode: { id: row.failed_node_id, label: row.failed_node_label ?? row.failed_node_id } }),
    ...member('question', row.question),
    ...member('answer', row.answer),
    ...member('replayOf', row.replay_of),
    ...member('resumes', row.resumes),
    ...member('retryOf', row.retry_of),
    ...(row.attempt > 1 ? { attempt: row.attempt } : {}),
  };
}

/** One node run of the trace as the API shows it. */
export function nodeViewOf(row: ExecutionNodeRow) {
  const run = JSON.parse(row.data) as Omit<TracedNode, 'runId'>;
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
  } = run;
  return {
    runId: row.run_id,
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
  };
}

function columns(texts: string): string {
  return `id, kind, flow_id, flow_name, chat_id, status, http_status, code, error, started_at, finished_at, duration_ms,
  first_token_ms, credits, refunded, input_tokens, output_tokens, caller_address, caller_api_key_id, caller_origin,
  failed_node_id, failed_node_label, ${texts}, replay_of, resumes, retry_of, attempt`;
}

const member = <Name extends string, Value>(name: Name, value: Value | null) =>
  (value === null ? {} : { [name]: value }) as { [member in Name]?: Value };
