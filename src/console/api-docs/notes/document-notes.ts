import { files, json, listOf, NOTHING, ref, type RouteNotes } from '../../../api/route-note.js';
import { newDocument } from '../../../documents/stores/incoming-documents.js';

const STORE = {
  name: 'Manuals',
  embedding: {
    provider: 'openai-compatible',
    name: 'nomic-embed-text',
    baseUrl: 'http://127.0.0.1:11434/v1',
  },
};

const DOCUMENTS = {
  200: { description: 'The documents.', content: json(listOf(ref('StoredDocument'))) },
};

/** Routes by which admins keep documents for the kind `retriever` and the tool `retrieve`. */
export const documentNotes: RouteNotes = {
  'GET /api/v1/document-stores': {
    summary: 'Document stores',
    answers: { 200: { description: 'The newest first.', content: json(listOf(ref('DocumentStore'))) } },
  },
  'POST /api/v1/document-stores': {
    summary: 'Make a document store',
    description:
      'A store has one model that embeds: its `baseUrl` may be local, its key is that of `credentialId`. Chunks are counted in characters.',
    body: { examples: { local: STORE } },
    answers: { 200: { description: 'The store.', content: json(ref('DocumentStore')) } },
  },
  'PUT /api/v1/document-stores/{id}': {
    summary: 'Replace the settings of a document store',
    description:
      'Where the model or the chunks are others, every document is embedded again in the background, and found when it is ready. Else those that failed are tried again.',
    errors: ['not_found'],
    body: { examples: { smaller: { ...STORE, chunk: { size: 500, overlap: 50 } } } },
    answers: { 200: { description: 'The store.', content: json(ref('DocumentStore')) } },
  },
  'DELETE /api/v1/document-stores/{id}': {
    summary: 'Delete a document store and its documents',
    description: 'Nodes that still name it fail when they need it.',
    errors: ['not_found'],
    answers: NOTHING,
  },
  'GET /api/v1/document-stores/{id}/documents': {
    summary: 'The documents of a store',
    description: 'The newest first. `ready` ones are found; of a `failed` one, `code` and `error` say why.',
    errors: ['not_found'],
    answers: DOCUMENTS,
  },
  'POST /api/v1/document-stores/{id}/documents': {
    summary: 'Add documents to a store',
    description:
      'Answered as soon as they are kept; they are made ready in the background. Text, Markdown, HTML, PDF, DOCX and CSV are read, told apart by their bytes. An address is fetched once, under the outbound rules, within a minute and 50 MB.',
    errors: ['not_found', 'body_too_large'],
    body: {
      json: newDocument,
      multipart: { type: 'object', properties: files('files', 'Up to 50 documents of 50 MB each.') },
      examples: {
        text: { name: 'boiler.md', text: 'The boiler stands in the cellar.' },
        url: { url: 'https://example.com/manuals/boiler.pdf' },
      },
    },
    answers: DOCUMENTS,
  },
  'POST /api/v1/document-stores/{id}/query': {
    summary: 'Find chunks of a store by what they mean',
    description:
      'Nearest first; `score` is the cosine of the angle between the vectors. Only `ready` documents are found.',
    errors: ['not_found', 'model_failed'],
    body: { examples: { four: { query: 'Where is the boiler?', topK: 4 } } },
    answers: { 200: { description: 'The chunks.', content: json(ref('FoundChunks')) } },
  },
  'DELETE /api/v1/document-stores/{id}/documents/{documentId}': {
    summary: 'Delete a document',
    description: 'Also one that is still made ready.',
    errors: ['not_found'],
    answers: NOTHING,
  },
};
