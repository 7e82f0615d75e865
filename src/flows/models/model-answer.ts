import type { Json } from '../engine/json.js';
import type { FinishReason, LanguageModel, ModelMessage, ModelRequest } from './language-model.js';
import { ModelError } from './model-error.js';
import type { ToolCall } from './tool-call.js';

/** A whole answer as plain JSON for the journal. */
export type ModelAnswer = {
  text: string;
  toolCalls: ToolCall[];
  finishReason: FinishReason;
  /** The model's words when it declined to answer. */
  refusal?: string;
  usage?: { inputTokens: number; outputTokens: number };
  echo?: Json;
};

/** Listens to an answer while it arrives. */
export interface AnswerListener {
  text?(text: string): void;
  thinking?(text: string): void;
}

const MAX_TEXT = 16 * 1024 * 1024;

/** Asks a model, passes the pieces to the listener, and returns the whole answer. Rejects like `LanguageModel.ask`. */
export async function askModel(
  model: LanguageModel,
  request: ModelRequest,
  signal: AbortSignal,
  listener: AnswerListener = {},
): Promise<ModelAnswer> {
  const answer: ModelAnswer = { text: '', toolCalls: [], finishReason: 'other' };
  await model.ask(request, signal, (event) => {
    if (event.type === 'text') {
      answer.text += event.text;
      if (answer.text.length > MAX_TEXT)
        throw new ModelError('endless', 'The answer of the model is too long. Set maxTokens.');
      listener.text?.(event.text);
    } else if (event.type === 'thinking') listener.thinking?.(event.text);
    else if (event.type === 'tool-call') answer.toolCalls.push(event.call);
    else if (event.type === 'refusal') answer.refusal = (answer.refusal ?? '') + event.text;
    else if (event.type === 'usage') answer.usage = { ...event.usage };
    else if (event.type === 'echo') answer.echo = event.echo;
    else answer.finishReason = event.reason;
  });
  return answer;
}

/** Returns an answer as a message of the conversation. */
export const answerMessage = ({ text, toolCalls, echo }: ModelAnswer): ModelMessage => ({
  role: 'assistant',
  content: text,
  ...(toolCalls.length > 0 ? { toolCalls } : {}),
  ...(echo === undefined ? {} : { echo }),
});

/** Returns the result of a tool call as a message, or with `failed` the reason why it could not be carried out. */
export const resultMessage = ({ id, name }: ToolCall, content: string, failed = false): ModelMessage => ({
  role: 'tool',
  callId: id,
  toolName: name,
  content,
  ...(failed ? { failed } : {}),
});
