import { z } from 'zod';
import {
  DECISIONS,
  EXECUTION_KINDS,
  EXECUTION_STATUSES,
  NODE_STATUSES,
  type NodeStatus,
  STATS_UNITS,
} from './execution-terms.js';
import { anyJson, event, timestamp } from './shapes.js';

const kind = z.enum(EXECUTION_KINDS);
const status = z.enum(EXECUTION_STATUSES);
export const tokens = z.strictObject({ inputTokens: z.int(), outputTokens: z.int() });
export type Tokens = z.infer<typeof tokens>;

const presentedKey = z.strictObject({ id: z.string(), name: z.string(), revoked: z.boolean() });
export type PresentedKey = z.infer<typeof presentedKey>;

/** The record of a call, without its trace. Unknown members are absent or null. */
export const execution = z
  .strictObject({
    id: z.string(),
    kind,
    flowId: z.string().nullable(),
    flowName: z.string().nullable(),
    flowVersion: z
      .union([z.int(), z.literal('draft')])
      .exactOptional()
      .describe('The version of the flow that was called, which its run keeps.'),
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
    presentedKey: presentedKey
      .nullable()
      .exactOptional()
      .describe('With a 401: the key of this service that the call presented, or null.'),
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
export type ExecutionEvent = z.infer<typeof executionEvent>;

const nodeRun = z.strictObject({
  runId: z
    .string()
    .describe('Unique within the execution, also for each run of one node (loop, iteration, retry).'),
  nodeId: z.string(),
  label: z.string(),
  kind: z.string(),
  status: z.enum(Object.keys(NODE_STATUSES) as NodeStatus[]),
  startedAt: timestamp,
  durationMs: z.number().nullable(),
  input: z.unknown(),
  output: z.unknown(),
  error: z
    .union([z.string(), z.strictObject({ code: z.string(), message: z.string() })])
    .exactOptional()
    .describe('An object if it has a code of its own, such as `effect_unknown`.'),
  tokens: tokens.exactOptional(),
  attempt: z.int().describe('Counts the runs of this node in the execution, from 1.'),
  parent: z
    .string()
    .exactOptional()
    .describe('The run of the iteration, loop, sub-flow or agent that it belongs to.'),
  flowId: z.string().exactOptional().describe('The flow of the node, if it is not the flow of the record.'),
});
export type NodeTrace = z.infer<typeof nodeRun>;

/** A node run as it is traced. Instants are epoch milliseconds. */
export interface TracedNode extends Omit<NodeTrace, 'startedAt' | 'durationMs' | 'output' | 'error'> {
  startedAt: number;
  durationMs?: number;
  output?: unknown;
  error?: string;
  /** The code of an error that has its own, such as `effect_unknown`. */
  errorCode?: string;
}

const toolCall = z.strictObject({ tool: z.string(), arguments: anyJson });
/** A tool call that waits for approval, by the name of the tool in the flow. */
export type ProposedCall = z.infer<typeof toolCall>;

/** The question of an approval in the form of Flowise's clients: two buttons, and a form for a comment. */
export const approvalAction = z.strictObject({
  id: z.string(),
  mapping: z.strictObject({ approve: z.string(), reject: z.string() }),
  elements: z.array(z.strictObject({ type: z.string(), label: z.string() })),
  data: z.strictObject({
    nodeId: z.string().describe('The value that `humanInput.startNodeId` takes.'),
    nodeLabel: z.string(),
    input: z.strictObject({
      humanInputEnableFeedback: z.boolean(),
      calls: z.array(toolCall).exactOptional().describe('The calls of tools to approve.'),
    }),
  }),
});
export type ApprovalAction = z.infer<typeof approvalAction>;

const approval = z.strictObject({
  name: z.string().describe('The value that `humanInput.startNodeId` takes.'),
  nodeId: z.string(),
  nodeLabel: z.string(),
  text: z.string().describe('The question, as the human reads it.'),
  action: approvalAction.describe('As chat clients draw it.'),
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

const attention = z.strictObject({
  cause: z.string().describe('The code of the refusal or failure.'),
  count: z.int(),
  flowId: z.string().exactOptional(),
  account: z.string().exactOptional(),
  origin: z.string().exactOptional().describe('With `domain_not_allowed`: the page that called.'),
  since: timestamp.describe('The first of them.'),
  sample: z.string().describe('The id of the latest of them.'),
});
export type Attention = z.infer<typeof attention>;

export const executionStats = z
  .strictObject({
    from: timestamp,
    to: timestamp,
    by: z.enum(STATS_UNITS),
    complete: z.boolean().describe('False: only the newest 50,000 records were counted.'),
    totals: figures,
    buckets: z.array(figures.extend({ at: timestamp })).describe('Those without a record are left out.'),
    attention: z
      .array(attention)
      .describe(
        'Refusals and failures by cause, most frequent first; of the last 24 hours unless `from` is sent.',
      ),
  })
  .meta({ id: 'ExecutionStats' });
export type ExecutionCharts = z.infer<typeof executionStats>;

/** The answer to a request to cancel. `cancelled` is false if the execution had already ended. */
export const cancelled = z
  .strictObject({ id: z.string(), status, cancelled: z.boolean() })
  .meta({ id: 'Cancelled' });
export type Cancelled = z.infer<typeof cancelled>;
