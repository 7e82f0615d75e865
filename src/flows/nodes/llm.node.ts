import { z } from 'zod';
import type { Json } from '../engine/json.js';
import type { NodeContext, NodeKind, RunInput } from '../engine/node-kind.js';
import type { TokenUsage } from '../engine/run-event.js';
import { attachedTexts } from '../engine/run-scope.js';
import type { LanguageModel, ModelImage, ModelMessage } from '../models/language-model.js';
import type { LanguageModels } from '../models/language-models.js';
import { memoryConfig, recall } from './llm-memory.js';
import { answerSchema, parseAnswer, structuredOutput } from './structured-output.js';

const MAX_TEXT = 16 * 1024 * 1024;

export const modelConfig = z
  .object({
    provider: z
      .enum(['openai', 'openai-compatible', 'anthropic', 'google', 'mistral', 'groq', 'ollama'])
      .describe('Who serves the model.'),
    name: z.string().min(1).describe('The model, as its provider calls it.'),
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Where the provider is reached, if not at its own address. No template.'),
    credentialId: z.string().min(1).optional().describe('Id of the kept credential with the provider’s key.'),
    temperature: z.number().min(0).max(2).optional(),
    maxTokens: z.int().min(1).optional().describe('The longest answer.'),
  })
  .refine((model) => model.provider !== 'openai-compatible' || model.baseUrl !== undefined, {
    path: ['baseUrl'],
    message: 'is needed for the provider "openai-compatible"',
  });

const message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant']).describe('Who says it.'),
  content: z.string().describe('What is said; a template.'),
});

const config = z
  .object({
    model: modelConfig.optional().describe('Which model; absent: the one of DEFAULT_MODEL_NAME.'),
    messages: z.array(message).max(1_000).default([]).describe('What the model is told before the question.'),
    memory: memoryConfig.optional().describe('How much of the chat it remembers; absent: all.'),
    userMessage: z.string().optional().describe('Asked in place of the question; a template.'),
    structuredOutput: structuredOutput
      .optional()
      .describe('The members that it must answer: a list of { key, type, description }, or a JSON Schema.'),
  })
  .describe('Asks a language model and says its answer.');

type LlmConfig = z.infer<typeof config>;

/**
 * Asks a language model: the configured messages, what the chat remembers, and the user's message, which is the question
 * unless the config says otherwise. Streams its answer token by token when it is a leaf.
 */
export const llmNode = (models: LanguageModels): NodeKind<LlmConfig> => ({
  kind: 'llm',
  config,
  streams: true,
  leafText: 'own',
  rawTexts: ['model'],
  async run(context) {
    const { config, signal } = context;
    const model = await models.of(config.model);
    const remembered = await recall(config.memory ?? { kind: 'all' }, context, model, signal);
    const messages = arrange(config, context.run, remembered.messages);
    const schema = config.structuredOutput && answerSchema(config.structuredOutput);
    const { text, usage } = await answer(model, messages, schema, context);
    const json = schema === undefined ? undefined : parseAnswer(text);
    const tokens = sum(usage, remembered.usage);
    return {
      output: { content: text, ...(isObject(json) ? json : {}) },
      text,
      ...(json === undefined ? {} : { json }),
      ...(tokens === undefined ? {} : { tokens }),
      traceInput: {
        ...(config.model ? { model: { provider: config.model.provider, name: config.model.name } } : {}),
        messages: messages.map(({ role, content, images }) => ({
          role,
          content,
          ...(images?.length ? { images: images.length } : {}),
        })),
      },
    };
  },
});

/** An answer that an earlier attempt of the run had in full is told again instead of paid for again. */
async function answer(
  model: LanguageModel,
  messages: ModelMessage[],
  schema: Json | undefined,
  context: NodeContext<LlmConfig>,
): Promise<{ text: string; usage: TokenUsage | undefined }> {
  let told = false;
  const ask = async () => {
    told = true;
    const { text, usage } = await streamAnswer(model, messages, schema, context);
    return { text, ...(usage === undefined ? {} : { usage: { ...usage } }) };
  };
  const { text, usage } = await context.effects.answered('model', ask);
  if (!told) context.token(text);
  return { text, usage };
}

async function streamAnswer(
  model: LanguageModel,
  messages: ModelMessage[],
  schema: Json | undefined,
  { signal, token, thinking, isLeaf }: NodeContext<LlmConfig>,
): Promise<{ text: string; usage: TokenUsage | undefined }> {
  let text = '';
  let usage: TokenUsage | undefined;
  const request = { messages, ...(schema === undefined ? {} : { schema }) };
  for await (const event of model.stream(request, signal)) {
    if (event.type === 'text') {
      text += event.text;
      if (text.length > MAX_TEXT) throw new Error('The model answers without end. Set maxTokens.');
      token(event.text);
    } else if (event.type === 'usage') usage = event.usage;
    else if (isLeaf) thinking(event.text);
  }
  return { text, usage };
}

/** System messages first, then what the chat remembers, then the user's message with the pictures of the call. */
function arrange(config: LlmConfig, run: RunInput, remembered: readonly ModelMessage[]): ModelMessage[] {
  const written = config.messages
    .filter(({ content }) => content.trim() !== '')
    .map(({ role, content }): ModelMessage => ({ role: role === 'developer' ? 'system' : role, content }));
  const system = written.filter(({ role }) => role === 'system');
  const others = written.filter(({ role }) => role !== 'system');
  const own = config.userMessage?.trim() ? config.userMessage : undefined;
  const lastIsUser = own === undefined && others.at(-1)?.role === 'user';
  const content = own ?? (lastIsUser ? others.pop()!.content : withAttachments(run));
  const images = run.uploads.flatMap(imageOf);
  const last: ModelMessage = { role: 'user', content, ...(images.length > 0 ? { images } : {}) };
  const asks = content.trim() !== '' || images.length > 0;
  return [...system, ...remembered, ...others, ...(asks ? [last] : [])];
}

const withAttachments = ({ question, uploads }: RunInput): string =>
  [attachedTexts(uploads), question].filter((text) => text !== '').join('\n\n');

function imageOf({ mime, bytes, url }: RunInput['uploads'][number]): ModelImage[] {
  if (!mime.startsWith('image/')) return [];
  if (bytes) return [{ mime, content: bytes }];
  return url !== undefined && URL.canParse(url) ? [{ mime, content: new URL(url) }] : [];
}

const isObject = (value: Json | undefined): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sum = (one: TokenUsage | undefined, other: TokenUsage | undefined): TokenUsage | undefined =>
  one && other
    ? {
        inputTokens: one.inputTokens + other.inputTokens,
        outputTokens: one.outputTokens + other.outputTokens,
      }
    : (one ?? other);
