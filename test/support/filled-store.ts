import { DatabaseReader } from '../../src/database/database-reader.js';
import { startTestApp, type TestApp } from './app.js';
import { eventually } from './eventually.js';
import { type EmbeddingRequest, type FakeEmbeddings, startFakeEmbeddings } from './fake-embeddings.js';
import { Hold } from './fake-model.js';
import { ServiceClient } from './service-client.js';

/** A document in the admin API. */
export interface ShownDocument {
  id: string;
  name: string;
  status: string;
  progress: number;
  chunks: number;
  code: string | null;
  error: string | null;
}

/** A chunk in the answer to a query. */
export interface ShownChunk {
  text: string;
  score: number;
  documentId: string;
  name: string;
}

/** Returns this many paragraphs, each a chunk of its own in a `FilledStore`. */
export const manual = (count: number, about = 'meter'): string =>
  Array.from(
    { length: count },
    (_, index) => `The ${about} of room number${index} is read by hand. ${'It is. '.repeat(5).trim()}`,
  ).join('\n\n');

/** Chunks per embedding request. */
export const A_BATCH = 64;

/** A service and an embedding model for the tests of one `describe`. */
export class DocumentFixture {
  service!: TestApp;
  model!: FakeEmbeddings;
  readonly client = new ServiceClient(() => this.service);

  /** Registers the hooks that start and stop both, and reset the model around each test. */
  constructor() {
    const reset = () => Object.assign(this.model, { otherwise: {}, answers: [], requests: [] });
    beforeAll(async () => {
      this.model = await startFakeEmbeddings();
      this.service = await startTestApp();
    });
    beforeEach(reset);
    afterEach(reset);
    afterAll(async () => {
      await this.service.close();
      await this.model.close();
    });
  }

  makeStore(): Promise<FilledStore> {
    return FilledStore.of(() => this.service, this.model.url);
  }
}

/** Makes a model answer this many requests, and hold the others back. */
export function holdAfter(model: FakeEmbeddings, answered: number, held = new Hold()): Hold {
  let seen = 0;
  model.otherwise = () => (++seen > answered ? { held } : {});
  return held;
}

export const textsOf = (requests: readonly EmbeddingRequest[]): string[] =>
  requests.flatMap(({ texts }) => texts);

/** A document store of a test, reached through the API of the service that currently runs. */
export class FilledStore {
  private constructor(
    readonly id: string,
    private readonly client: ServiceClient,
    private readonly settings: object,
  ) {}

  /** Creates one whose model is at this address. */
  static async of(service: () => Pick<TestApp, 'url' | 'adminKey'>, baseUrl: string): Promise<FilledStore> {
    const client = new ServiceClient(service);
    const embedding = { provider: 'openai-compatible', name: 'embedder', baseUrl };
    const settings = { name: 'Manual', embedding, chunk: { size: 100, overlap: 0 } };
    const { body } = await client.admin('POST', 'document-stores', settings);
    return new FilledStore(body.id as string, client, settings);
  }

  /** Returns the id of the document. */
  async add(text: string, name = 'manual.md'): Promise<string> {
    const { body } = await this.call('POST', '/documents', { name, text });
    return body.data[0].id as string;
  }

  /** Returns the ids by file name. */
  async addFiles(files: Record<string, Buffer>): Promise<Record<string, string>> {
    const form = new FormData();
    for (const [name, bytes] of Object.entries(files)) form.append('files', new Blob([bytes]), name);
    const { body } = await this.call('POST', '/documents', form);
    const documents = body.data as ShownDocument[];
    return Object.fromEntries(documents.map(({ name, id }) => [name, id]));
  }

  call(method: string, path: string, body?: object) {
    return this.client.admin(method, `document-stores/${this.id}${path}`, body);
  }

  /** Saves the store again, optionally with other settings. */
  save(more: object = {}) {
    return this.call('PUT', '', { ...this.settings, ...more });
  }

  remove(documentId?: string) {
    return this.call('DELETE', documentId === undefined ? '' : `/documents/${documentId}`);
  }

  async documents(): Promise<ShownDocument[]> {
    return (await this.call('GET', '/documents?limit=200')).body.data as ShownDocument[];
  }

  async one(id: string): Promise<ShownDocument> {
    return (await this.documents()).find((document) => document.id === id)!;
  }

  async becomes(id: string, status: string): Promise<ShownDocument> {
    // A busy machine may take half a minute to read a large file.
    await eventually(async () => (await this.one(id)).status === status, 120_000);
    return this.one(id);
  }

  async found(query: string, topK = 4): Promise<ShownChunk[]> {
    return (await this.call('POST', '/query', { query, topK })).body.data as ShownChunk[];
  }
}

/** Counts the rows of a document. */
export async function rowsOf({ app }: TestApp, documentId: string) {
  const reader = app.get(DatabaseReader);
  const count = async (table: string, column = 'document_id') =>
    (await reader.one<{ count: number }>(`SELECT count(*) AS count FROM ${table} WHERE ${column} = ?`, [
      documentId,
    ]))!.count;
  const positions = await reader.all<{ position: number }>(
    'SELECT position FROM document_chunks WHERE document_id = ? ORDER BY position',
    [documentId],
  );
  return {
    documents: await count('store_documents', 'id'),
    positions: positions.map(({ position }) => position),
    packs: await count('document_vectors'),
  };
}
