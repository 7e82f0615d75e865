import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The secrets of model providers and HTTP nodes, sealed. */
export class AddCredentials1700000007000 implements MigrationInterface {
  name = 'AddCredentials1700000007000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE credentials (
      id text PRIMARY KEY NOT NULL,
      name text NOT NULL,
      kind text NOT NULL,
      sealed text NOT NULL,
      created_at bigint NOT NULL,
      updated_at bigint NOT NULL
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE credentials`);
  }
}
