import type { Json } from '../engine/json.js';
import { CallLimit, type Patience } from './call-limit.js';
import type { LanguageModel, ModelEvent, ModelRequest, ModelSettings, Emit } from './language-model.js';
import { ModelError } from './model-error.js';
import { failedBy, refusedBy } from './model-failure.js';
import { retryAfterMs, withRetries } from './model-retries.js';
import { callOptions, type ProviderModel } from './provider-prompt.js';
import { readToolCall } from './tool-call.js';

type ProviderStream = Awaited<ReturnType<ProviderModel['doStream']>>['stream'];
type ProviderPart = ProviderStream extends ReadableStream<infer Part> ? Part : never;

/**
 * A model behind its provider's package. The `ai` package is not used: it costs 4 ms before the first token, and would fetch
 * pictures by itself outside of the outbound rules. Its retries are done here.
 */
export class ProviderLanguageModel implements LanguageModel {
  private opening: Promise<ProviderModel> | undefined;

  constructor(
    private readonly settings: ModelSettings,
    private readonly patience: Patience,
    private readonly load: () => Promise<ProviderModel>,
  ) {}

  /** Loads the provider's package, so that the first call does not wait for it. */
  open(): Promise<ProviderModel> {
    return (this.opening ??= this.load());
  }

  ask(request: ModelRequest, signal: AbortSignal, emit: Emit): Promise<void> {
    const once = (emitting: Emit) => this.askOnce(request, signal, emitting);
    return withRetries(once, emit, this.patience.firstWaitMs, signal);
  }

  private async askOnce(request: ModelRequest, signal: AbortSignal, emit: Emit): Promise<void> {
    const state: StreamState = { any: false, calls: 0, echo: {} };
    const limit = new CallLimit(signal, this.patience.longestMs);
    try {
      const model = await this.open();
      const { stream } = await model.doStream(callOptions(this.settings, request, limit.signal));
      for await (const part of stream) for (const event of eventsOf(part, state)) emit(event);
    } catch (error) {
      signal.throwIfAborted();
      if (limit.passed)
        throw failedBy(this.settings, 'endless', 'its answer took too long', { cause: error });
      throw this.errorOf(error, request, state.any);
    } finally {
      limit.over();
    }
    signal.throwIfAborted();
    if (!state.any) throw failedBy(this.settings, 'empty', 'it gave an empty answer');
  }

  private errorOf(error: unknown, request: ModelRequest, begun: boolean): ModelError {
    if (error instanceof ModelError) return error;
    const {
      name,
      statusCode = 0,
      message = String(error),
      cause,
      responseHeaders: headers,
    } = error as Partial<CallError>;
    if (statusCode >= 400) {
      const wait = retryAfterMs(headers?.['retry-after'], headers?.['date']);
      return refusedBy(this.settings, request, statusCode, message, { retryAfterMs: wait, cause: error });
    }
    const sentence = cause instanceof Error ? `${message}: ${cause.message}` : message;
    if (name === 'AI_UnsupportedFunctionalityError')
      return failedBy(this.settings, 'unsupported', sentence, { cause: error });
    if (isUnread(error)) return failedBy(this.settings, 'unreadable', sentence, { cause: error });
    const wentAway = (error as Partial<CallError>).isRetryable === true;
    return failedBy(this.settings, wentAway ? 'unreachable' : begun ? 'cut_off' : 'failed', sentence, {
      cause: error,
    });
  }
}

/** The error that the provider packages throw for an unsuccessful answer. */
interface CallError extends Error {
  statusCode?: number;
  isRetryable?: boolean;
  responseHeaders?: Record<string, string>;
}

const isUnread = (error: unknown): boolean =>
  error instanceof Error && ['AI_JSONParseError', 'AI_TypeValidationError'].includes(error.name);

interface StreamState {
  any: boolean;
  calls: number;
  /** Data that the provider requires back, by the id of the call. */
  echo: Record<string, Json>;
}

function* eventsOf(part: ProviderPart, state: StreamState): Iterable<ModelEvent> {
  if (part.type === 'text-delta') {
    state.any ||= part.delta !== '';
    if (part.delta !== '') yield { type: 'text', text: part.delta };
  } else if (part.type === 'reasoning-delta') yield { type: 'thinking', text: part.delta };
  else if (part.type === 'tool-call') {
    state.any = true;
    const id = part.toolCallId || `call${state.calls++}`;
    if (part.providerMetadata) state.echo[id] = part.providerMetadata as Json;
    yield { type: 'tool-call', call: readToolCall(id, part.toolName, part.input) };
  } else if (part.type === 'error') throw part.error;
  else if (part.type === 'finish') yield* endOf(part, state);
}

function* endOf(
  { usage, finishReason }: Extract<ProviderPart, { type: 'finish' }>,
  { echo, any }: StreamState,
): Iterable<ModelEvent> {
  const { unified } = finishReason;
  if (unified === 'error') throw new Error('it ended its answer with an error');
  const counted = { inputTokens: usage.inputTokens.total ?? 0, outputTokens: usage.outputTokens.total ?? 0 };
  if (!any) return;
  if (Object.keys(echo).length > 0) yield { type: 'echo', echo };
  yield { type: 'usage', usage: counted };
  yield { type: 'finish', reason: unified };
}
