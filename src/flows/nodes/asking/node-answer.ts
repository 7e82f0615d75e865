import type { Tokens } from '../../../api/executions.js';
import type { Warning } from '../../../common/warnings.js';
import type { Json } from '../../engine/json.js';
import type { NodeContext } from '../../engine/node-kind.js';
import type { FinishReason, LanguageModel, ModelMessage } from '../../models/language-model.js';
import { askModel, type AnswerListener } from '../../models/model-answer.js';
import { ModelError } from '../../models/model-error.js';
import { readStructured } from './structured-reading.js';

/** A model's answer for a node. */
type NodeAnswer = { text: string; usage?: Tokens; json?: Json };
type StoredAnswer = {
  text: string;
  usage?: { inputTokens: number; outputTokens: number };
  refusal?: string;
  finishReason?: FinishReason;
};
type Asking = Pick<NodeContext<unknown>, 'effects' | 'signal' | 'isLeaf' | 'token' | 'thinking' | 'warn'>;

/**
 * Streams a model's answer token by token. The stored answer of an earlier attempt is emitted instead of asking again. A
 * refusal is part of the text.
 */
export async function sayAnswer(
  model: LanguageModel,
  messages: readonly ModelMessage[],
  context: Asking,
): Promise<NodeAnswer> {
  let streamed = 0;
  const listener: AnswerListener = {
    ...thoughtsOf(context),
    text: (text) => {
      streamed += text.length;
      context.token(text);
    },
  };
  const answer = await storedAnswer('model', model, { messages }, context, listener);
  const { text, usage, refusal = '', finishReason } = answer;
  context.warn(...cutWarnings(finishReason));
  const whole = text + refusal;
  if (whole.length > streamed) context.token(whole.slice(streamed));
  return { text: whole, ...(usage === undefined ? {} : { usage }) };
}

/**
 * Returns an answer that fits the schema, and emits it as a whole after the check, because tokens cannot be taken back. An
 * answer that does not fit is requested once more with its faults. Throws `ModelError` when the second does not fit either,
 * or the model declines.
 */
export async function sayStructured(
  model: LanguageModel,
  messages: readonly ModelMessage[],
  schema: Json,
  context: Asking,
): Promise<NodeAnswer> {
  const first = await storedAnswer('model', model, { messages, schema }, context, thoughtsOf(context));
  let [answer, read] = [first, await readStructured(given(first), schema)];
  if ('fault' in read) {
    const withRepair = [...messages, ...repairOf(first.text, read.fault)];
    const second = await storedAnswer(
      'repair',
      model,
      { messages: withRepair, schema },
      context,
      thoughtsOf(context),
    );
    read = await readStructured(given(second), schema);
    const usage = summed(first.usage, second.usage);
    answer = { text: second.text, ...(usage === undefined ? {} : { usage }) };
  }
  if ('fault' in read) throw new ModelError('unreadable', faultSentence(read.fault));
  context.token(answer.text);
  return {
    text: answer.text,
    json: read.json,
    ...(answer.usage === undefined ? {} : { usage: answer.usage }),
  };
}

/** Returns a warning for an answer that ends too early. */
export function cutWarnings(reason: FinishReason | undefined): Warning[] {
  if (reason !== 'length' && reason !== 'content-filter') return [];
  const message =
    reason === 'length'
      ? 'The answer of the model was cut off at maxTokens.'
      : 'The answer of the model was cut off by its provider (content filter).';
  return [{ code: 'answer_cut', message }];
}

function given({ text, refusal }: StoredAnswer): string {
  if (refusal !== undefined)
    throw new ModelError('declined', `The model declined to answer: ${refusal.slice(0, 1_000)}`);
  return text;
}

export const faultSentence = (fault: string): string =>
  `The model did not answer with the JSON that structuredOutput requires, nor when it was asked again: ${fault.slice(0, 1_000)}.`;

/** Returns the messages that ask the model once more. */
export const repairOf = (text: string, fault: string): ModelMessage[] => [
  { role: 'assistant', content: text },
  {
    role: 'user',
    content: `Your answer does not have the form that was asked for: ${fault}. Answer again, with the JSON object alone.`,
  },
];

async function storedAnswer(
  name: string,
  model: LanguageModel,
  request: { messages: readonly ModelMessage[]; schema?: Json },
  { effects, signal }: Asking,
  listener: AnswerListener,
): Promise<StoredAnswer> {
  return effects.answered(name, async () => {
    const { text, usage, refusal, finishReason } = await askModel(model, request, signal, listener);
    return {
      ...{ text, finishReason },
      ...(usage === undefined ? {} : { usage }),
      ...(refusal === undefined ? {} : { refusal }),
    };
  });
}

const thoughtsOf = ({ isLeaf, thinking }: Asking): AnswerListener => (isLeaf ? { thinking } : {});

/** Returns the sum of two counts; undefined when there are none. */
export const summed = (
  one: Tokens | undefined,
  other: Tokens | undefined,
): NodeAnswer['usage'] & StoredAnswer['usage'] =>
  one && other
    ? {
        inputTokens: one.inputTokens + other.inputTokens,
        outputTokens: one.outputTokens + other.outputTokens,
      }
    : (one ?? other) && { ...(one ?? other)! };
