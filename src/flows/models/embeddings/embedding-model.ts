import type { EmbeddingProvider } from '../../../api/model-provider-terms.js';

/** An embedding model and its address. Vectors of different settings cannot be compared. */
export interface EmbeddingSettings {
  provider: EmbeddingProvider;
  name: string;
  /** The provider's own address when absent. */
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
}

/** A vector of length 1: the dot product of two is the cosine of their angle. */
export type Vector = Float32Array;

/**
 * An embedding model. `embed` resolves to one vector for each text, in order and of one dimension. It rejects with a
 * `ModelError`, whose message is for the owner and contains no secret, or with the signal's reason. It retries temporary
 * faults.
 */
export interface EmbeddingModel {
  embed(texts: readonly string[], signal: AbortSignal): Promise<Vector[]>;
}
