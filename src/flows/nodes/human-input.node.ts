import { z } from 'zod';
import type { Tokens } from '../../api/executions.js';
import type { Json } from '../engine/json.js';
import type { NodeContext, NodeKind } from '../engine/node-kind.js';
import type { ModelMessage } from '../models/language-model.js';
import type { LanguageModels } from '../models/language-models.js';
import { askModel } from '../models/model-answer.js';
import { modelConfig } from './asking/model-config.js';

const config = z
  .object({
    message: z
      .string()
      .min(1)
      .describe('The question to the human; with messageFrom "model", the instruction for a model.'),
    messageFrom: z
      .enum(['text', 'model'])
      .default('text')
      .describe(
        '"text": the message is the question; "model": a model writes the question from the conversation.',
      ),
    model: modelConfig
      .optional()
      .describe('The model that writes the question; absent: that of DEFAULT_MODEL_NAME.'),
    feedback: z.boolean().default(false).describe('Whether the human may add a comment.'),
  })
  .describe('Pauses the run until a human decides: branch "0" (proceed) or "1" (reject).');

type HumanInputConfig = z.infer<typeof config>;

const PROCEED = '0';
const REJECT = '1';

/** Asks a human and takes the branch of the decision (contract section 9). The text is the comment, else the decision. */
export const humanInputNode = (models: LanguageModels): NodeKind<HumanInputConfig> => ({
  kind: 'human-input',
  label: 'Human input',
  icon: 'person',
  config,
  streams: true,
  leafText: 'own',
  outputMembers: () => ['decision', 'feedback'],
  persists: () => ({ state: false }),
  rawTexts: ['model'],
  branches: () => [PROCEED, REJECT],
  async run(context) {
    const { answer, config } = context;
    if (answer) {
      const feedback = config.feedback ? (answer.feedback ?? '') : '';
      const proceeds = answer.type === 'proceed';
      return {
        output: { decision: answer.type, feedback },
        text: feedback || (proceeds ? 'Proceed' : 'Reject'),
        branches: [proceeds ? PROCEED : REJECT],
      };
    }
    const { text, usage } = await messageOf(context, models);
    return {
      output: { question: text },
      text,
      approval: { feedback: config.feedback },
      ...(usage === undefined ? {} : { tokens: usage }),
    };
  },
});

type Worded = { text: string; usage?: Tokens };

/** Returns the question; one that a model wrote in an earlier attempt is reused. */
async function messageOf(context: NodeContext<HumanInputConfig>, models: LanguageModels): Promise<Worded> {
  const { config, run, input, signal, effects } = context;
  if (config.messageFrom === 'text') return { text: config.message };
  const model = models.model(config.model);
  const messages: ModelMessage[] = [
    { role: 'system', content: config.message },
    ...(await run.history()),
    { role: 'user', content: [run.question, previousText(input)].filter((text) => text !== '').join('\n\n') },
  ];
  return effects.answered('message', async () => {
    const { text, usage } = await askModel(model, { messages }, signal);
    return { text, ...(usage === undefined ? {} : { usage }) };
  });
}

/** Returns the output of the node before it, for a model to ask about. */
function previousText(input: Json | undefined): string {
  if (input === undefined || input === null) return '';
  const content = typeof input === 'object' && !Array.isArray(input) ? input['content'] : undefined;
  const text =
    typeof content === 'string' ? content : typeof input === 'string' ? input : JSON.stringify(input);
  return `What was prepared:\n${text}`;
}
