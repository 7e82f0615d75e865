import { z } from 'zod';
import { DOCUMENT_STATUSES } from './document-terms.js';
import { EMBEDDING_PROVIDER_IDS } from './model-provider-terms.js';
import { timestamp } from './shapes.js';
import { warning } from './warnings.js';

export const documentStore = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    embedding: z.strictObject({
      provider: z.enum(EMBEDDING_PROVIDER_IDS),
      name: z.string(),
      baseUrl: z.string().exactOptional(),
      credentialId: z.string().exactOptional(),
    }),
    chunk: z.strictObject({ size: z.int(), overlap: z.int() }).describe('In characters.'),
    dimensions: z.int().nullable().describe('Dimensions of its vectors; null before the first.'),
    documents: z.int(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'DocumentStore' });
export type DocumentStoreView = z.infer<typeof documentStore>;

export const storedDocument = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    mime: z.string(),
    url: z.string().exactOptional().describe('The address that it was fetched from.'),
    status: z.enum(DOCUMENT_STATUSES),
    progress: z.number().describe('The part of its text that is embedded, from 0 to 1.'),
    chunks: z.int(),
    code: z.string().nullable().describe('The stable code of `error`.'),
    error: z.string().nullable().describe('Also of a document that is retried.'),
    warnings: z.array(warning),
    createdAt: timestamp,
  })
  .meta({ id: 'StoredDocument' });
export type DocumentView = z.infer<typeof storedDocument>;

const foundChunk = z.strictObject({
  text: z.string(),
  score: z.number().describe('A higher score is nearer.'),
  documentId: z.string(),
  name: z.string(),
});
export const foundChunks = z.strictObject({ data: z.array(foundChunk) }).meta({ id: 'FoundChunks' });
export type FoundChunkView = z.infer<typeof foundChunk>;

/** A found chunk in the form of Flowise's clients. */
export const sourceDocument = z.strictObject({
  pageContent: z.string(),
  metadata: foundChunk
    .omit({ text: true, name: true })
    .extend({ storeId: z.string(), source: z.string().describe('Name of the document.') }),
});
export type SourceDocument = z.infer<typeof sourceDocument>;
