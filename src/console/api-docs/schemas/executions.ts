import type { JsonSchema } from '../route-note.js';
import { flag, list, mapOf, maybe, number, shape, text, time } from './shape.js';

const kind = { enum: ['prediction', 'capture', 'render'] };
const status = { enum: ['running', 'succeeded', 'failed', 'aborted', 'waiting', 'rejected'] };
const tokens = shape({ inputTokens: number, outputTokens: number });

const members = {
  id: text,
  kind,
  flowId: maybe(text),
  flowName: maybe(text),
  chatId: maybe(text),
  status,
  httpStatus: maybe(number),
  'code?': text,
  'error?': { type: 'string', description: 'The sentence that the caller was told, or why the run failed.' },
  startedAt: time,
  finishedAt: maybe(time),
  durationMs: maybe(number),
  'firstTokenMs?': number,
  credits: { type: 'integer', description: 'What the call cost in the end.' },
  'refunded?': { type: 'integer', description: 'What was charged and given back.' },
  'tokens?': tokens,
  caller: shape({ address: maybe(text), 'apiKeyId?': text, 'origin?': text }),
  'failedNode?': shape({ id: text, label: text }),
  'question?': { type: 'string', description: 'In lists its first 1,000 characters.' },
  'answer?': { type: 'string', description: 'In lists its first 1,000 characters.' },
  'replayOf?': { type: 'string', description: 'The execution whose answer was given again.' },
  'resumes?': { type: 'string', description: 'The stopped execution that this call answered.' },
  'retryOf?': {
    type: 'string',
    description: 'The execution under the same `Idempotency-Key` whose run this one goes on with.',
  },
  'attempt?': { type: 'integer', description: 'Above 1 for a run that another process went on with.' },
};

const nodeRun = shape({
  runId: text,
  nodeId: text,
  label: text,
  kind: text,
  status: text,
  startedAt: time,
  durationMs: maybe({ type: 'number' }),
  input: {},
  output: {},
  'error?': {
    anyOf: [text, shape({ code: text, message: text })],
    description: 'With a code where it has one of its own, such as `effect_unknown`.',
  },
  'tokens?': tokens,
  attempt: number,
  'parent?': text,
  'flowId?': text,
});

const approval = shape({
  name: { type: 'string', description: 'What `humanInput.startNodeId` names.' },
  nodeId: text,
  nodeLabel: text,
  text: { type: 'string', description: 'What the human reads.' },
  action: { type: 'object', description: 'As chat clients draw it.' },
  askedAt: time,
  expiresAt: time,
  'decision?': { enum: ['proceed', 'reject', 'expired', 'cancelled', 'flow_deleted'] },
  'feedback?': text,
  'decidedAt?': time,
  'decidedBy?': { type: 'string', description: 'The execution whose call decided it.' },
  'by?': shape({ address: text, 'apiKeyId?': text }),
});

const milliseconds = maybe({ type: 'number' });
const figures = {
  count: number,
  credits: number,
  byStatus: mapOf(number),
  byKind: mapOf(number),
  durationMs: shape({ p50: milliseconds, p95: milliseconds }),
};

/** Answers of the routes of the execution log. */
export const executionSchemas: Readonly<Record<string, JsonSchema>> = {
  Execution: shape(members),
  ExecutionWithTrace: shape({ ...members, nodes: list(nodeRun), 'approvals?': list(approval) }),
  ExecutionStats: shape({
    from: time,
    to: time,
    by: { enum: ['minute', 'hour', 'day'] },
    complete: { type: 'boolean', description: 'False: only the newest 50,000 records were counted.' },
    totals: shape(figures),
    buckets: list(shape({ at: time, ...figures })),
  }),
  Cancelled: shape({ id: text, status, cancelled: flag }),
};
