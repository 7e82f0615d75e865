import { z } from 'zod';
import type { DocumentStatus } from '../../api/document-terms.js';
import type { DocumentStoreView, DocumentView } from '../../api/documents.js';
import { EMBEDDING_PROVIDER_IDS } from '../../api/model-provider-terms.js';
import { isoTime } from '../../common/iso-time.js';
import { nameOfUpTo } from '../../common/texts/identifier.js';
import type { Warning } from '../../common/warnings.js';
import type { EmbeddingChoice } from '../../flows/models/embeddings/http-embedding-model.js';
import { addressGiven } from '../../flows/models/model-providers.js';
import type { ChunkSettings } from '../chunks/chunk-text.js';
import type { DocumentStoreEntity } from './document-store.entity.js';
import type { DocumentEntity } from './document.entity.js';

const embedding = z
  .strictObject({
    provider: z.enum(EMBEDDING_PROVIDER_IDS).describe('The provider of the embedding model.'),
    name: z.string().min(1).max(200).describe('The provider’s name for the model.'),
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('The address of the provider, if it is not its usual one.'),
    credentialId: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe('The stored credential with the provider’s key.'),
  })
  .refine(...addressGiven);

const chunk = z
  .strictObject({
    size: z.int().min(100).max(8_000).default(1_000).describe('The longest chunk, in characters.'),
    overlap: z
      .int()
      .min(0)
      .max(4_000)
      .default(100)
      .describe('Characters of the previous chunk that a chunk repeats.'),
  })
  .refine(({ size, overlap }) => overlap * 2 <= size, {
    path: ['overlap'],
    message: 'must be at most half of size',
  });

/** The body that replaces the settings of a store (contract section 9). */
export const documentStoreSettings = z.strictObject({
  name: nameOfUpTo(200),
  embedding,
  chunk: chunk.prefault({}),
});

export type DocumentStoreSettings = z.infer<typeof documentStoreSettings>;

/** The body that creates a store. */
export const newDocumentStore = documentStoreSettings.extend({
  id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{2,63}$/, 'must be 3 to 64 letters, digits, _ or -')
    .optional()
    .describe('The id by which flows name the store; generated when absent.'),
});

export type NewDocumentStore = z.infer<typeof newDocumentStore>;

export const embeddingOf = ({
  embedding: written,
}: Pick<DocumentStoreEntity, 'embedding'>): EmbeddingChoice => JSON.parse(written) as EmbeddingChoice;

export const chunksOf = ({
  chunkSize: size,
  chunkOverlap: overlap,
}: Pick<DocumentStoreEntity, 'chunkSize' | 'chunkOverlap'>): ChunkSettings => ({ size, overlap });

/** Returns a store as admins see it. */
export const shownStore = (store: DocumentStoreEntity, documents: number): DocumentStoreView => ({
  id: store.id,
  name: store.name,
  embedding: embeddingOf(store) as DocumentStoreView['embedding'],
  chunk: chunksOf(store),
  dimensions: store.dimensions,
  documents,
  createdAt: isoTime(store.createdAt),
  updatedAt: isoTime(store.updatedAt),
});

/** Returns a document as admins see it; `progress` is the share of its text that is embedded, from 0 to 1. */
export const shownDocument = (document: DocumentEntity, generation: number): DocumentView => ({
  id: document.id,
  name: document.name,
  mime: document.mime,
  ...(document.url === null ? {} : { url: document.url }),
  status: statusOf(document, generation),
  progress: progressOf(document, generation),
  chunks: document.chunks,
  code: document.errorCode,
  error: document.error,
  warnings: JSON.parse(document.warnings ?? '[]') as Warning[],
  createdAt: isoTime(document.createdAt),
});

function statusOf({ state, textKey, generation: made }: DocumentEntity, generation: number): DocumentStatus {
  if (state === 'sent') return 'ready';
  if (state === 'failed') return 'failed';
  if (state === 'sending') return 'running';
  return textKey === null || made !== generation ? 'pending' : 'running';
}

function progressOf(document: DocumentEntity, generation: number): number {
  const { nextOffset, textLength, generation: made } = document;
  if (textLength === null || made !== generation) return 0;
  return textLength === 0 ? 1 : Math.floor((nextOffset / textLength) * 100) / 100;
}
