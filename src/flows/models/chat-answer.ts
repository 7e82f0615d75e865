import { isJsonObject, type Json } from '../engine/json.js';
import { type ChatChunk, choiceOf, textsOf } from './chat-chunk.js';
import type { FinishReason, ModelEvent } from './language-model.js';
import { ToolCallPieces } from './tool-call-pieces.js';

/** Characters of an answer with its reasoning. */
const MOST_CHARACTERS = 32 * 1024 * 1024;
/** Characters of reasoning before tool calls that are sent back. */
const MOST_ECHO = 256 * 1024;

const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  eos: 'stop',
  length: 'length',
  model_length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
};

/** A growing answer, read from chunks or from a whole message, which have the same members. */
export class ChatAnswer {
  /** True once the model has given a finish reason. */
  finished = false;
  private reason: FinishReason | undefined;
  private readonly calls = new ToolCallPieces();
  private usage: ModelEvent | undefined;
  private thought = '';
  private characters = 0;
  private hasText = false;

  /** True if the answer has any text, refusal or call. */
  get any(): boolean {
    return this.hasText || this.calls.any;
  }

  /** The reason why an answer is empty. */
  get emptiness(): string {
    if (this.reason === 'length') return 'it used up maxTokens before it answered';
    if (this.reason === 'content-filter') return "its provider's filter withheld the answer";
    return 'it gave an empty answer';
  }

  /** Reads a chunk and emits its events. Returns false when the answer is too large. */
  read(chunk: ChatChunk, emit: (event: ModelEvent) => void): boolean {
    this.count(chunk);
    const choice = choiceOf(chunk);
    if (!choice) return true;
    const message = choice['delta'] ?? choice['message'];
    if (isJsonObject(message) && !this.readMessage(message, emit)) return false;
    const { finish_reason: reason } = choice;
    if (typeof reason === 'string' && reason !== '') {
      this.reason = REASONS[reason] ?? 'other';
      this.finished = true;
    }
    return this.characters <= MOST_CHARACTERS;
  }

  /** Emits the events that are known only at the end of the answer. */
  end(emit: (event: ModelEvent) => void): void {
    const reason = this.reason ?? 'other';
    const { calls, extras } = this.calls.complete(reason);
    for (const call of calls) emit({ type: 'tool-call', call });
    const echo = this.echo(extras);
    if (calls.length > 0 && echo !== undefined) emit({ type: 'echo', echo });
    if (this.usage) emit(this.usage);
    // Several servers send "stop" after calls.
    emit({ type: 'finish', reason: calls.length > 0 && reason === 'stop' ? 'tool-calls' : reason });
  }

  private readMessage(message: Record<string, unknown>, emit: (event: ModelEvent) => void): boolean {
    const { content, refusal, tool_calls: calls } = message;
    const { reasoning_content: given, reasoning } = message;
    const texts = typeof content === 'string' ? undefined : textsOf(content);
    const thinking =
      typeof given === 'string' ? given : typeof reasoning === 'string' ? reasoning : texts?.thinking;
    const text = typeof content === 'string' ? content : texts!.text;
    if (thinking) {
      if (thinking === given && this.thought.length < MOST_ECHO) this.thought += thinking;
      this.emit({ type: 'thinking', text: thinking }, emit);
    }
    if (text !== '') {
      this.hasText = true;
      this.emit({ type: 'text', text }, emit);
    }
    if (typeof refusal === 'string' && refusal !== '') {
      this.hasText = true;
      this.emit({ type: 'refusal', text: refusal }, emit);
    }
    return !Array.isArray(calls) || this.calls.add(calls);
  }

  private emit(event: ModelEvent & { text: string }, emit: (event: ModelEvent) => void): void {
    this.characters += event.text.length;
    emit(event);
  }

  /** Stores the latest usage; some servers send a running total in every chunk. */
  private count({ usage, x_groq: groq }: ChatChunk): void {
    const counted = isJsonObject(usage)
      ? usage
      : isJsonObject(groq) && isJsonObject(groq['usage'])
        ? groq['usage']
        : undefined;
    if (!counted) return;
    const [inputTokens, outputTokens] = [counted['prompt_tokens'], counted['completion_tokens']].map(
      (count) => (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : 0),
    );
    this.usage = { type: 'usage', usage: { inputTokens: inputTokens!, outputTokens: outputTokens! } };
  }

  private echo(extras: Record<string, Json>): Json | undefined {
    const echo: Record<string, Json> = {};
    if (this.thought !== '' && this.thought.length <= MOST_ECHO) echo['reasoning_content'] = this.thought;
    if (Object.keys(extras).length > 0) echo['extra_content'] = extras;
    return Object.keys(echo).length > 0 ? echo : undefined;
  }
}
