import { z } from 'zod';
import type { DocumentStatus } from '../../api/document-terms.js';
import type { DocumentStoreView, DocumentView } from '../../api/documents.js';
import { EMBEDDING_PROVIDER_IDS } from '../../api/model-provider-terms.js';
import { isoTime } from '../../common/clock.js';
import { nameOfUpTo } from '../../common/texts/identifier.js';
import type { Warning } from '../../common/warnings.js';
import type { EmbeddingChoice } from '../../flows/models/embeddings/http-embedding-model.js';
import { addressGiven } from '../../flows/models/model-providers.js';
import type { ChunkSettings } from '../chunks/chunk-text.js';
import type { DocumentStoreEntity } from './document-store.entity.js';
import type { StoreDocumentEntity } from './store-document.entity.js';

const embedding = z
  .strictObject({
    provider: z.enum(EMBEDDING_PROVIDER_IDS).describe('Who serves the model that embeds.'),
    name: z.string().min(1).max(200).describe('The model, as its provider calls it.'),
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Where the provider is reached, if not at its own address.'),
    credentialId: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe('The kept credential with the provider’s key.'),
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
      .describe('Characters that a chunk repeats of the one before.'),
  })
  .refine(({ size, overlap }) => overlap * 2 <= size, {
    path: ['overlap'],
    message: 'must be at most half of size',
  });

/** The body that puts other settings in the place of a store's own (contract section 8). */
export const documentStoreSettings = z.strictObject({
  name: nameOfUpTo(200),
  embedding,
  chunk: chunk.prefault({}),
});

export type DocumentStoreSettings = z.infer<typeof documentStoreSettings>;

/** The body that makes a store. */
export const newDocumentStore = documentStoreSettings.extend({
  id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{2,63}$/, 'must be 3 to 64 letters, digits, _ or -')
    .optional()
    .describe('By which flows name it, such as the one that it has elsewhere; made when absent.'),
});

export type NewDocumentStore = z.infer<typeof newDocumentStore>;

export const embeddingOf = ({
  embedding: written,
}: Pick<DocumentStoreEntity, 'embedding'>): EmbeddingChoice => JSON.parse(written) as EmbeddingChoice;

export const chunksOf = ({
  chunkSize: size,
  chunkOverlap: overlap,
}: Pick<DocumentStoreEntity, 'chunkSize' | 'chunkOverlap'>): ChunkSettings => ({ size, overlap });

/** A store as admins see it. */
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

/** A document as admins see it; `progress` is the part of its text that is embedded, from 0 to 1. */
export const shownDocument = (document: StoreDocumentEntity, generation: number): DocumentView => ({
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

function statusOf(
  { state, textKey, generation: made }: StoreDocumentEntity,
  generation: number,
): DocumentStatus {
  if (state === 'sent') return 'ready';
  if (state === 'failed') return 'failed';
  if (state === 'sending') return 'running';
  return textKey === null || made !== generation ? 'pending' : 'running';
}

function progressOf(document: StoreDocumentEntity, generation: number): number {
  const { nextOffset, textLength, generation: made } = document;
  if (textLength === null || made !== generation) return 0;
  return textLength === 0 ? 1 : Math.floor((nextOffset / textLength) * 100) / 100;
}
