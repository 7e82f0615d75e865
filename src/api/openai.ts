import { z } from 'zod';
import { problem } from './problem.js';
import { warning } from './warnings.js';

/** This service's own members in answers of OpenAI's form. */
const own = {
  metadata: z.strictObject({ chat_id: z.string(), execution_id: z.string() }),
  warnings: z.array(warning).exactOptional(),
  action: z.unknown().exactOptional(),
  followUpPrompts: z.string().exactOptional().describe('JSON text of an array.'),
  json: z.unknown().exactOptional(),
};

const part = z.strictObject({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.unknown()),
  logprobs: z.array(z.unknown()),
});

export const openAiModels = z
  .strictObject({
    object: z.literal('list'),
    data: z.array(
      z.strictObject({
        id: z.string(),
        object: z.literal('model'),
        created: z.int(),
        owned_by: z.string(),
        name: z.string(),
      }),
    ),
  })
  .meta({ id: 'OpenAiModels' });
export type OpenAiModelsView = z.infer<typeof openAiModels>;

export const chatCompletion = z
  .strictObject({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z.strictObject({
        index: z.literal(0),
        message: z.strictObject({ role: z.literal('assistant'), content: z.string(), refusal: z.null() }),
        logprobs: z.null(),
        finish_reason: z.literal('stop'),
      }),
    ),
    usage: z.strictObject({
      prompt_tokens: z.int(),
      completion_tokens: z.int(),
      total_tokens: z.int(),
      credits: z.int(),
    }),
    ...own,
  })
  .meta({ id: 'ChatCompletion' });

export const openAiResponse = z
  .strictObject({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.int(),
    model: z.string(),
    status: z.enum(['completed', 'failed', 'in_progress']),
    previous_response_id: z.string().nullable(),
    error: z.null(),
    incomplete_details: z.null(),
    instructions: z.null(),
    max_output_tokens: z.null(),
    parallel_tool_calls: z.literal(false),
    temperature: z.null(),
    top_p: z.null(),
    text: z.strictObject({ format: z.strictObject({ type: z.literal('text') }) }),
    tool_choice: z.literal('auto'),
    tools: z.array(z.unknown()),
    truncation: z.literal('disabled'),
    store: z.literal(true),
    output: z.array(
      z.strictObject({
        id: z.string(),
        type: z.literal('message'),
        status: z.literal('completed'),
        role: z.literal('assistant'),
        content: z.array(part),
      }),
    ),
    usage: z.strictObject({
      input_tokens: z.int(),
      input_tokens_details: z.strictObject({ cached_tokens: z.int() }),
      output_tokens: z.int(),
      output_tokens_details: z.strictObject({ reasoning_tokens: z.int() }),
      total_tokens: z.int(),
      credits: z.int(),
    }),
    ...own,
  })
  .meta({ id: 'OpenAiResponse' });

export const openAiError = z
  .strictObject({
    error: z.strictObject({
      message: z.string().describe('A sentence that says what to do next.'),
      type: z.string(),
      param: z.string().nullable().describe('Where the first fault stands, such as `messages.0.content`.'),
      code: z.string().describe('As in `Problem`.'),
      executionId: z.string().exactOptional(),
      errors: problem.shape.errors,
      decided: problem.shape.decided,
      failedNode: problem.shape.failedNode,
    }),
  })
  .meta({ id: 'OpenAiError' });
