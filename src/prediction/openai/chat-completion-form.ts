import type { PredictionAnswer, PredictionEvent } from '../../api/predictions.js';
import type { AnswerForm, PredictionEnding, StreamForm } from '../call/answer-form.js';
import { createdAt, openAiId, ownMembersOf, tokensOf } from './openai-answer.js';
import { openAiErrorOf } from './openai-errors.js';

/** Answers with a chat completion or its chunks (contract section 12). */
export const chatCompletionForm = (model: string, reportsUsage: boolean): AnswerForm => ({
  route: ' openai/chat/completions',
  async: false,
  streamsAlways: true,
  body: (answer) => ({
    id: openAiId('chatcmpl-', answer.executionId),
    object: 'chat.completion',
    created: createdAt(answer.executionId),
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: answer.text, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: usageOf(answer),
    ...ownMembersOf(answer),
  }),
  stream: (executionId) => new Chunks(model, executionId, reportsUsage),
});

function usageOf(answer: PredictionAnswer) {
  const { input, output, total, credits } = tokensOf(answer);
  return { prompt_tokens: input, completion_tokens: output, total_tokens: total, credits };
}

/** The chunks of an answer. */
class Chunks implements StreamForm {
  readonly resumes = false;
  private readonly head: object;

  constructor(
    model: string,
    private readonly executionId: string,
    private readonly reportsUsage: boolean,
  ) {
    const object = 'chat.completion.chunk';
    this.head = { id: openAiId('chatcmpl-', executionId), object, created: createdAt(executionId), model };
  }

  frame({ event, data }: PredictionEvent): string | undefined {
    switch (event) {
      case 'agentFlowEvent':
        return this.delta({ role: 'assistant', content: '' }, null);
      case 'token':
        return this.delta({ content: data }, null);
      default:
        return undefined;
    }
  }

  closing(ending: PredictionEnding): string[] {
    // Without [DONE], because a broken answer must not look complete.
    if ('error' in ending) return [lineOf({ error: openAiErrorOf(ending.error, this.executionId) })];
    const { answer } = ending;
    const last = { ...this.head, choices: [choiceOf({}, 'stop')], ...this.usage(), ...ownMembersOf(answer) };
    const usage = { ...this.head, choices: [], usage: usageOf(answer) };
    return [lineOf(last), ...(this.reportsUsage ? [lineOf(usage)] : []), 'data: [DONE]\n\n'];
  }

  private delta(delta: object, finish: string | null): string {
    return lineOf({ ...this.head, choices: [choiceOf(delta, finish)], ...this.usage() });
  }

  /** Every chunk before the last has `usage: null`, if usage is reported at the end. */
  private usage(): object {
    return this.reportsUsage ? { usage: null } : {};
  }
}

const choiceOf = (delta: object, finish: string | null) => ({
  index: 0,
  delta,
  logprobs: null,
  finish_reason: finish,
});

const lineOf = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
