import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The credential that signs the callback of an async run, which may outlive its flow. */
export class AddSigners1700000031000 implements MigrationInterface {
  name = 'AddSigners1700000031000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE async_runs ADD COLUMN credential_id text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE async_runs DROP COLUMN credential_id`);
  }
}
