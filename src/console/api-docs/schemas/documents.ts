import { ref, type JsonSchema } from '../../../api/route-note.js';
import { list, maybe, number, shape, text, time } from './shape.js';

/** Answers about document stores. */
export const documentSchemas: Readonly<Record<string, JsonSchema>> = {
  DocumentStore: shape({
    id: text,
    name: text,
    embedding: shape({ provider: text, name: text, 'baseUrl?': text, 'credentialId?': text }),
    chunk: shape({ size: number, overlap: number }),
    dimensions: { ...maybe(number), description: 'Of its vectors; null before the first.' },
    documents: number,
    createdAt: time,
    updatedAt: time,
  }),
  FoundChunks: shape({
    data: list(shape({ text, score: { type: 'number' }, documentId: text, name: text })),
  }),
  StoredDocument: shape({
    id: text,
    name: text,
    mime: text,
    'url?': text,
    status: { enum: ['pending', 'running', 'ready', 'failed'] },
    progress: { type: 'number', description: 'The part of its text that is embedded, from 0 to 1.' },
    chunks: number,
    code: { ...maybe(text), description: 'Of `error`; never changes.' },
    error: maybe(text),
    warnings: list(ref('Warning')),
    createdAt: time,
  }),
};
