import type { PredictionAnswer } from '../../api/predictions.js';
import { startedAtIn } from '../../executions/execution-id.js';

/** Returns the start of an execution in seconds since 1970. */
export const createdAt = (executionId: string): number => Math.floor(startedAtIn(executionId) / 1000);

/** Returns OpenAI's id of a result of this execution: `chatcmpl-…`, `resp_…`. */
export const openAiId = (prefix: string, executionId: string): string =>
  prefix + executionId.replaceAll('-', '');

/** Returns members of an answer that OpenAI's answers lack, with `metadata` as callers send it back. */
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

/** Returns the tokens of the flow's models; 0 without models. */
export function tokensOf({ usage }: PredictionAnswer) {
  const { inputTokens = 0, outputTokens = 0, credits } = usage;
  return { input: inputTokens, output: outputTokens, total: inputTokens + outputTokens, credits };
}
