import type { DocumentStoreView } from '../../../src/api/documents.js';
import { type EmbeddingProvider, MODEL_PROVIDERS } from '../../../src/api/model-provider-terms.js';

/** The text of the form. */
export interface StoreDraft {
  name: string;
  provider: EmbeddingProvider;
  model: string;
  baseUrl: string;
  /** Empty for none. */
  credentialId: string;
  size: string;
  overlap: string;
}

export const storeDraft = (of?: DocumentStoreView): StoreDraft => ({
  name: of?.name ?? '',
  provider: of?.embedding.provider ?? 'openai',
  model: of?.embedding.name ?? '',
  baseUrl: of?.embedding.baseUrl ?? '',
  credentialId: of?.embedding.credentialId ?? '',
  size: String(of?.chunk.size ?? 1_000),
  overlap: String(of?.chunk.overlap ?? 100),
});

/** Builds the request body that creates or changes a store. */
export function storeBody({ name, provider, model, baseUrl, credentialId, size, overlap }: StoreDraft) {
  return {
    name: name.trim(),
    embedding: {
      provider,
      name: model.trim(),
      ...(baseUrl.trim() === '' ? {} : { baseUrl: baseUrl.trim() }),
      ...(credentialId === '' ? {} : { credentialId }),
    },
    chunk: { size: Number(size), overlap: Number(overlap) },
  };
}

/** Returns faults by the paths that the service uses. Empty when the form can be sent. */
export function storeFaults({ name, provider, model, baseUrl, size, overlap }: StoreDraft) {
  const faults: Record<string, string> = {};
  if (name.trim() === '') faults['name'] = 'Enter a name.';
  if (model.trim() === '') faults['embedding.name'] = 'Enter the name of the embedding model.';
  if (MODEL_PROVIDERS[provider].address === undefined && baseUrl.trim() === '')
    faults['embedding.baseUrl'] = 'Required.';
  if (!isCount(size)) faults['chunk.size'] = 'Enter a whole number.';
  if (!isCount(overlap)) faults['chunk.overlap'] = 'Enter a whole number.';
  return faults;
}

/** Returns whether these changes make the service embed all documents again. */
export function embedsAgain(store: DocumentStoreView, draft: StoreDraft): boolean {
  const { embedding, chunk } = storeBody(draft);
  const { provider, name, baseUrl, credentialId } = store.embedding;
  const was = [provider, name, baseUrl, credentialId, store.chunk.size, store.chunk.overlap];
  const is = [embedding.provider, embedding.name, embedding.baseUrl, embedding.credentialId];
  return JSON.stringify(was) !== JSON.stringify([...is, chunk.size, chunk.overlap]);
}

const isCount = (text: string): boolean => /^\d{1,6}$/.test(text.trim());
