import type { Warning } from '../../../common/warnings.js';
import type { ModelAnswer } from '../../models/model-answer.js';
import { ModelError } from '../../models/model-error.js';

/** The text of an answer that ends the rounds. Throws with a sentence where the model said nothing, or declined to answer in the form that was asked for. */
export function lastWords(
  { text, refusal, finishReason }: ModelAnswer,
  structured: boolean,
  warn: (warning: Warning) => void,
): string {
  if (refusal !== undefined && refusal.trim() !== '') {
    if (structured)
      throw new ModelError('declined', `The model declined to answer: ${refusal.slice(0, 1_000)}`);
    return text + refusal;
  }
  if (text.trim() === '')
    throw new Error(
      finishReason === 'content-filter'
        ? 'The provider of the model withheld its answer (content filter).'
        : finishReason === 'length'
          ? 'The model used up maxTokens before it said anything. Raise maxTokens.'
          : 'The model answered nothing: neither words nor a call of a tool.',
    );
  if (finishReason === 'length' || finishReason === 'content-filter')
    warn({
      code: 'answer_cut',
      message:
        finishReason === 'length'
          ? 'The answer of the model ends where maxTokens cut it.'
          : 'The answer of the model ends where its provider cut it (content filter).',
    });
  return text;
}
