import type { EmbeddingProvider } from '../../../../src/api/model-provider-terms.js';
import type { Warning } from '../../../common/warning.js';

/** Answers about document stores of `/api/v1`. Times are ISO 8601 in UTC. */

export interface Embedding {
  provider: EmbeddingProvider;
  name: string;
  baseUrl?: string;
  credentialId?: string;
}

export interface DocumentStore {
  id: string;
  name: string;
  embedding: Embedding;
  /** Characters. */
  chunk: { size: number; overlap: number };
  documents: number;
  updatedAt: string;
}

export interface StoredDocument {
  id: string;
  name: string;
  /** Where it was fetched from. */
  url?: string;
  status: 'pending' | 'running' | 'ready' | 'failed';
  /** The part of its text that is embedded, from 0 to 1. */
  progress: number;
  chunks: number;
  /** Also of one that is tried again. */
  error: string | null;
  warnings: Warning[];
  createdAt: string;
}

/** `POST document-stores/:id/query`: a chunk of a document; a higher score is nearer. */
export interface FoundChunk {
  text: string;
  score: number;
  documentId: string;
  name: string;
}
