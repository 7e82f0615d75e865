import { z } from 'zod';
import type { Tokens } from '../../../api/executions.js';
import type { Warning } from '../../../common/warnings.js';
import type { NodeContext } from '../../engine/node-kind.js';
import type { LanguageModel, ModelMessage } from '../../models/language-model.js';
import { askModel } from '../../models/model-answer.js';

export const memoryConfig = z.object({
  kind: z
    .enum(['all', 'window', 'summary', 'none'])
    .describe('The whole chat, its last turns, a summary with the last turns, or nothing.'),
  size: z
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Turns (a question with its answer) that are sent in full, for window and summary.'),
});

export type MemoryConfig = z.infer<typeof memoryConfig>;

interface Remembered {
  messages: ModelMessage[];
  usage?: Tokens;
}

const WINDOW_TURNS = 20;
const SUMMARY_TURNS = 4;
/** Characters of the newest older messages that are summarised. */
const SUMMARISED_CHARACTERS = 60_000;

const MEMORY_CUT: Warning = {
  code: 'memory_cut',
  message: 'The chat is longer than the memory of a call. Its oldest messages were left out.',
};

/** Returns the earlier messages of the chat for a model, oldest first. */
export async function recall(
  { kind, size }: MemoryConfig,
  { run, effects, warn }: Pick<NodeContext<unknown>, 'run' | 'effects' | 'warn'>,
  model: LanguageModel,
  signal: AbortSignal,
): Promise<Remembered> {
  const history = (limit?: number) => run.history(limit, () => warn(MEMORY_CUT));
  switch (kind) {
    case 'none':
      return { messages: [] };
    case 'window':
      return { messages: await history((size ?? WINDOW_TURNS) * 2) };
    case 'summary':
      return summarise(await history(), (size ?? SUMMARY_TURNS) * 2, (request) =>
        effects.answered('summary', () => askOnce(model, request, signal)),
      );
    default:
      return { messages: await history() };
  }
}

type Summary = { text: string; usage?: { inputTokens: number; outputTokens: number } };

async function summarise(
  history: ModelMessage[],
  recent: number,
  ask: (request: string) => Promise<Summary>,
): Promise<Remembered> {
  const older = history.slice(0, -recent);
  if (older.length === 0) return { messages: history };
  const conversation = older.map(({ role, content }) => `${role}: ${content}`).join('\n');
  const { text, usage } = await ask(
    'Summarise the conversation below in at most ten sentences. Keep names, numbers, decisions and open questions.\n\n' +
      conversation.slice(-SUMMARISED_CHARACTERS),
  );
  const summary: ModelMessage = { role: 'user', content: `Summary of our conversation so far: ${text}` };
  return { messages: [summary, ...history.slice(-recent)], ...(usage === undefined ? {} : { usage }) };
}

async function askOnce(model: LanguageModel, request: string, signal: AbortSignal): Promise<Summary> {
  const answer = await askModel(model, { messages: [{ role: 'user', content: request }] }, signal);
  return { text: answer.text, ...(answer.usage === undefined ? {} : { usage: answer.usage }) };
}
