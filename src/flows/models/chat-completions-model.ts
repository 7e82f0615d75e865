import { CallLimit, type Patience } from './call-limit.js';
import { ChatReader, arriving, Unread } from './chat-reader.js';
import { chatRequest } from './chat-request.js';
import { Concessions } from './concessions.js';
import type { LanguageModel, ModelRequest, ModelSettings, Emit } from './language-model.js';
import { ModelError } from './model-error.js';
import { failedBy, refusedBy } from './model-failure.js';
import { ModelMoved, openModelClient, requestModel, type ModelResponse } from './model-request.js';
import { retryAfterMs, withRetries } from './model-retries.js';
import { refusalText } from './refusal-text.js';

/** Time for the rest of a stream after the finish reason. */
const AFTER_END_MS = 5_000;

/** A model with OpenAI's chat protocol. */
export class ChatCompletionsModel implements LanguageModel {
  private readonly address: URL;
  private readonly headers: Record<string, string>;
  private readonly concessions: Concessions;

  /** `baseUrl` is that of the settings, or the provider's own. */
  constructor(
    private readonly settings: ModelSettings,
    baseUrl: string,
    private readonly patience: Patience,
  ) {
    this.address = new URL(baseUrl);
    this.address.pathname = `${this.address.pathname.replace(/\/$/, '')}/chat/completions`;
    this.headers = {
      'content-type': 'application/json',
      'user-agent': 'flow-service',
      ...(settings.apiKey === undefined ? {} : { authorization: `Bearer ${settings.apiKey}` }),
    };
    this.concessions = new Concessions(settings);
  }

  /** Loads the client, so that the first call does not wait for it. */
  async open(): Promise<void> {
    await openModelClient();
  }

  ask(request: ModelRequest, signal: AbortSignal, emit: Emit): Promise<void> {
    const once = (emitting: Emit) => this.askOnce(request, signal, emitting);
    return withRetries(once, emit, this.patience.firstWaitMs, signal);
  }

  private async askOnce(request: ModelRequest, signal: AbortSignal, emit: Emit): Promise<void> {
    const limit = new CallLimit(signal, this.patience.longestMs);
    try {
      const response = await this.send(request, limit);
      try {
        await read(response, limit, emit);
      } finally {
        response.leave();
      }
    } catch (error) {
      signal.throwIfAborted();
      throw this.errorOf(error, limit);
    } finally {
      limit.over();
    }
    signal.throwIfAborted();
  }

  /** Sends a request, and again without an optional member that the model refuses. */
  private async send(request: ModelRequest, limit: CallLimit): Promise<ModelResponse> {
    for (;;) {
      const body = chatRequest(this.settings, request, this.concessions);
      const response = await requestModel(this.address, {
        method: 'POST',
        headers: this.headers,
        body: JSON.stringify(body),
        signal: limit.signal,
      }).catch((error: unknown) => {
        throw this.unreached(error, limit);
      });
      const { status } = response;
      if (status >= 200 && status < 300) return response;
      const refusal = await refusalText(status, response.body);
      response.leave();
      if (!this.concessions.learn(status, refusal, body)) throw this.refused(request, response, refusal);
    }
  }

  private refused(request: ModelRequest, { status, headers }: ModelResponse, refusal: string): ModelError {
    const header = (name: string) => (headers[name] === undefined ? undefined : String(headers[name]));
    return refusedBy(
      this.settings,
      request,
      status,
      status < 400 ? `its address has changed: ${refusal}` : refusal,
      {
        retryAfterMs: retryAfterMs(header('retry-after'), header('date')),
        ...(header('x-should-retry') === 'false' ? { mayPass: false } : {}),
      },
    );
  }

  private unreached(error: unknown, limit: CallLimit): unknown {
    if (limit.signal.aborted) return error;
    if (error instanceof ModelMoved)
      return failedBy(this.settings, 'rejected', error.message, { cause: error });
    return failedBy(this.settings, 'unreachable', `it could not be reached: ${reasonOf(error)}`, {
      cause: error,
    });
  }

  private errorOf(error: unknown, limit: CallLimit): ModelError {
    if (limit.passed) return failedBy(this.settings, 'endless', 'its answer took too long', { cause: error });
    if (error instanceof ModelError) return error;
    if (error instanceof Unread)
      return failedBy(this.settings, error.fault, error.message, { status: error.status, cause: error });
    return failedBy(this.settings, 'cut_off', `its answer broke off: ${reasonOf(error)}`, { cause: error });
  }
}

async function read({ body }: ModelResponse, limit: CallLimit, emit: Emit): Promise<void> {
  const reader = new ChatReader();
  try {
    for await (const bytes of arriving(body)) {
      reader.read(bytes).forEach(emit);
      if (reader.done) break;
      if (reader.finished) limit.shorten(AFTER_END_MS);
    }
  } catch (error) {
    // The answer is complete: a later fault of the connection does not matter.
    if (!reader.finished || error instanceof Unread) throw error;
  }
  reader.end().forEach(emit);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}
