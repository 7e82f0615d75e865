import { chatCompletion, openAiModels, openAiResponse } from '../../../api/openai.js';
import { EVENT_STREAM, idempotency, json, type RouteNotes } from '../../../api/route-note.js';
import { chatCompletionBody } from '../../../prediction/openai/chat-completion-body.js';
import { responseBody } from '../../../prediction/openai/response-body.js';

const RUN_ERRORS = [
  ...idempotency.errors,
  'question_too_long',
  'session_busy',
  'quota_exceeded',
  'already_decided',
  'insufficient_credit',
  'aborted',
  'flow_failed',
  'shutting_down',
] as const;

const headers = [...idempotency.headers, 'X-Share-Link'] as const;

const SAME =
  'The same run as `POST /prediction/{flowId}`: the same checks, price and record. Errors have the form of OpenAI, with the codes of this service.';

const own = {
  metadata: '`chat_id`: the chat that the service remembers. Other members are ignored.',
  overrideConfig: 'As on a prediction.',
  humanInput: 'As on a prediction: answers the `action` of an earlier answer of this chat.',
};

const model = 'inspection-assistant';

/** Flows as models of OpenAI's clients. */
export const openAiNotes: RouteNotes = {
  'GET /api/v1/openai/models': {
    summary: 'List the flows that can be used as models',
    description:
      'Those that the key of the call opens, and open ones that say `openai`. A key that opens nothing is 401.',
    access: 'any-key',
    errors: ['address_blocked', 'invalid_api_key'],
    answers: { 200: { description: 'The models.', content: json(openAiModels) } },
  },
  'POST /api/v1/openai/chat/completions': {
    summary: 'Run a flow as an OpenAI chat completion',
    description: `${SAME} \`model\` is the id of the flow, the last message of the user the question. With \`stream\` the answer is chunks and \`[DONE]\`; an error after the stream opened is a \`data:\` line with \`error\`, and nothing after it.`,
    headers,
    errors: RUN_ERRORS,
    body: {
      json: chatCompletionBody,
      members: {
        ...own,
        messages: 'What was said; of earlier messages the texts are the memory of the call.',
      },
      examples: {
        message: { model, messages: [{ role: 'user', content: 'Hello' }] },
        chat: {
          model,
          metadata: { chat_id: 'my-first-inspection' },
          messages: [{ role: 'user', content: 'Hello' }],
        },
      },
    },
    answers: {
      200: {
        description: 'The answer.',
        headers: ['X-Request-Id'],
        content: { ...json(chatCompletion), ...EVENT_STREAM },
      },
    },
  },
  'POST /api/v1/openai/responses': {
    summary: 'Run a flow as an OpenAI response',
    description: `${SAME} \`previous_response_id\` goes on from any earlier response of the same flow and key (on an open flow, address), as long as its record is kept. With \`stream\` the answer is the events of a response.`,
    headers,
    errors: RUN_ERRORS,
    body: {
      json: responseBody,
      members: own,
      examples: { message: { model, input: 'Hello' } },
    },
    answers: {
      200: {
        description: 'The answer.',
        headers: ['X-Request-Id'],
        content: { ...json(openAiResponse), ...EVENT_STREAM },
      },
    },
  },
};
