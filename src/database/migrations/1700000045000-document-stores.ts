import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Document stores: documents, their chunks, and the vectors of those. `document_vectors` is described by no entity: the
 * two databases have no type of bytes in common.
 */
export class AddDocumentStores1700000045000 implements MigrationInterface {
  name = 'AddDocumentStores1700000045000';

  async up(runner: QueryRunner): Promise<void> {
    const bytes = runner.connection.options.type === 'sqlite' ? 'blob' : 'bytea';
    await runner.query(`CREATE TABLE document_stores (
      id text PRIMARY KEY NOT NULL,
      name text NOT NULL,
      embedding text NOT NULL,
      chunk_size integer NOT NULL,
      chunk_overlap integer NOT NULL,
      dimensions integer,
      generation integer NOT NULL,
      removed integer NOT NULL,
      created_at bigint NOT NULL,
      updated_at bigint NOT NULL
    )`);
    await runner.query(`CREATE TABLE store_documents (
      id text PRIMARY KEY NOT NULL,
      store_id text NOT NULL,
      name text NOT NULL,
      mime text NOT NULL,
      url text,
      source_key text,
      text_key text,
      text_length integer,
      next_offset integer NOT NULL,
      chunks integer NOT NULL,
      warnings text,
      generation integer NOT NULL,
      removed integer NOT NULL,
      state text NOT NULL,
      attempts integer NOT NULL,
      next_attempt_at bigint NOT NULL,
      lease_process text,
      lease_until bigint,
      error text,
      created_at bigint NOT NULL
    )`);
    await runner.query(`CREATE INDEX store_documents_store ON store_documents (store_id, id)`);
    await runner.query(`CREATE INDEX store_documents_due ON store_documents (state, next_attempt_at)`);
    await runner.query(`CREATE TABLE document_chunks (
      document_id text NOT NULL,
      position integer NOT NULL,
      text text NOT NULL,
      PRIMARY KEY (document_id, position)
    )`);
    await runner.query(`CREATE TABLE document_vectors (
      document_id text NOT NULL,
      first_position integer NOT NULL,
      dimensions integer NOT NULL,
      indexed integer NOT NULL,
      vectors ${bytes} NOT NULL,
      PRIMARY KEY (document_id, first_position)
    )`);
    await runner.query(
      `CREATE INDEX document_vectors_unindexed ON document_vectors (document_id) WHERE indexed = 0`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['document_vectors', 'document_chunks', 'store_documents', 'document_stores'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
