import { z } from 'zod';
import { faultsOf } from '../../common/plain-faults.js';
import { InvalidRequest } from '../../common/service-error.js';
import { Warnings } from '../../common/warnings.js';
import { predictionSchema } from '../call/prediction-body.js';
import type { ReadCall } from '../http/prediction-reader.js';
import { MOST_MESSAGES, sentMetadata } from './chat-completion-body.js';
import { readConversation, type SentMessage } from './conversation.js';
import { insistsOnTool, NO_TOOLS, predictionOf, warnOfSettings } from './prediction-members.js';
import type { PreviousResponse } from './previous-responses.js';
import { responseForm } from './response-form.js';

const item = z.looseObject({
  type: z.string().nullish(),
  role: z.enum(['system', 'developer', 'user', 'assistant']).nullish(),
});

const absent = (sentence: string) => z.null(sentence).optional();

/** The body of `POST /responses`. Other members are ignored. */
export const responseBody = z.object({
  model: z.string(),
  input: z.union(
    [z.string(), z.array(item).min(1).max(MOST_MESSAGES)],
    'must be a text or a list of messages',
  ),
  stream: z.boolean().nullish(),
  metadata: sentMetadata,
  previous_response_id: z.string().nullish(),
  instructions: z.unknown().optional(),
  background: z
    .literal(false, 'must be false: send the call to /prediction with Prefer: respond-async')
    .nullish(),
  conversation: absent('is not supported: name the chat in metadata.chat_id'),
  prompt: absent('is not supported: a flow has its own'),
  store: z.boolean().nullish(),
  tools: z.array(z.unknown()).nullish(),
  tool_choice: z
    .unknown()
    .refine((choice) => !insistsOnTool(choice), NO_TOOLS)
    .optional(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
  overrideConfig: predictionSchema.shape.overrideConfig,
  humanInput: predictionSchema.shape.humanInput,
});

/** A checked request for a response. */
export type ResponseRequest = z.infer<typeof responseBody>;

/** Checks a request. Throws 400 with the path of each fault. */
export function checkResponseRequest(value: unknown): ResponseRequest {
  const parsed = responseBody.safeParse(value);
  if (!parsed.success) throw new InvalidRequest(faultsOf(parsed.error));
  return parsed.data;
}

/** Reads a request for a response of this flow. Throws 400 with the path of each fault, 413 `question_too_long`. */
export function readResponseRequest(
  given: ResponseRequest,
  flowId: string,
  previous: PreviousResponse | undefined,
): ReadCall {
  const { metadata, stream, tools, text, store, overrideConfig, humanInput } = given;
  const named = metadata?.chat_id ?? undefined;
  if (previous && named !== undefined && named !== previous.chatId)
    throw new InvalidRequest([
      { path: 'metadata.chat_id', message: 'names another chat than that of previous_response_id' },
    ]);
  const chatId = previous?.chatId ?? named;
  const warnings = new Warnings();
  const asked = readConversation(messagesIn(given), {
    member: 'input',
    remembers: chatId !== undefined,
    warnings,
  });
  const isFormatted = (text?.format?.type ?? 'text') !== 'text';
  const settings = { tools: (tools?.length ?? 0) > 0, 'text.format': isFormatted, store: store === false };
  warnOfSettings(settings, warnings);
  const body = predictionOf(asked, { chatId, streaming: stream === true, overrideConfig, humanInput });
  const after = previous === undefined ? {} : { after: previous.executionId };
  const form = responseForm(flowId, given.previous_response_id ?? null);
  return { body: { ...body, ...after }, form, warnings: warnings.list() };
}

function messagesIn({ input, instructions }: ResponseRequest): SentMessage[] {
  const instructed = instructions !== undefined && instructions !== null && instructions !== '';
  return [
    ...(instructed ? [{ role: 'system', content: instructions, path: 'instructions' }] : []),
    ...(typeof input === 'string'
      ? [{ role: 'user', content: input, path: 'input', contentPath: 'input' }]
      : input.map(({ type, role, content }, index) => ({
          role: (type ?? 'message') === 'message' ? (role ?? '') : '',
          content,
          path: `input.${index}`,
        }))),
  ];
}
