import { type EmbeddingProvider, MODEL_PROVIDERS } from '../../../api/model-provider-terms.js';
import { googleVectors, openAiVectors } from './embedding-answer.js';
import type { EmbeddingSettings, Vector } from './embedding-model.js';

/** How a provider is asked for vectors. */
export interface EmbeddingProtocol {
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

/** Google has a protocol of its own; all others speak OpenAI's. */
export const embeddingProtocol = (provider: EmbeddingProvider): EmbeddingProtocol =>
  MODEL_PROVIDERS[provider].protocol === 'google' ? google : openAi;
