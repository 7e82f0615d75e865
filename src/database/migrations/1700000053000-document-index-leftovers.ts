import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Vectors of an index that a process without it could not delete. */
export class AddDocumentIndexLeftovers1700000053000 implements MigrationInterface {
  name = 'AddDocumentIndexLeftovers1700000053000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE document_index_leftovers (
      document_id text NOT NULL,
      first_position integer NOT NULL,
      dimensions integer NOT NULL,
      count integer NOT NULL,
      PRIMARY KEY (document_id, first_position, dimensions)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE document_index_leftovers`);
  }
}
