import { textByCount } from '../../database/shared-read.js';
import type { Tx } from '../../database/tx.js';
import { insertRows } from '../../database/writes/insert-rows.js';
import type { ExecutionDraft, Outcome, SettledExecution } from '../execution.js';
import { executionColumns, type ExecutionEntity } from './execution.entity.js';
import { recordText } from './recorded-value.js';
import { chatDigits } from './telephone-digits.js';

/** An execution and its end. */
export interface RecordEnding {
  executionId: string;
  outcome: Outcome;
  /** Attempt that ends it; absent if it is ended from outside. */
  attempt?: number;
  /** Part of its trace that is written with the end (`ExecutionTrace.rest`). */
  trace?: string | undefined;
}

interface Opening {
  draft: ExecutionDraft;
  processId: string;
}

const opened = executionColumns.made<Opening>({
  id: ({ draft }) => draft.id,
  kind: ({ draft }) => draft.kind,
  flowId: ({ draft }) => draft.flowId,
  flowName: ({ draft }) => draft.flowName,
  flowVersion: ({ draft }) => draft.flowVersion?.toString(),
  chatId: ({ draft }) => draft.chatId,
  chatDigits: ({ draft }) => chatDigits(draft.chatId),
  account: ({ draft }) => draft.account,
  status: () => 'running',
  startedAt: ({ draft }) => draft.startedAt,
  credits: ({ draft }) => draft.credits,
  callerAddress: ({ draft }) => draft.caller.address,
  callerApiKeyId: ({ draft }) => draft.caller.apiKeyId,
  callerOrigin: ({ draft }) => draft.caller.origin,
  question: ({ draft }) => recordText(draft.question),
  replayOf: ({ draft }) => draft.replayOf,
  resumes: ({ draft }) => draft.resumes,
  retryOf: ({ draft }) => draft.retryOf,
  runId: ({ draft }) => draft.runId,
  processId: ({ processId }) => processId,
  outlivesProcess: ({ draft }) => (draft.outlivesProcess ? 1 : 0),
  holdsTurn: ({ draft }) => (draft.takesChatLock ? 1 : null),
});

/** Writes running records and returns their ids. A draft is left out while another execution holds its chat's lock. */
export async function insertOpened(
  tx: Tx,
  drafts: readonly ExecutionDraft[],
  processId: string,
): Promise<string[]> {
  const rows = drafts.map((draft) => opened.values({ draft, processId }));
  const tail = 'ON CONFLICT DO NOTHING RETURNING id';
  const written = await insertRows<{ id: string }>(tx, opened.insert, tail, rows);
  return written.map(({ id }) => id);
}

const ended = executionColumns.made<RecordEnding>({
  id: ({ executionId }) => executionId,
  status: ({ outcome }) => outcome.status,
  httpStatus: ({ outcome }) => outcome.httpStatus,
  code: ({ outcome }) => outcome.code,
  error: ({ outcome }) => recordText(outcome.error),
  failedNodeId: ({ outcome }) => outcome.failedNode?.id,
  failedNodeLabel: ({ outcome }) => outcome.failedNode?.label,
  answer: ({ outcome }) => recordText(outcome.answer),
  firstTokenMs: ({ outcome }) => outcome.firstTokenMs,
  inputTokens: ({ outcome }) => outcome.tokens?.inputTokens,
  outputTokens: ({ outcome }) => outcome.tokens?.outputTokens,
  finishedAt: ({ outcome }) => outcome.finishedAt,
  // The trace of an interrupted run gets no more entries, here as in the rows.
  trace: ({ outcome, trace }) => (outcome.code === 'interrupted' ? undefined : trace),
});

/** The attempt, if the run ends itself. */
const ATTEMPT = { name: 'ending_attempt', type: 'integer' };
const endedValues = [...ended.columns, ATTEMPT];

/** Typed, because PostgreSQL takes untyped values for texts. */
const TYPED_ROW = `(${endedValues.map(({ type }) => `CAST(? AS ${type})`).join(', ')})`;
const ROW = `(${endedValues.map(() => '?').join(', ')})`;
/** A record that waited has a trace, a first token and tokens already. */
const assigned = (name: string): string => {
  switch (name) {
    case 'trace':
      return 'COALESCE(ended.trace, executions.trace)';
    case 'first_token_ms':
      return 'COALESCE(executions.first_token_ms, ended.first_token_ms)';
    case 'input_tokens':
    case 'output_tokens':
      return `COALESCE(executions.${name} + ended.${name}, executions.${name}, ended.${name})`;
    default:
      return `ended.${name}`;
  }
};
const ASSIGNED = ended.columns
  .slice(1)
  .map(({ name }) => `${name} = ${assigned(name)}`)
  .join(', ');
const SETTLED = executionColumns.selected(['id', 'kind', 'flowId', 'chatId', 'account', 'credits', 'runId']);

/** A waiting record may be settled once more, unless it would wait again. */
const settling = textByCount(
  (count) => `WITH ended (${endedValues.map(({ name }) => name).join(', ')})
  AS (VALUES ${[TYPED_ROW, ...Array<string>(count - 1).fill(ROW)].join(', ')})
  UPDATE executions SET ${ASSIGNED}, duration_ms = CASE WHEN ended.finished_at > started_at THEN ended.finished_at - started_at ELSE 0 END, holds_turn = NULL
  FROM ended WHERE executions.id = ended.id AND (executions.status = 'running'
    OR (executions.status = 'waiting' AND ended.status <> 'waiting'))
    AND executions.attempt = COALESCE(ended.ending_attempt, executions.attempt)
  RETURNING ${SETTLED}`,
);

type SettledRow = Pick<
  ExecutionEntity,
  'id' | 'kind' | 'flowId' | 'chatId' | 'account' | 'credits' | 'runId'
>;

/** Ends running and waiting records and returns those that ended now. */
export async function updateSettled(tx: Tx, endings: readonly RecordEnding[]): Promise<SettledExecution[]> {
  if (endings.length === 0) return [];
  const values = endings.flatMap((ending) => [...ended.values(ending), ending.attempt ?? null]);
  const rows = await tx.all<SettledRow>(settling(endings.length), values);
  const outcomes = new Map(endings.map(({ executionId, outcome }) => [executionId, outcome]));
  return rows.map((row) => settledExecution(row, outcomes.get(row.id)!));
}

const settledExecution = (
  row: SettledRow,
  { status, httpStatus, code, finishedAt }: Outcome,
): SettledExecution => ({
  ...row,
  ...{ status, httpStatus, finishedAt },
  ...(code === undefined ? {} : { code }),
  runId: row.runId ?? row.id,
});
