import { insertRows } from '../database/insert-rows.js';
import type { SqlValue, Tx } from '../database/tx.js';
import type { ExecutionDraft, Outcome, SettledExecution } from './execution.js';
import { recordText } from './recorded-value.js';
import { chatDigits } from './telephone-digits.js';

/** An execution and how it ended. */
export interface Ending {
  executionId: string;
  outcome: Outcome;
  /** The attempt that ends it; absent for whoever ends it from outside. */
  attempt?: number;
}

const OPENED = `INSERT INTO executions (id, kind, flow_id, flow_name, chat_id, chat_digits, account, status, started_at, credits,
  caller_address, caller_api_key_id, caller_origin, question, replay_of, resumes, retry_of, run_id, process_id,
  outlives_process, holds_turn) VALUES`;

/** Writes running records; a draft whose chat's turn is held is left out. Resolves to the ids that were written. */
export async function insertOpened(
  tx: Tx,
  drafts: readonly ExecutionDraft[],
  processId: string,
): Promise<string[]> {
  const rows = drafts.map((draft) => openedRow(draft, processId));
  const written = await insertRows<{ id: string }>(tx, OPENED, 'ON CONFLICT DO NOTHING RETURNING id', rows);
  return written.map(({ id }) => id);
}

const openedRow = (draft: ExecutionDraft, processId: string): SqlValue[] => [
  draft.id,
  draft.kind,
  draft.flowId ?? null,
  draft.flowName ?? null,
  draft.chatId ?? null,
  chatDigits(draft.chatId),
  draft.account ?? null,
  'running',
  draft.startedAt,
  draft.credits,
  draft.caller.address,
  draft.caller.apiKeyId ?? null,
  draft.caller.origin ?? null,
  recordText(draft.question),
  draft.replayOf ?? null,
  draft.resumes ?? null,
  draft.retryOf ?? null,
  draft.runId ?? null,
  processId,
  draft.outlivesProcess ? 1 : 0,
  draft.takesTurn ? 1 : null,
];

/** The columns that an ending fills, with their types: PostgreSQL takes an untyped list of values for texts. */
const endedColumns: readonly (readonly [name: string, type: string])[] = [
  ['id', 'text'],
  ['status', 'text'],
  ['http_status', 'integer'],
  ['code', 'text'],
  ['error', 'text'],
  ['failed_node_id', 'text'],
  ['failed_node_label', 'text'],
  ['answer', 'text'],
  ['first_token_ms', 'bigint'],
  ['input_tokens', 'bigint'],
  ['output_tokens', 'bigint'],
  ['finished_at', 'bigint'],
];

/** The attempt whose end it is, if it is a run's own. */
const ATTEMPT = ['ending_attempt', 'integer'] as const;
const endedValues = [...endedColumns, ATTEMPT];

const TYPED_ROW = `(${endedValues.map(([, type]) => `CAST(? AS ${type})`).join(', ')})`;
const ROW = `(${endedValues.map(() => '?').join(', ')})`;
const ASSIGNED = endedColumns
  .slice(1)
  .map(([name]) => `${name} = ended.${name}`)
  .join(', ');

/** A waiting record may be settled once more, unless it would wait again. */
const settling = (count: number) => `WITH ended (${endedValues.map(([name]) => name).join(', ')})
  AS (VALUES ${[TYPED_ROW, ...Array<string>(count - 1).fill(ROW)].join(', ')})
  UPDATE executions SET ${ASSIGNED}, duration_ms = ended.finished_at - started_at, holds_turn = NULL
  FROM ended WHERE executions.id = ended.id AND (executions.status = 'running'
    OR (executions.status = 'waiting' AND ended.status <> 'waiting'))
    AND executions.attempt = COALESCE(ended.ending_attempt, executions.attempt)
  RETURNING executions.id, kind, flow_id, chat_id, account, credits, run_id`;

interface SettledRow {
  id: string;
  kind: SettledExecution['kind'];
  flow_id: string | null;
  chat_id: string | null;
  account: string | null;
  credits: number;
  run_id: string | null;
}

/** Ends running and waiting records. Resolves to those that ended now. */
export async function updateSettled(tx: Tx, endings: readonly Ending[]): Promise<SettledExecution[]> {
  if (endings.length === 0) return [];
  const rows = await tx.all<SettledRow>(settling(endings.length), endings.flatMap(endedRow));
  const outcomes = new Map(endings.map(({ executionId, outcome }) => [executionId, outcome]));
  return rows.map((row) => settledExecution(row, outcomes.get(row.id)!));
}

function endedRow({ executionId, outcome, attempt }: Ending): SqlValue[] {
  const { failedNode, tokens, firstTokenMs } = outcome;
  return [
    executionId,
    outcome.status,
    outcome.httpStatus,
    outcome.code ?? null,
    recordText(outcome.error),
    failedNode?.id ?? null,
    failedNode?.label ?? null,
    recordText(outcome.answer),
    firstTokenMs === undefined ? null : Math.round(firstTokenMs),
    tokens?.inputTokens ?? null,
    tokens?.outputTokens ?? null,
    outcome.finishedAt,
    attempt ?? null,
  ];
}

const settledExecution = (row: SettledRow, outcome: Outcome): SettledExecution => ({
  id: row.id,
  kind: row.kind,
  status: outcome.status,
  httpStatus: outcome.httpStatus,
  ...(outcome.code === undefined ? {} : { code: outcome.code }),
  flowId: row.flow_id,
  chatId: row.chat_id,
  account: row.account,
  credits: row.credits,
  runId: row.run_id ?? row.id,
  finishedAt: outcome.finishedAt,
});
