import { ref, type JsonSchema } from '../../../api/route-note.js';
import { flowDefinition } from '../../../flows/definition/flow-definition.js';
import { metaSchema } from '../../../inspection/report/meta-schema.js';
import { schemaOf } from './body-schema.js';
import { inspectionSchemas } from './inspections.js';
import { openAiSchemas } from './openai.js';
import { flag, list, number, shape, text, time } from './shape.js';

/** Beside what the service says of a flow stands its definition; in lists without nodes and edges. */
const definition = schemaOf(flowDefinition);

const flow = shape({
  id: text,
  name: text,
  price: number,
  account: text,
  access: { type: 'object' },
  revision: text,
  isStreaming: flag,
  createdAt: time,
  updatedAt: time,
});

const renderMembers = { id: text, executionId: text, startedAt: time };

const printStep = shape({ longSide: number, quality: number });

const reducedTo = {
  ...printStep,
  description:
    'Where pictures were stepped down for `maxBytes`: the most pixels of their long side, and the JPEG quality. A picture that is no smaller in bytes so is printed as it was recorded.',
};

const fileMembers = { id: text, filename: text, url: text, bytes: number, pages: number, sha256: text };

/** The answers of routes, by the names that the description uses. */
export const answerSchemas: Readonly<Record<string, JsonSchema>> = {
  ...inspectionSchemas,
  ...openAiSchemas,
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
  Pack: shape({
    parts: list(shape({ n: number, filename: text, bytes: number, sha256: text, url: text })),
  }),
  RenderedReport: shape({
    file: shape({ ...fileMembers, photographs: number, 'reducedTo?': reducedTo }),
    'edition?': { type: 'integer', minimum: 2, description: 'Of a further edition.' },
    'replaces?': { type: 'string', description: 'The id of the report that the edition replaces.' },
    'preview?': { const: true, description: 'Drawn as if: `claimed` would be, and the file lives an hour.' },
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
  DetailsOfReport: shape({ id: text, details: metaSchema }),
  RedrawnReport: shape({
    file: shape({ ...fileMembers, photographs: number, 'reducedTo?': reducedTo }),
    claimed: number,
    outstandingAreas: list(text),
    warnings: list(ref('Warning')),
    'delivery?': ref('Delivery'),
    'edition?': number,
    'replaces?': text,
    executionId: text,
    identical: { type: 'boolean', description: 'The bytes are those of before. If not, nothing was kept.' },
  }),
  Asset: shape({ id: text, width: number, height: number, bytes: number }),
  AcceptedRun: shape({ executionId: text, status: { const: 'running' } }),
  AsyncRun: shape({
    status: { enum: ['running', 'waiting', 'succeeded', 'failed', 'aborted'] },
    'answer?': ref('PredictionAnswer'),
    'error?': ref('Problem'),
  }),
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
      'attached?': {
        ...shape({ bytes: number, sha256: text, reducedTo: printStep }),
        description:
          'The file in the mail, where that is a mail edition: the same report with smaller pictures, made because the report itself is too large to attach.',
      },
      'code?': { const: 'public_url_not_configured' },
      'error?': text,
      'sentAt?': time,
    }),
  }),
  PastReport: shape({
    ...fileMembers,
    photographs: number,
    'reducedTo?': reducedTo,
    'maxBytes?': { ...number, description: 'The size into which it was asked to fit.' },
    sessionId: text,
    date: time,
    outstandingAreas: list(text),
    warnings: list(ref('Warning')),
    'delivery?': ref('Delivery'),
    executionId: text,
    edition: { type: 'integer', minimum: 1 },
    'replaces?': { type: 'string', description: 'The report that this edition replaces.' },
    'reason?': { type: 'string', description: 'Why there is this edition.' },
    'replacedBy?': { type: 'string', description: 'The report of the next edition.' },
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
  Flow: {
    ...flow,
    properties: {
      ...(definition['properties'] as Record<string, JsonSchema>),
      ...(flow['properties'] as object),
    },
  },
};
