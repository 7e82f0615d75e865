import type { EmbeddingProvider } from '../../../api/model-provider-terms.js';

/** Which model embeds, and how it is reached; two of them that differ make vectors that cannot be compared. */
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
 * One model that embeds. `embed` answers one vector for each text, in order, all of one dimension. It rejects with a
 * `ModelError`, whose sentence is for the owner and holds no secret, or with the signal's reason. Faults that may pass are
 * retried a few times.
 */
export interface EmbeddingModel {
  embed(texts: readonly string[], signal: AbortSignal): Promise<Vector[]>;
}
