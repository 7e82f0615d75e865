import { ref, type JsonSchema } from './route-note.js';

const text = { type: 'string' };
const number = { type: 'integer' };
const time = { type: 'string', format: 'date-time' };
const maybe = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

/** An object whose members are all there, but for those whose name ends in `?`. */
function shape(members: Record<string, JsonSchema>): JsonSchema {
  const names = Object.keys(members);
  return {
    type: 'object',
    required: names.filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(names.map((name) => [name.replace('?', ''), members[name]!])),
  };
}

const executionMembers = {
  id: text,
  kind: { enum: ['prediction', 'capture', 'render'] },
  flowId: maybe(text),
  flowName: maybe(text),
  chatId: maybe(text),
  status: { enum: ['running', 'succeeded', 'failed', 'aborted', 'waiting', 'rejected'] },
  httpStatus: maybe(number),
  'code?': text,
  startedAt: time,
  finishedAt: maybe(time),
  durationMs: maybe(number),
  'firstTokenMs?': number,
  credits: { type: 'integer', description: 'What the call cost in the end.' },
  'refunded?': { type: 'integer', description: 'What was charged and given back.' },
  caller: { type: 'object' },
};

const ledgerEntry = shape({
  id: text,
  kind: { enum: ['top_up', 'charge', 'refund'] },
  amount: number,
  balanceAfter: number,
  executionId: maybe(text),
  reference: maybe(text),
  at: time,
});

const renderMembers = { id: text, executionId: text, startedAt: time };

const fileMembers = { id: text, filename: text, url: text, bytes: number, pages: number, sha256: text };

/** What routes answer, by the names that the description uses. */
export const answerSchemas: Readonly<Record<string, JsonSchema>> = {
  PredictionAnswer: shape({
    text,
    'json?': {},
    question: text,
    chatId: text,
    chatMessageId: text,
    sessionId: text,
    executionId: text,
    'action?': {},
    'followUpPrompts?': { type: 'string', description: 'JSON text of an array.' },
    usage: shape({ credits: number, 'inputTokens?': number, 'outputTokens?': number }),
    'warnings?': list(ref('Warning')),
    'agentFlowExecutedData?': {},
  }),
  CaptureAnswer: shape({
    sessionId: text,
    area: maybe(text),
    areaType: maybe({ enum: ['room', 'external', 'service'] }),
    recorded: list(
      shape({
        id: text,
        index: number,
        sha256: text,
        bytes: number,
        width: number,
        height: number,
        capturedAt: time,
        source: { enum: ['captureTs', 'server'] },
        'sameContentAs?': text,
      }),
    ),
    duplicates: list(shape({ index: number, id: text, messageId: text })),
    rejected: list(shape({ index: number, code: text, message: text })),
    warnings: list(ref('Warning')),
    session: shape({
      pending: number,
      currentArea: maybe(text),
      areas: list(shape({ area: text, areaType: text, photographs: number, remarks: number })),
      outstandingAreas: list(text),
    }),
    executionId: text,
  }),
  RenderedReport: shape({
    file: shape({ ...fileMembers, photographs: number }),
    claimed: number,
    outstandingAreas: list(text),
    warnings: list(ref('Warning')),
    'delivery?': ref('Delivery'),
    executionId: text,
  }),
  RenderAnswer: {
    anyOf: [
      ref('RenderedReport'),
      shape({
        file: { type: 'null' },
        reason: { enum: ['nothing_pending', 'render_in_progress'] },
        previousReports: list(shape({ id: text, filename: text, date: time, 'url?': text })),
      }),
    ],
  },
  AcceptedRender: shape({ id: text, status: { const: 'running' }, executionId: text }),
  RenderStatus: {
    anyOf: [
      shape({ ...renderMembers, status: { const: 'running' }, progress: ref('RenderProgress') }),
      shape({ ...renderMembers, status: { const: 'succeeded' }, result: ref('RenderedReport') }),
      shape({
        ...renderMembers,
        status: { const: 'failed' },
        error: shape({ code: text, message: text }),
      }),
    ],
  },
  RenderProgress: {
    anyOf: [
      shape({ phase: { const: 'waiting' } }),
      shape({ phase: { const: 'drawing' }, page: number, pages: number, photographs: number }),
    ],
  },
  Delivery: shape({
    email: shape({
      to: list(text),
      status: { enum: ['queued', 'sending', 'sent', 'failed'] },
      as: { enum: ['attachment', 'link'] },
      attempts: number,
      'code?': { const: 'public_url_not_configured' },
      'error?': text,
      'sentAt?': time,
    }),
  }),
  PastReport: shape({
    ...fileMembers,
    photographs: number,
    sessionId: text,
    date: time,
    outstandingAreas: list(text),
    warnings: list(ref('Warning')),
    'delivery?': ref('Delivery'),
    executionId: text,
  }),
  Warning: {
    ...shape({
      code: { type: 'string', description: 'Stable, snake_case.' },
      message: { type: 'string', description: 'A whole sentence.' },
      'path?': { type: 'string', description: 'Its place in what was sent; of equal ones the first.' },
      'suggestion?': { type: 'string', description: 'The nearest known name, where one was not understood.' },
      'count?': { type: 'integer', description: 'How often it was met, where more than once.' },
    }),
    description: 'Something worth knowing of a call that went well. Equal ones are told once.',
  },
  ChatMessage: shape({
    id: { type: 'string', description: '`chatMessageId` of an answer.' },
    role: { enum: ['user', 'assistant'] },
    content: text,
    createdAt: time,
    executionId: text,
    'uploads?': list(shape({ type: text, name: text, mime: text })),
  }),
  Execution: shape(executionMembers),
  ExecutionWithTrace: shape({
    ...executionMembers,
    nodes: list(shape({ nodeId: text, label: text, kind: text, status: text, startedAt: time })),
  }),
  Flow: shape({
    id: text,
    name: text,
    price: number,
    account: text,
    access: { type: 'object' },
    revision: text,
    isStreaming: { type: 'boolean' },
    createdAt: time,
    updatedAt: time,
  }),
  ApiKey: shape({ id: text, name: text, createdAt: time, lastUsedAt: maybe(time) }),
  NewApiKey: shape({ id: text, name: text, key: { type: 'string', description: 'Shown once.' } }),
  Credential: shape({ id: text, name: text, kind: text, createdAt: time, updatedAt: time }),
  Balance: shape({ account: text, balance: number }),
  LedgerEntry: ledgerEntry,
  ToppedUp: shape({
    account: text,
    balance: number,
    entry: ledgerEntry,
    repeated: { type: 'boolean', description: 'The reference was known: nothing was added.' },
  }),
  RateLimitUse: shape({
    flowId: text,
    flowName: text,
    caller: shape({ 'apiKeyId?': text, 'apiKeyName?': maybe(text), 'address?': text }),
    used: number,
    limit: number,
    windowSeconds: number,
    freeAt: time,
  }),
  AddressBlock: shape({ address: text, blockedAt: time, blockedUntil: time }),
};
