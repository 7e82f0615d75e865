import { type Dialect, Migration } from './migration.js';

/** Document stores: documents, their chunks, and the vectors of those. No entity describes `document_vectors`, because the databases share no type for bytes. */
export class AddDocuments1700000007000 extends Migration {
  statements(dialect: Dialect): string[] {
    return [
      `CREATE TABLE document_stores (
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
      )`,
      `CREATE TABLE store_documents (
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
        error_code text,
        error text,
        created_at bigint NOT NULL
      )`,
      `CREATE INDEX store_documents_store ON store_documents (store_id, id)`,
      `CREATE INDEX store_documents_due ON store_documents (state, next_attempt_at)`,
      `CREATE TABLE document_chunks (
        document_id text NOT NULL,
        position integer NOT NULL,
        text text NOT NULL,
        PRIMARY KEY (document_id, position)
      )`,
      `CREATE TABLE document_vectors (
        document_id text NOT NULL,
        first_position integer NOT NULL,
        dimensions integer NOT NULL,
        indexed integer NOT NULL,
        vectors ${dialect === 'sqlite' ? 'blob' : 'bytea'} NOT NULL,
        PRIMARY KEY (document_id, first_position)
      )`,
      `CREATE INDEX document_vectors_unindexed ON document_vectors (document_id) WHERE indexed = 0`,
      // Vectors in an index that a process without that index could not delete.
      `CREATE TABLE document_index_leftovers (
        document_id text NOT NULL,
        first_position integer NOT NULL,
        dimensions integer NOT NULL,
        count integer NOT NULL,
        PRIMARY KEY (document_id, first_position, dimensions)
      )`,
    ];
  }
}
