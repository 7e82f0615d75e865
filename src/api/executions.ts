import { z } from 'zod';
import { DECISIONS, EXECUTION_KINDS, EXECUTION_STATUSES, STATS_UNITS } from './execution-terms.js';
import { event, timestamp } from './shapes.js';

const kind = z.enum(EXECUTION_KINDS);
const status = z.enum(EXECUTION_STATUSES);
const tokens = z.strictObject({ inputTokens: z.int(), outputTokens: z.int() });
export type Tokens = z.infer<typeof tokens>;

/** The record of a call, without its trace. Unknown members are absent or null. */
export const execution = z
  .strictObject({
    id: z.string(),
    kind,
    flowId: z.string().nullable(),
    flowName: z.string().nullable(),
    chatId: z.string().nullable(),
    status,
    httpStatus: z.int().nullable(),
    code: z.string().exactOptional(),
    error: z.string().exactOptional().describe('The sentence in the answer, or why the run failed.'),
    startedAt: timestamp,
    finishedAt: timestamp.nullable(),
    durationMs: z.int().nullable(),
    firstTokenMs: z.int().exactOptional(),
    credits: z.int().describe('The final price of the call.'),
    refunded: z.int().exactOptional().describe('The refunded part of the charge.'),
    tokens: tokens.exactOptional(),
    caller: z.strictObject({
      address: z.string().nullable(),
      apiKeyId: z.string().exactOptional(),
      origin: z.string().exactOptional(),
    }),
    failedNode: z.strictObject({ id: z.string(), label: z.string() }).exactOptional(),
    question: z.string().exactOptional().describe('In lists its first 1,000 characters.'),
    answer: z.string().exactOptional().describe('In lists its first 1,000 characters.'),
    replayOf: z.string().exactOptional().describe('The execution whose answer was returned again.'),
    resumes: z.string().exactOptional().describe('The stopped execution that this call answered.'),
    retryOf: z
      .string()
      .exactOptional()
      .describe('The execution under the same `Idempotency-Key` whose run this one resumes.'),
    attempt: z.int().exactOptional().describe('Above 1 for a run that another process resumed.'),
  })
  .meta({ id: 'Execution' });
export type ExecutionRecord = z.infer<typeof execution>;

/** One `data:` line of the stream of records. */
export const executionEvent = event('execution', execution).meta({ id: 'ExecutionEvent' });

const nodeRun = z.strictObject({
  runId: z.string(),
  nodeId: z.string(),
  label: z.string(),
  kind: z.string(),
  status: z.string(),
  startedAt: timestamp,
  durationMs: z.number().nullable(),
  input: z.unknown(),
  output: z.unknown(),
  error: z
    .union([z.string(), z.strictObject({ code: z.string(), message: z.string() })])
    .exactOptional()
    .describe('An object if it has a code of its own, such as `effect_unknown`.'),
  tokens: tokens.exactOptional(),
  attempt: z.int(),
  parent: z.string().exactOptional().describe('The run of the node that it belongs to.'),
  flowId: z.string().exactOptional().describe('The flow of the node, if it is not the flow of the record.'),
});
export type NodeTrace = z.infer<typeof nodeRun>;

/** Members of `action` that the pages read. Chat clients draw the whole. */
interface DrawnAction {
  data: { input?: { humanInputEnableFeedback?: boolean; calls?: { tool: string; arguments: unknown }[] } };
}

const approval = z.strictObject({
  name: z.string().describe('The value that `humanInput.startNodeId` takes.'),
  nodeId: z.string(),
  nodeLabel: z.string(),
  text: z.string().describe('The question, as the human reads it.'),
  action: z.custom<DrawnAction>((value) => typeof value === 'object').describe('As chat clients draw it.'),
  askedAt: timestamp,
  expiresAt: timestamp,
  decision: z.enum(DECISIONS).exactOptional(),
  feedback: z.string().exactOptional(),
  decidedAt: timestamp.exactOptional(),
  decidedBy: z.string().exactOptional().describe('The execution whose call decided it.'),
  by: z.strictObject({ address: z.string(), apiKeyId: z.string().exactOptional() }).exactOptional(),
});
export type Approval = z.infer<typeof approval>;

export const executionWithTrace = execution
  .extend({ nodes: z.array(nodeRun), approvals: z.array(approval).exactOptional() })
  .meta({ id: 'ExecutionWithTrace' });
export type ExecutionWithTrace = z.infer<typeof executionWithTrace>;

const figures = z.strictObject({
  count: z.int(),
  credits: z.int(),
  byStatus: z.partialRecord(status, z.int()),
  byKind: z.partialRecord(kind, z.int()),
  durationMs: z.strictObject({ p50: z.number().nullable(), p95: z.number().nullable() }),
});
export type ExecutionFigures = z.infer<typeof figures>;

export const executionStats = z
  .strictObject({
    from: timestamp,
    to: timestamp,
    by: z.enum(STATS_UNITS),
    complete: z.boolean().describe('False: only the newest 50,000 records were counted.'),
    totals: figures,
    buckets: z.array(figures.extend({ at: timestamp })).describe('Those without a record are left out.'),
  })
  .meta({ id: 'ExecutionStats' });
export type ExecutionCharts = z.infer<typeof executionStats>;

/** The answer to a request to cancel. `cancelled` is false if the execution had already ended. */
export const cancelled = z
  .strictObject({ id: z.string(), status, cancelled: z.boolean() })
  .meta({ id: 'Cancelled' });
export type Cancelled = z.infer<typeof cancelled>;
