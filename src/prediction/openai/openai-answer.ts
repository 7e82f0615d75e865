import { startedAtIn } from '../../executions/execution-id.js';
import type { PredictionAnswer } from '../call/answer-form.js';

/** Seconds since 1970 at which the execution began. */
export const createdAt = (executionId: string): number => Math.floor(startedAtIn(executionId) / 1000);

/** The name of a thing that the run of this execution made: `chatcmpl-…`, `resp_…`. */
export const openAiId = (prefix: string, executionId: string): string =>
  prefix + executionId.replaceAll('-', '');

/** Members of an answer that OpenAI's have no place for; `metadata` as callers send it back. */
export function ownMembersOf(answer: PredictionAnswer) {
  const { chatId, executionId, warnings, action, followUpPrompts, json } = answer;
  return {
    metadata: { chat_id: chatId, execution_id: executionId },
    ...(warnings === undefined ? {} : { warnings }),
    ...(action === undefined ? {} : { action }),
    ...(followUpPrompts === undefined ? {} : { followUpPrompts }),
    ...(json === undefined ? {} : { json }),
  };
}

/** Tokens that the models of the flow took and gave: none where it asks none. */
export function tokensOf({ usage }: PredictionAnswer) {
  const { inputTokens = 0, outputTokens = 0, credits } = usage;
  return { input: inputTokens, output: outputTokens, total: inputTokens + outputTokens, credits };
}
