import { SecretMask } from '../../common/masking/secret-mask.js';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  LanguageModel,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  ModelSettings,
} from './language-model.js';
import { openModel, type ProviderModel } from './model-providers.js';

type CallOptions = Parameters<ProviderModel['doStream']>[0];
type PromptMessage = CallOptions['prompt'][number];
type JsonFormat = Extract<CallOptions['responseFormat'], { type: 'json' }>;

const MOST_RETRIES = 2;
const LONGEST_WAIT_MS = 20_000;

/**
 * A model behind its provider's package, spoken to directly: the `ai` package in between costs 4 ms before the first
 * token, and would fetch pictures by itself, past the outbound rules. What it adds, the retry of refusals that pass
 * (429, 5xx, broken connections), stands here; only a call that has said nothing yet is tried again.
 */
export class ProviderLanguageModel implements LanguageModel {
  private opening: Promise<ProviderModel> | undefined;

  constructor(
    private readonly settings: ModelSettings,
    private readonly firstWaitMs = 500,
  ) {}

  /** Loads the provider's package, so that the first call does not wait for it. */
  open(): Promise<ProviderModel> {
    return (this.opening ??= openModel(this.settings));
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    try {
      const stream = await this.begin(request, signal);
      for await (const part of stream) {
        if (part.type === 'text-delta') yield { type: 'text', text: part.delta };
        else if (part.type === 'reasoning-delta') yield { type: 'thinking', text: part.delta };
        else if (part.type === 'error') throw part.error;
        else if (part.type === 'finish') yield { type: 'usage', usage: usageOf(part.usage) };
      }
    } catch (error) {
      signal.throwIfAborted();
      throw new Error(this.sentenceOf(error), { cause: error });
    }
    signal.throwIfAborted();
  }

  private async begin(request: ModelRequest, signal: AbortSignal) {
    const model = await this.open();
    const { temperature, maxTokens } = this.settings;
    const options: CallOptions = {
      prompt: request.messages.map(promptMessage),
      abortSignal: signal,
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
      ...(request.schema === undefined
        ? {}
        : { responseFormat: { type: 'json', name: 'answer', schema: request.schema } as JsonFormat }),
    };
    for (let retries = 0; ; retries++) {
      try {
        return (await model.doStream(options)).stream;
      } catch (error) {
        if (retries === MOST_RETRIES || signal.aborted || !mayPass(error)) throw error;
        await sleep(waitFor(error, this.firstWaitMs * 2 ** retries), undefined, { signal });
      }
    }
  }

  private sentenceOf(error: unknown): string {
    const { statusCode = 0, message, cause } = error as Partial<CallError>;
    const { apiKey } = this.settings;
    const reason = statusCode < 400 && cause instanceof Error ? `: ${cause.message}` : '';
    const said = `${message ?? String(error)}${reason}`.slice(0, 16_384);
    // Before it is cut: the cut leaves no part of the key.
    const masked = new SecretMask()
      .add([apiKey ?? ''])
      .text(said)
      .slice(0, 1_000);
    return statusCode < 400 ? `The model failed: ${masked}` : `The model answered ${statusCode}: ${masked}`;
  }
}

/** What the provider packages throw for an answer that is no success. */
interface CallError extends Error {
  statusCode?: number;
  isRetryable?: boolean;
  responseHeaders?: Record<string, string>;
}

const mayPass = (error: unknown): boolean => (error as CallError).isRetryable === true;

/** As long as the provider asks for, up to a bound; else the usual wait. */
function waitFor(error: unknown, usualMs: number): number {
  const seconds = Number((error as CallError).responseHeaders?.['retry-after']);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1_000, LONGEST_WAIT_MS) : usualMs;
}

const usageOf = (usage: {
  inputTokens: { total: number | undefined };
  outputTokens: { total: number | undefined };
}) => ({
  inputTokens: usage.inputTokens.total ?? 0,
  outputTokens: usage.outputTokens.total ?? 0,
});

function promptMessage({ role, content, images = [] }: ModelMessage): PromptMessage {
  if (role === 'system') return { role, content };
  const text = { type: 'text' as const, text: content };
  if (role === 'assistant') return { role, content: [text] };
  const files = images.map(({ mime, content: data }) => ({ type: 'file' as const, mediaType: mime, data }));
  return { role, content: content === '' && files.length > 0 ? files : [text, ...files] };
}
