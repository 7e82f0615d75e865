import { Controller, Delete, Get, HttpCode, Param, Post, Put, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { z } from 'zod';
import { ValidBody, ValidQuery } from '../common/bodies/valid-body.decorator.js';
import { AdminGuard } from '../common/http/admin.guard.js';
import { storableText } from '../common/json/json-text.js';
import { NotFound, ServiceError } from '../common/service-error.js';
import { ModelError } from '../flows/models/model-error.js';
import { Ingestion } from './ingestion/ingestion.js';
import { DocumentSearch, MOST_FOUND, MOST_QUERY } from './search/document-search.js';
import { leavingCaller } from './search/leaving-caller.js';
import { DocumentStores } from './stores/document-stores.js';
import {
  type DocumentStoreSettings,
  documentStoreSettings,
  type NewDocumentStore,
  newDocumentStore,
} from './stores/store-settings.js';
import { UploadedDocuments } from './stores/uploaded-documents.js';

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
    .describe('What is looked for, in words.'),
  topK: z.int().min(1).max(MOST_FOUND).default(4).describe('How many chunks are answered at most.'),
});

/** Admins keep documents for `retriever` nodes and `retrieve` tools (contract section 9). */
@Controller('api/v1/document-stores')
@UseGuards(AdminGuard)
export class DocumentStoresController {
  constructor(
    private readonly stores: DocumentStores,
    private readonly documents: UploadedDocuments,
    private readonly ingestion: Ingestion,
    private readonly search: DocumentSearch,
  ) {}

  @Get()
  async list() {
    return { data: await this.stores.list(), nextCursor: null };
  }

  @Post()
  @HttpCode(200)
  create(@ValidBody(newDocumentStore) body: NewDocumentStore) {
    return this.stores.create(body);
  }

  @Put(':id')
  async change(@Param('id') id: string, @ValidBody(documentStoreSettings) body: DocumentStoreSettings) {
    const store = await this.stores.change(storableText(id), body);
    this.ingestion.hurry();
    return store;
  }

  @Delete(':id')
  @HttpCode(204)
  async remove(@Param('id') id: string): Promise<void> {
    if (!(await this.stores.remove(storableText(id)))) throw new NotFound('A document store with this id');
    this.ingestion.hurry();
  }

  @Get(':id/documents')
  listDocuments(@Param('id') id: string, @ValidQuery(page) query: z.infer<typeof page>) {
    return this.documents.list(storableText(id), query);
  }

  /** Files as multipart, or a text as JSON. Answers before they are ready. */
  @Post(':id/documents')
  @HttpCode(200)
  async add(@Req() request: Request, @Param('id') id: string) {
    const data = await this.documents.add(request, storableText(id));
    this.ingestion.hurry();
    return { data };
  }

  @Delete(':id/documents/:documentId')
  @HttpCode(204)
  async removeDocument(@Param('id') id: string, @Param('documentId') documentId: string): Promise<void> {
    if (!(await this.documents.remove(storableText(id), storableText(documentId))))
      throw new NotFound('A document with this id');
    this.ingestion.hurry();
  }

  /** The chunks that are nearest to the query, nearest first. */
  @Post(':id/query')
  @HttpCode(200)
  async query(
    @Req() request: Request,
    @Param('id') id: string,
    @ValidBody(question) { query, topK }: z.infer<typeof question>,
  ) {
    const store = await this.stores.existing(storableText(id));
    const found = await this.search.search([store.id], query, topK, leavingCaller(request)).catch(told);
    return { data: found.map(({ storeId: _, ...chunk }) => chunk) };
  }
}

/** 502, in the words for the owner of the store. */
function told(error: unknown): never {
  if (!(error instanceof ModelError)) throw error;
  throw new ServiceError('model_failed', error.message, { cause: error });
}
