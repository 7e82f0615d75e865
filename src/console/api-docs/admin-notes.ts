import { flowDefinition } from '../../flows/definition/flow-definition.js';
import { predictionSchema } from '../../prediction/prediction-body.js';
import { BYTES, EVENTS, json, listOf, NOTHING, ref, type RouteNotes } from './route-note.js';

const anyObject = { type: 'object' };
const SECRET = 'the-key-of-the-provider';

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

/** What admins call: flows, keys, credit, blocks, executions, credentials, assets. */
export const adminNotes: RouteNotes = {
  'GET /api/v1/flows': {
    summary: 'Flows',
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
    answers: { 200: { description: 'The flow.', content: json(ref('Flow')) } },
  },
  'GET /api/v1/flows/schema': {
    summary: 'JSON Schema of a definition',
    answers: { 200: { description: 'With the config of every kind of node.', content: json(anyObject) } },
  },
  'POST /api/v1/flows/import': {
    summary: 'Import a Flowise AgentFlow V2 export',
    description:
      'The export itself, with `name` and `id` beside its nodes if wished, or `{ name?, id?, export }`. An export with nodes that cannot run here is refused; `errors` names each of them, counted as in the export.',
    errors: ['invalid_flow', 'flow_exists'],
    body: { json: anyObject, examples: { echo: exportedEcho } },
    answers: {
      200: {
        description: 'The flow, and in `warnings` what was not carried over.',
        content: json(ref('Flow')),
      },
    },
  },
  'GET /api/v1/flows/{id}': {
    summary: 'A flow',
    errors: ['not_found'],
    answers: { 200: { description: 'The whole definition.', content: json(ref('Flow')) } },
  },
  'PUT /api/v1/flows/{id}': {
    summary: 'Replace a flow',
    errors: ['invalid_flow', 'not_found'],
    body: { json: flowDefinition, examples: { greeter } },
    answers: { 200: { description: 'The flow.', content: json(ref('Flow')) } },
  },
  'DELETE /api/v1/flows/{id}': { summary: 'Delete a flow', errors: ['not_found'], answers: NOTHING },
  'POST /api/v1/flows/{flowId}/run': {
    summary: 'Run a flow from the console',
    description:
      'Body and answer of a prediction, without key, domain or rate limit; charged and recorded like any other run.',
    headers: ['Idempotency-Key'],
    errors: [
      'not_found',
      'insufficient_credit',
      'session_busy',
      'question_too_long',
      'flow_failed',
      'shutting_down',
    ],
    body: { json: predictionSchema, examples: { message: { question: 'Hello', chatId: 'console' } } },
    answers: {
      200: { description: 'The answer.', content: { ...json(ref('PredictionAnswer')), ...EVENTS } },
    },
  },
  'GET /api/v1/api-keys': {
    summary: 'API keys',
    answers: { 200: { description: 'Without the keys themselves.', content: json(listOf(ref('ApiKey'))) } },
  },
  'POST /api/v1/api-keys': {
    summary: 'Make an API key',
    description: 'The only answer that ever shows the key. Attach it to a flow with `access.apiKeyId`.',
    body: { examples: { website: { name: 'Website' } } },
    answers: { 200: { description: 'The key.', content: json(ref('NewApiKey')) } },
  },
  'DELETE /api/v1/api-keys/{id}': { summary: 'Revoke an API key', errors: ['not_found'], answers: NOTHING },
  'GET /api/v1/credentials': {
    summary: 'Credentials',
    answers: { 200: { description: 'Never what they hold.', content: json(listOf(ref('Credential'))) } },
  },
  'POST /api/v1/credentials': {
    summary: 'Keep a credential',
    description:
      'Encrypted at rest and never given back. Nodes name it by `credentialId`; a model takes the kind `api-key`.',
    body: {
      examples: {
        provider: { name: 'Model provider', kind: 'api-key', data: { apiKey: SECRET } },
        basic: { name: 'Archive', kind: 'basic', data: { username: 'service', password: SECRET } },
        header: { name: 'Property register', kind: 'header', data: { name: 'X-Api-Key', value: SECRET } },
      },
    },
    answers: { 200: { description: 'The credential.', content: json(ref('Credential')) } },
  },
  'PUT /api/v1/credentials/{id}': {
    summary: 'Replace a credential',
    errors: ['not_found'],
    body: { examples: { provider: { name: 'Model provider', kind: 'api-key', data: { apiKey: SECRET } } } },
    answers: { 200: { description: 'The credential.', content: json(ref('Credential')) } },
  },
  'DELETE /api/v1/credentials/{id}': {
    summary: 'Delete a credential',
    description: 'Flows that still name it fail when they need it.',
    errors: ['not_found'],
    answers: NOTHING,
  },
  'GET /api/v1/credit/{account}': {
    summary: 'The balance of an account',
    answers: { 200: { description: 'Whole credits.', content: json(ref('Balance')) } },
  },
  'POST /api/v1/credit/{account}/top-ups': {
    summary: 'Top up an account',
    description: 'The same reference twice is one top-up.',
    body: { examples: { invoice: { amount: 500, reference: 'invoice-2026-11' } } },
    answers: { 200: { description: 'The entry and the balance of now.', content: json(ref('Balance')) } },
  },
  'GET /api/v1/credit/{account}/entries': {
    summary: 'The ledger of an account',
    answers: { 200: { description: 'The newest first.', content: json(listOf(ref('LedgerEntry'))) } },
  },
  'GET /api/v1/address-blocks': {
    summary: 'Blocked addresses',
    answers: { 200: { description: 'Those blocked now.', content: json(listOf(ref('AddressBlock'))) } },
  },
  'DELETE /api/v1/address-blocks/{address}': {
    summary: 'Lift a block',
    errors: ['not_found'],
    answers: NOTHING,
  },
  'GET /api/v1/executions': {
    summary: 'Search the execution log',
    description: 'Every call to prediction, capture and render, also the refused ones.',
    answers: { 200: { description: 'The newest first.', content: json(listOf(ref('Execution'))) } },
  },
  'GET /api/v1/executions/stream': {
    summary: 'Executions, live',
    answers: { 200: { description: 'Each record when it begins and when it ends.', content: EVENTS } },
  },
  'GET /api/v1/executions/export': {
    summary: 'Export the execution log',
    answers: {
      200: { description: 'One record a line.', content: { 'application/x-ndjson': { type: 'string' } } },
    },
  },
  'GET /api/v1/executions/stats': {
    summary: 'Figures for charts',
    answers: { 200: { description: 'Counts by hour or day.', content: json(anyObject) } },
  },
  'GET /api/v1/executions/{id}': {
    summary: 'An execution with its trace',
    errors: ['not_found'],
    answers: {
      200: { description: 'The record and the run of every node.', content: json(ref('ExecutionWithTrace')) },
    },
  },
  'POST /api/v1/executions/{id}/cancel': {
    summary: 'Stop a running execution',
    errors: ['not_found'],
    answers: { 200: { description: 'What became of it.', content: json(anyObject) } },
  },
  'DELETE /api/v1/executions/{id}': { summary: 'Delete a record', errors: ['not_found'], answers: NOTHING },
  'POST /api/v1/pdf/reports/{id}/redraw': {
    summary: 'Draw a report again',
    description: 'The same bytes, which also mends a file that was lost.',
    errors: ['not_found'],
    answers: { 200: { description: 'The report.', content: json(anyObject) } },
  },
  'POST /api/v1/assets': {
    summary: 'Upload a logo',
    description: 'Answers the id that `meta.logo` names; the same picture again has the same id.',
    errors: ['invalid_request', 'body_too_large', 'unsupported_media_type'],
    body: {
      json: {
        type: 'object',
        required: ['data'],
        properties: { data: { type: 'string', description: 'A data URI.' } },
      },
      multipart: { type: 'object', properties: { file: BYTES } },
      examples: {
        logo: {
          data: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAMAAADz0U65AAAAA1BMVEUiVYi4HA1XAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWNgoA4AAABIAAF7pRHIAAAAAElFTkSuQmCC',
        },
      },
    },
    answers: { 200: { description: 'The asset.', content: json(anyObject) } },
  },
  'GET /health/live': {
    summary: 'The process runs',
    answers: { 200: { description: 'It does.', content: json(anyObject) } },
  },
  'GET /health/ready': {
    summary: 'Requests are served',
    errors: ['shutting_down'],
    answers: { 200: { description: 'They are.', content: json(anyObject) } },
  },
  'GET /metrics': {
    summary: 'Figures for Prometheus',
    answers: { 200: { description: 'Text format.', content: { 'text/plain': { type: 'string' } } } },
  },
};
