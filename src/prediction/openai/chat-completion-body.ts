import { z } from 'zod';
import { faultsOf } from '../../common/plain-faults.js';
import { InvalidRequest } from '../../common/service-error.js';
import { sentIdentifier } from '../../common/texts/identifier.js';
import { Warnings } from '../../common/warnings.js';
import { predictionSchema } from '../call/prediction-body.js';
import type { ReadCall } from '../http/prediction-reader.js';
import { chatCompletionForm } from './chat-completion-form.js';
import { readConversation } from './conversation.js';
import { insistsOnTool, NO_TOOLS, predictionOf, warnOfSettings } from './prediction-members.js';

/** Most messages; beyond it the caller should let the service remember the chat. */
export const MOST_MESSAGES = 10_000;

const list = z.array(z.unknown()).nullish();

export const sentMetadata = z.looseObject({ chat_id: sentIdentifier.nullish() }).nullish();

const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
});

/** The body of `POST /chat/completions`. Other members are ignored. */
export const chatCompletionBody = z.object({
  model: z.string(),
  messages: z.array(message).min(1).max(MOST_MESSAGES),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  metadata: sentMetadata,
  n: z.literal(1, 'must be 1: a flow gives one answer').nullish(),
  modalities: z.array(z.literal('text', 'must be text: a flow answers with a text')).nullish(),
  tools: list,
  functions: list,
  tool_choice: z
    .unknown()
    .refine((choice) => !insistsOnTool(choice), NO_TOOLS)
    .optional(),
  function_call: z
    .unknown()
    .refine((choice) => !insistsOnTool(choice), NO_TOOLS)
    .optional(),
  response_format: z.looseObject({ type: z.string() }).nullish(),
  overrideConfig: predictionSchema.shape.overrideConfig,
  humanInput: predictionSchema.shape.humanInput,
});

/** Reads the body of a chat completion for this flow. Throws 400 with the path of each fault, 413 `question_too_long`. */
export function readChatCompletion(value: unknown, flowId: string): ReadCall {
  const parsed = chatCompletionBody.safeParse(value);
  if (!parsed.success) throw new InvalidRequest(faultsOf(parsed.error));
  const { messages, metadata, stream, stream_options: options, ...given } = parsed.data;
  const chatId = metadata?.chat_id ?? undefined;
  const warnings = new Warnings();
  const sent = messages.map(({ role, content }, index) => ({ role, content, path: `messages.${index}` }));
  const asked = readConversation(sent, { member: 'messages', remembers: chatId !== undefined, warnings });
  const format = given.response_format?.type ?? 'text';
  warnOfSettings(
    { tools: holds(given.tools), functions: holds(given.functions), response_format: format !== 'text' },
    warnings,
  );
  const { overrideConfig, humanInput } = given;
  const body = predictionOf(asked, { chatId, streaming: stream === true, overrideConfig, humanInput });
  const form = chatCompletionForm(flowId, options?.include_usage === true);
  return { body, form, warnings: warnings.list() };
}

const holds = (items: readonly unknown[] | null | undefined): boolean => (items?.length ?? 0) > 0;
