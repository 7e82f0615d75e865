import { ref, type JsonSchema } from '../../../api/route-note.js';
import { list, maybe, number, shape, text } from './shape.js';

/** Members that OpenAI's answers have no place for. */
const own = {
  metadata: shape({ chat_id: text, execution_id: text }),
  'warnings?': list(ref('Warning')),
  'action?': {},
  'followUpPrompts?': { type: 'string', description: 'JSON text of an array.' },
  'json?': {},
};

const NULL = { type: 'null' };

const part = shape({
  type: { const: 'output_text' },
  text,
  annotations: list({}),
  logprobs: list({}),
});

/** Answers and errors as OpenAI's clients read them. */
export const openAiSchemas: Readonly<Record<string, JsonSchema>> = {
  OpenAiModels: shape({
    object: { const: 'list' },
    data: list(shape({ id: text, object: { const: 'model' }, created: number, owned_by: text, name: text })),
  }),
  ChatCompletion: shape({
    id: text,
    object: { const: 'chat.completion' },
    created: number,
    model: text,
    choices: list(
      shape({
        index: { const: 0 },
        message: shape({ role: { const: 'assistant' }, content: text, refusal: NULL }),
        logprobs: NULL,
        finish_reason: { const: 'stop' },
      }),
    ),
    usage: shape({
      prompt_tokens: number,
      completion_tokens: number,
      total_tokens: number,
      credits: number,
    }),
    ...own,
  }),
  OpenAiResponse: shape({
    id: text,
    object: { const: 'response' },
    created_at: number,
    model: text,
    status: { enum: ['completed', 'failed', 'in_progress'] },
    previous_response_id: maybe(text),
    error: NULL,
    incomplete_details: NULL,
    instructions: NULL,
    max_output_tokens: NULL,
    parallel_tool_calls: { const: false },
    temperature: NULL,
    top_p: NULL,
    text: shape({ format: shape({ type: { const: 'text' } }) }),
    tool_choice: { const: 'auto' },
    tools: list({}),
    truncation: { const: 'disabled' },
    store: { const: true },
    output: list(
      shape({
        id: text,
        type: { const: 'message' },
        status: { const: 'completed' },
        role: { const: 'assistant' },
        content: list(part),
      }),
    ),
    usage: shape({
      input_tokens: number,
      input_tokens_details: shape({ cached_tokens: number }),
      output_tokens: number,
      output_tokens_details: shape({ reasoning_tokens: number }),
      total_tokens: number,
      credits: number,
    }),
    ...own,
  }),
  OpenAiError: shape({
    error: shape({
      message: { ...text, description: 'A sentence that says what to do next.' },
      type: text,
      param: { ...maybe(text), description: 'Where the first fault stands, such as `messages.0.content`.' },
      code: { ...text, description: 'As in `Problem`.' },
      'executionId?': text,
      'errors?': list(shape({ path: text, message: text })),
      'failedNode?': shape({ id: text, label: text }),
    }),
  }),
};
