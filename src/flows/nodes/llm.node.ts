import { z } from 'zod';
import { isJsonObject } from '../engine/json.js';
import type { NodeKind } from '../engine/node-kind.js';
import type { LanguageModels } from '../models/language-models.js';
import { recall } from './asking/memory.js';
import { arrange, modelNodeConfig, notShown, tracedMessage } from './asking/messages.js';
import { modelConfig } from './asking/model-config.js';
import { sayAnswer, sayStructured, summed } from './asking/node-answer.js';
import { answerSchema, structuredOutput, withAnswerMembers } from './asking/structured-output.js';

const config = z
  .object({
    model: modelConfig.optional().describe('The model; absent: that of DEFAULT_MODEL_NAME.'),
    ...modelNodeConfig,
    structuredOutput: structuredOutput
      .optional()
      .describe('The members of the answer: a list of { key, type, description }, or a JSON Schema.'),
  })
  .describe('Asks a language model and returns its answer.');

type LlmConfig = z.infer<typeof config>;

/**
 * Sends the configured messages, the chat's memory and the user's message (the question by default) to a language model. A
 * leaf streams the answer token by token, a structured one as a whole.
 */
export const llmNode = (models: LanguageModels): NodeKind<LlmConfig> => ({
  kind: 'llm',
  label: 'Language model',
  icon: 'sparkle',
  config,
  streams: true,
  leafText: 'own',
  outputMembers: ({ structuredOutput: wanted }) => withAnswerMembers(['content'], wanted),
  persists: () => ({ state: false }),
  rawTexts: ['model'],
  async run(context) {
    const { config, signal } = context;
    const model = models.model(config.model);
    const remembered = await recall(config.memory ?? { kind: 'all' }, context, model, signal);
    const messages = arrange(config, context.run, remembered.messages);
    context.warn(...notShown(context.run.uploads));
    const schema = config.structuredOutput && answerSchema(config.structuredOutput);
    const { text, usage, json } = await (schema === undefined
      ? sayAnswer(model, messages, context)
      : sayStructured(model, messages, schema, context));
    const tokens = summed(usage, remembered.usage);
    return {
      output: { content: text, ...(isJsonObject(json) ? json : {}) },
      text,
      ...(json === undefined ? {} : { json }),
      ...(tokens === undefined ? {} : { tokens }),
      traceInput: {
        ...(config.model ? { model: { provider: config.model.provider, name: config.model.name } } : {}),
        messages: messages.map(tracedMessage),
      },
    };
  },
});
