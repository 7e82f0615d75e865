import type { PredictionAnswer, PredictionEvent } from '../../api/predictions.js';
import type { ServiceError } from '../../common/service-error.js';
import type { AnswerForm, PredictionEnding, StreamForm } from '../call/answer-form.js';
import { createdAt, openAiId, ownMembersOf, tokensOf } from './openai-answer.js';
import { openAiErrorOf } from './openai-errors.js';

/** Answers with a response, or with its events (contract section 12). */
export const responseForm = (model: string, previous: string | null): AnswerForm => ({
  route: ' openai/responses',
  async: false,
  streamsAlways: true,
  body: (answer) => completed(baseOf(model, previous, answer.executionId), answer),
  stream: (executionId) => new ResponseEvents(baseOf(model, previous, executionId), executionId),
});

type Base = ReturnType<typeof baseOf>;

/** Returns the members of a response that never change. */
const baseOf = (model: string, previous: string | null, executionId: string) => ({
  id: openAiId('resp_', executionId),
  object: 'response',
  created_at: createdAt(executionId),
  model,
  previous_response_id: previous,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  parallel_tool_calls: false,
  temperature: null,
  top_p: null,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  truncation: 'disabled',
  store: true,
  metadata: {},
});

const completed = (base: Base, answer: PredictionAnswer) => ({
  ...base,
  status: 'completed',
  output: [itemOf(base.id, 'completed', [partOf(answer.text)])],
  usage: usageOf(answer),
  ...ownMembersOf(answer),
});

const failed = (base: Base, error: ServiceError, executionId: string) => ({
  ...base,
  status: 'failed',
  output: [],
  usage: null,
  error: openAiErrorOf(error, executionId),
});

const itemOf = (responseId: string, status: string, content: readonly object[]) => ({
  id: responseId.replace('resp_', 'msg_'),
  type: 'message',
  status,
  role: 'assistant',
  content,
});

const partOf = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });

function usageOf(answer: PredictionAnswer) {
  const { input, output, total, credits } = tokensOf(answer);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: total,
    credits,
  };
}

/** The events of one response, numbered from 0. */
class ResponseEvents implements StreamForm {
  readonly resumes = false;
  private readonly place: object;
  private next = 0;

  constructor(
    private readonly base: Base,
    private readonly executionId: string,
  ) {
    this.place = { item_id: itemOf(base.id, '', []).id, output_index: 0, content_index: 0 };
  }

  frame({ event, data }: PredictionEvent): string | undefined {
    if (event === 'agentFlowEvent') return this.opening();
    if (event !== 'token') return undefined;
    return this.event('response.output_text.delta', { ...this.place, delta: data, logprobs: [] });
  }

  closing(): string[] {
    return [];
  }

  /** Repeats the text in each event of a successful end, as OpenAI does. */
  *rest(ending: PredictionEnding): Iterable<string> {
    if ('error' in ending) {
      const response = failed(this.base, ending.error, this.executionId);
      yield this.event('response.failed', { response });
      return;
    }
    const { answer } = ending;
    const part = partOf(answer.text);
    const item = itemOf(this.base.id, 'completed', [part]);
    yield this.event('response.output_text.done', { ...this.place, text: answer.text, logprobs: [] });
    yield this.event('response.content_part.done', { ...this.place, part });
    yield this.event('response.output_item.done', { output_index: 0, item });
    yield this.event('response.completed', { response: completed(this.base, answer) });
  }

  private opening(): string {
    const response = { ...this.base, status: 'in_progress', output: [], usage: null };
    return [
      this.event('response.created', { response }),
      this.event('response.in_progress', { response }),
      this.event('response.output_item.added', {
        output_index: 0,
        item: itemOf(this.base.id, 'in_progress', []),
      }),
      this.event('response.content_part.added', { ...this.place, part: partOf('') }),
    ].join('');
  }

  private event(type: string, members: object): string {
    const data = { type, sequence_number: this.next++, ...members };
    return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
  }
}
