import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The flows, each with its definition as JSON text. */
export class AddFlows1700000002000 implements MigrationInterface {
  name = 'AddFlows1700000002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE flows (
      id text PRIMARY KEY NOT NULL,
      name text NOT NULL,
      definition text NOT NULL,
      revision text NOT NULL,
      source_hash text,
      created_at bigint NOT NULL,
      updated_at bigint NOT NULL
    )`);
    await runner.query(`CREATE INDEX flows_created ON flows (created_at, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE flows`);
  }
}
