import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddingProvider, MODEL_PROVIDERS } from '../../../api/model-provider-terms.js';
import { parseInTurns } from '../../../common/json/json-buffer.js';
import { ServiceError } from '../../../common/service-error.js';
import { isAway } from '../../../database/away.js';
import { CallLimit } from '../call-limit.js';
import type { LanguageModels } from '../language-models.js';
import { ModelError } from '../model-error.js';
import { failedBy, refusedBy } from '../model-failure.js';
import { addressOf } from '../model-providers.js';
import { ModelMoved, type ModelResponse, requestModel } from '../model-request.js';
import { MOST_RETRIES, retryAfterMs, waitFor } from '../model-retries.js';
import { refusalText } from '../refusal-text.js';
import { MOST_DIMENSIONS, UnusableVectors, googleVectors, openAiVectors } from './embedding-answer.js';
import type { EmbeddingModel, EmbeddingSettings, Vector } from './embedding-model.js';

/** The time limits of a call to an embedding model. */
interface EmbeddingPatience {
  /** Before the first retry. */
  firstWaitMs: number;
  /** For one whole answer. */
  longestMs: number;
}

const USUAL: EmbeddingPatience = { firstWaitMs: 500, longestMs: 120_000 };

/** Bytes of an answer; a batch of vectors as JSON has a tenth. */
const MOST_BYTES = 32 * 1024 * 1024;

/** JSON values of one vector and the members around it. */
const MOST_VALUES = MOST_DIMENSIONS + 100;

/** An embedding model over HTTP at an address that an admin has set. */
export class HttpEmbeddingModel implements EmbeddingModel {
  private readonly protocol: EmbeddingProtocol;
  private readonly address: URL;
  private readonly headers: Record<string, string>;

  /** `baseUrl` is that of the settings, or the provider's own. */
  constructor(
    private readonly settings: EmbeddingSettings,
    baseUrl: string,
    private readonly patience: EmbeddingPatience = USUAL,
  ) {
    this.protocol = embeddingProtocol(settings.provider);
    this.address = new URL(baseUrl);
    this.address.pathname = this.address.pathname.replace(/\/$/, '') + this.protocol.path(settings);
    this.headers = {
      'content-type': 'application/json',
      'user-agent': 'flow-service',
      ...(settings.apiKey === undefined ? {} : this.protocol.headers(settings.apiKey)),
    };
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<Vector[]> {
    for (let retries = 0; ; retries++) {
      try {
        return await this.ask(texts, signal);
      } catch (error) {
        const wait =
          retries < MOST_RETRIES ? waitFor(error, this.patience.firstWaitMs * 2 ** retries) : undefined;
        if (signal.aborted || wait === undefined) throw error;
        await sleep(wait, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
  }

  private async ask(texts: readonly string[], signal: AbortSignal): Promise<Vector[]> {
    const limit = new CallLimit(signal, this.patience.longestMs);
    try {
      const response = await requestModel(this.address, {
        method: 'POST',
        headers: this.headers,
        body: JSON.stringify(this.protocol.body(this.settings, texts)),
        signal: limit.signal,
      });
      try {
        return await this.read(response, texts.length);
      } finally {
        response.leave();
      }
    } catch (error) {
      signal.throwIfAborted();
      throw limit.passed ? this.failed('endless', 'its answer took too long', error) : this.errorOf(error);
    } finally {
      limit.over();
    }
  }

  private async read(response: ModelResponse, count: number): Promise<Vector[]> {
    const { status, headers, body } = response;
    if (status < 200 || status >= 300) {
      const header = (name: string) => (headers[name] === undefined ? undefined : String(headers[name]));
      const message = await refusalText(status, body);
      throw refusedBy(this.settings, { messages: [] }, status, message, {
        retryAfterMs: retryAfterMs(header('retry-after'), header('date')),
      });
    }
    const text = await this.textOf(body);
    return this.protocol.vectors(await this.parsed(text, count), count);
  }

  private async textOf(body: Readable): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MOST_BYTES) throw this.failed('endless', 'its answer does not end');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  private async parsed(text: string, count: number): Promise<unknown> {
    try {
      const body = await parseInTurns(text, (count + 1) * MOST_VALUES);
      if (body === undefined) throw new Error('The answer is blank.');
      return body;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'body_too_complex')
        throw this.failed('endless', 'its answer has more numbers than vectors have', error);
      const message = text.trimStart().startsWith('<')
        ? 'it answered with a web page. Is baseUrl the address of its API?'
        : `its answer is no JSON: ${text.slice(0, 200)}`;
      throw this.failed(text === '' ? 'empty' : 'unreadable', message, error);
    }
  }

  private errorOf(error: unknown): ModelError {
    if (error instanceof ModelError) return error;
    if (error instanceof UnusableVectors) return this.failed('unreadable', error.message, error);
    if (error instanceof ModelMoved) return this.failed('rejected', error.message, error);
    const reason = error instanceof Error ? error.message : String(error);
    return this.failed('unreachable', `it could not be reached: ${reason}`, error);
  }

  private failed(
    fault: ConstructorParameters<typeof ModelError>[0],
    message: string,
    cause?: unknown,
  ): ModelError {
    return failedBy(this.settings, fault, message, { cause });
  }
}

/** The embedding protocol of a provider. */
interface EmbeddingProtocol {
  /** Below the provider's base URL. */
  path(settings: EmbeddingSettings): string;
  headers(apiKey: string): Record<string, string>;
  body(settings: EmbeddingSettings, texts: readonly string[]): unknown;
  /** Throws `UnusableVectors`. */
  vectors(body: unknown, count: number): Vector[];
}

const openAi: EmbeddingProtocol = {
  path: () => '/embeddings',
  headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  body: ({ name }, input) => ({ model: name, input }),
  vectors: openAiVectors,
};

const nameIn = (name: string): string => (name.startsWith('models/') ? name : `models/${name}`);

const google: EmbeddingProtocol = {
  path: ({ name }) => `/${nameIn(name).split('/').map(encodeURIComponent).join('/')}:batchEmbedContents`,
  headers: (apiKey) => ({ 'x-goog-api-key': apiKey }),
  body: ({ name }, texts) => ({
    requests: texts.map((text) => ({ model: nameIn(name), content: { parts: [{ text }] } })),
  }),
  vectors: googleVectors,
};

/** Returns the protocol of a provider: Google has its own, all others use OpenAI's. */
const embeddingProtocol = (provider: EmbeddingProvider): EmbeddingProtocol =>
  MODEL_PROVIDERS[provider].protocol === 'google' ? google : openAi;

/** The embedding model of a document store. */
export interface EmbeddingChoice extends Omit<EmbeddingSettings, 'apiKey'> {
  credentialId?: string | undefined;
}

/** Opens an embedding model. Rejects with a `ModelError` when its credential is missing. */
export async function openEmbeddingModel(
  models: LanguageModels,
  { credentialId, ...settings }: EmbeddingChoice,
): Promise<EmbeddingModel> {
  const apiKey = await models.keyFor(settings, credentialId).catch((error: unknown) => {
    throw isAway(error) ? error : new ModelError('rejected', (error as Error).message, { cause: error });
  });
  return new HttpEmbeddingModel({ ...settings, apiKey }, addressOf(settings));
}
