import { Controller, Delete, Get, HttpCode, Param, Post, Put, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { z } from 'zod';
import { documentStore, foundChunks, storedDocument } from '../api/documents.js';
import { answered, files, NOTHING } from '../api/route-note.js';
import { pageSchema } from '../api/shapes.js';
import { ValidBody, ValidQuery } from '../common/bodies/valid-body.decorator.js';
import { AdminGuard } from '../common/http/admin.guard.js';
import { Documented } from '../common/http/route-table.js';
import { storableText } from '../common/json/json-text.js';
import { NotFound, ServiceError } from '../common/service-error.js';
import { ModelError } from '../flows/models/model-error.js';
import { Ingestion } from './ingestion/ingestion.js';
import { DocumentSearch, MOST_FOUND, MOST_QUERY } from './search/document-search.js';
import { DocumentStores } from './stores/document-stores.js';
import { newDocument } from './stores/incoming-documents.js';
import {
  type DocumentStoreSettings,
  documentStoreSettings,
  type NewDocumentStore,
  newDocumentStore,
} from './stores/store-settings.js';
import { UploadedDocuments } from './stores/uploaded-documents.js';

const STORE = {
  name: 'Manuals',
  embedding: {
    provider: 'openai-compatible',
    name: 'nomic-embed-text',
    baseUrl: 'http://127.0.0.1:11434/v1',
  },
};

const theStore = answered('The store.', documentStore);
const theDocuments = answered('The documents.', pageSchema(storedDocument));

const page = z.object({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(1).max(200))
    .default(50),
  cursor: z.string().optional(),
});

const question = z.object({
  query: z
    .string()
    .min(1, 'must not be empty')
    .max(MOST_QUERY, `must be at most ${MOST_QUERY} characters`)
    .describe('The query, in words.'),
  topK: z.int().min(1).max(MOST_FOUND).default(4).describe('The most chunks that are returned.'),
});

/** Document stores of admins, for `retriever` nodes and `retrieve` tools (contract section 9). */
@Controller('api/v1/document-stores')
@UseGuards(AdminGuard)
export class DocumentStoresController {
  constructor(
    private readonly stores: DocumentStores,
    private readonly documents: UploadedDocuments,
    private readonly ingestion: Ingestion,
    private readonly search: DocumentSearch,
  ) {}

  @Documented({
    summary: 'List document stores',
    answers: answered('The stores, newest first.', pageSchema(documentStore)),
  })
  @Get()
  async list() {
    return { data: await this.stores.list(), nextCursor: null };
  }

  @Documented({
    summary: 'Create a document store',
    description:
      'A store has one embedding model. Its `baseUrl` may be local; its key is that of `credentialId`. Chunk sizes are in characters.',
    body: { examples: { local: STORE } },
    answers: theStore,
  })
  @Post()
  @HttpCode(200)
  create(@ValidBody(newDocumentStore) body: NewDocumentStore) {
    return this.stores.create(body);
  }

  @Documented({
    summary: 'Replace the settings of a document store',
    description:
      'If the model or the chunk sizes change, every document is embedded again in the background and found once it is ready. Otherwise failed documents are retried.',
    errors: ['not_found'],
    body: { examples: { smaller: { ...STORE, chunk: { size: 500, overlap: 50 } } } },
    answers: theStore,
  })
  @Put(':id')
  async change(@Param('id') id: string, @ValidBody(documentStoreSettings) body: DocumentStoreSettings) {
    const store = await this.stores.change(storableText(id), body);
    this.ingestion.hurry();
    return store;
  }

  @Documented({
    summary: 'Delete a document store and its documents',
    description: 'A node that still names it fails when it searches.',
    errors: ['not_found'],
    answers: NOTHING,
  })
  @Delete(':id')
  @HttpCode(204)
  async remove(@Param('id') id: string): Promise<void> {
    if (!(await this.stores.remove(storableText(id)))) throw new NotFound('A document store with this id');
    this.ingestion.hurry();
  }

  @Documented({
    summary: 'List the documents of a store',
    description: 'Newest first. Searches find `ready` documents; `code` and `error` say why one is `failed`.',
    errors: ['not_found'],
    answers: theDocuments,
  })
  @Get(':id/documents')
  listDocuments(@Param('id') id: string, @ValidQuery(page) query: z.infer<typeof page>) {
    return this.documents.list(storableText(id), query);
  }

  @Documented({
    summary: 'Add documents to a store',
    description:
      'Answered as soon as the documents are stored; they are made ready in the background. Text, Markdown, HTML, PDF, DOCX and CSV are read, distinguished by their bytes. A URL is fetched once, under the outbound rules, within a minute and 50 MB.',
    errors: ['not_found', 'body_too_large'],
    body: {
      json: newDocument,
      multipart: { type: 'object', properties: files('files', 'Up to 50 documents of 50 MB each.') },
      examples: {
        text: { name: 'boiler.md', text: 'The boiler is in the cellar.' },
        url: { url: 'https://example.com/manuals/boiler.pdf' },
      },
    },
    answers: theDocuments,
  })
  @Post(':id/documents')
  @HttpCode(200)
  async add(@Req() request: Request, @Param('id') id: string) {
    const data = await this.documents.add(request, storableText(id));
    this.ingestion.hurry();
    return { data };
  }

  @Documented({
    summary: 'Delete a document',
    description: 'Also works while the document is being made ready.',
    errors: ['not_found'],
    answers: NOTHING,
  })
  @Delete(':id/documents/:documentId')
  @HttpCode(204)
  async removeDocument(@Param('id') id: string, @Param('documentId') documentId: string): Promise<void> {
    if (!(await this.documents.remove(storableText(id), storableText(documentId))))
      throw new NotFound('A document with this id');
    this.ingestion.hurry();
  }

  @Documented({
    summary: 'Search a document store',
    description:
      'Nearest first. `score` is the cosine of the angle between the vectors. Only `ready` documents are found.',
    errors: ['not_found', 'model_failed'],
    body: { examples: { four: { query: 'Where is the boiler?', topK: 4 } } },
    answers: answered('The chunks.', foundChunks),
  })
  @Post(':id/query')
  @HttpCode(200)
  async query(
    @Req() request: Request,
    @Param('id') id: string,
    @ValidBody(question) { query, topK }: z.infer<typeof question>,
  ) {
    const store = await this.stores.existing(storableText(id));
    const signal = hangUpSignal(request);
    const found = await this.search.search([store.id], query, topK, signal).catch(throwModelFailed);
    return { data: found.map(({ storeId: _, ...chunk }) => chunk) };
  }
}

/** Returns a signal that aborts if the caller hangs up before it is answered. */
function hangUpSignal({ res: response }: Request): AbortSignal {
  const controller = new AbortController();
  response?.once('close', () => {
    if (!response.writableFinished) controller.abort(new Error('the caller went away'));
  });
  return controller.signal;
}

/** Throws 502 with the model's error in place of a `ModelError`. */
function throwModelFailed(error: unknown): never {
  if (!(error instanceof ModelError)) throw error;
  throw new ServiceError('model_failed', error.message, { cause: error });
}
