import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A run that ends before its trace was written writes both in one statement. */
export class AddTraceOfRecord1700000021000 implements MigrationInterface {
  name = 'AddTraceOfRecord1700000021000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE executions ADD COLUMN trace text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE executions DROP COLUMN trace`);
  }
}
