import { predictionAnswer } from '../../../api/predictions.js';
import {
  anyObject,
  eventsOf,
  idempotency,
  json,
  listOf,
  NOTHING,
  ref,
  resumedStream,
  type RouteNotes,
} from '../../../api/route-note.js';
import { flowDefinition } from '../../../flows/definition/flow-definition.js';
import { predictionSchema } from '../../../prediction/call/prediction-body.js';

const greeter = {
  name: 'Greeter',
  price: 1,
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'reply', kind: 'reply', config: { message: 'Hello! You said: {{question}}' } },
  ],
  edges: [{ from: 'start', to: 'reply' }],
};

const exportedEcho = {
  name: 'Echo',
  nodes: [
    { id: 'startAgentflow_0', data: { name: 'startAgentflow', inputs: { startInputType: 'chatInput' } } },
    {
      id: 'directReplyAgentflow_0',
      data: {
        name: 'directReplyAgentflow',
        inputs: { directReplyMessage: '<p>You said: {{ question }}</p>' },
      },
    },
  ],
  edges: [
    {
      source: 'startAgentflow_0',
      sourceHandle: 'startAgentflow_0-output-startAgentflow',
      target: 'directReplyAgentflow_0',
    },
  ],
};

const exportedRow = {
  id: 'echo-row',
  name: 'Echo',
  type: 'AGENTFLOW',
  flowData: JSON.stringify(exportedEcho),
};

const exportedAll = { AgentFlowV2: [{ ...exportedRow, id: 'echo-of-all' }], ChatFlow: [], Variable: [] };

const SAVED =
  'The flow; in `warnings` references to what is not there, nodes that nothing leads to, members that nobody reads.';

const warnings = { type: 'array' as const, items: ref('Warning') };

/** A flow, and in `warnings` what else there is to say of it. */
const warnedFlowSchema = {
  allOf: [ref('Flow'), { type: 'object' as const, properties: { warnings } }],
};
const warnedFlow = json(warnedFlowSchema);

/** The flows of an "export all" file. */
const importedFlows = {
  type: 'object' as const,
  required: ['flows'],
  properties: {
    flows: {
      type: 'array' as const,
      items: {
        type: 'object' as const,
        required: ['id', 'name', 'warnings'],
        properties: { id: { type: 'string' as const }, name: { type: 'string' as const }, warnings },
      },
    },
    warnings,
  },
};

/** Routes by which admins manage flows. */
export const flowNotes: RouteNotes = {
  'GET /api/v1/flows': {
    summary: 'List flows',
    answers: {
      200: { description: 'The newest first, without nodes and edges.', content: json(listOf(ref('Flow'))) },
    },
  },
  'POST /api/v1/flows': {
    summary: 'Create a flow',
    description:
      'A definition that cannot run is refused with the path of each fault. `GET /api/v1/flows/schema` has the config of every kind.',
    errors: ['invalid_flow', 'flow_exists'],
    body: { json: flowDefinition, examples: { greeter } },
    answers: { 200: { description: SAVED, content: warnedFlow } },
  },
  'GET /api/v1/flows/schema': {
    summary: 'Read the JSON Schema of a flow definition',
    answers: { 200: { description: 'With the config of every kind of node.', content: json(anyObject) } },
  },
  'POST /api/v1/flows/import': {
    summary: 'Import flows of Flowise',
    description:
      'An AgentFlow V2 export, a row of its API (`{ flowData, name, id, … }`) or the “export all” file of its dashboard, with `models` and `onConflict` beside its members if wished, or `{ name?, id?, models?, onConflict?, export }`. `models` is `{ "<model class>" | "*": model }`: what to ask instead of the models of the export. A row has its own id, name and settings. A node that cannot run here is kept as a placeholder; `warnings` names each, counted as in the export. Where a flow with an id is here, nothing is imported (409), unless `onConflict` is `replace` (its definition; settings, values of variables and credentials stay) or `copy` (under a new id).',
    errors: ['invalid_flow', 'flow_exists'],
    body: { json: anyObject, examples: { echo: exportedEcho, row: exportedRow, exportAll: exportedAll } },
    answers: {
      200: {
        description:
          'The flow, and in `warnings` what was not carried over; for an “export all” file each flow so, and in its own `warnings` what the file held beside them.',
        content: json({ anyOf: [warnedFlowSchema, importedFlows] }),
      },
    },
  },
  'POST /api/v1/flows/check': {
    summary: 'Check a definition',
    description:
      'What it would be refused for, each with its path; and, where it would be saved, what in it is probably not meant. Nothing is kept.',
    body: { json: flowDefinition, examples: { greeter } },
    answers: {
      200: {
        description: 'No `errors`: it can be saved.',
        content: json({
          type: 'object',
          properties: {
            errors: {
              type: 'array',
              items: {
                type: 'object',
                properties: { path: { type: 'string' }, message: { type: 'string' } },
                required: ['path', 'message'],
              },
            },
            warnings,
          },
          required: ['errors', 'warnings'],
        }),
      },
    },
  },
  'GET /api/v1/flows/{id}': {
    summary: 'Read a flow',
    headers: ['If-None-Match'],
    errors: ['not_found'],
    answers: {
      200: { description: 'The whole definition.', headers: ['ETag'], content: json(ref('Flow')) },
      304: { description: 'The caller has this revision already.', headers: ['ETag'] },
    },
  },
  'PUT /api/v1/flows/{id}': {
    summary: 'Replace a flow',
    headers: ['If-Match'],
    errors: ['invalid_flow', 'not_found', 'flow_changed'],
    body: { json: flowDefinition, examples: { greeter } },
    answers: { 200: { description: SAVED, content: warnedFlow } },
  },
  'DELETE /api/v1/flows/{id}': {
    summary: 'Delete a flow',
    description:
      'Its runs that wait for a human end as `failed`, `flow_deleted`, those that have not begun as `aborted`, `flow_deleted`; both are refunded. Runs under way go on to their end.',
    headers: ['If-Match'],
    errors: ['invalid_request', 'not_found', 'flow_changed'],
    answers: NOTHING,
  },
  'POST /api/v1/flows/{flowId}/run': {
    summary: 'Run a flow from the console',
    description:
      'Body and answer of a prediction, without key, domain or rate limit; charged and recorded like any other run.',
    headers: idempotency.headers,
    errors: [
      ...idempotency.errors,
      'not_found',
      'insufficient_credit',
      'session_busy',
      'already_decided',
      'question_too_long',
      'aborted',
      'flow_failed',
      'shutting_down',
    ],
    body: { json: predictionSchema, examples: { message: { question: 'Hello', chatId: 'console' } } },
    answers: {
      200: {
        description: 'The answer.',
        content: { ...json(predictionAnswer), ...eventsOf('PredictionEvent') },
      },
    },
  },
  'GET /api/v1/flows/{flowId}/run/stream': {
    summary: 'Resume the stream of a run from the console',
    description:
      'As `GET /api/v1/prediction/{flowId}/stream`, for the admin key: also where the flow wants a key of its own.',
    ...resumedStream,
  },
};
