import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The size that the pictures of a report were stepped down to. */
export class AddSmallerPrints1700000070001 implements MigrationInterface {
  name = 'AddSmallerPrints1700000070001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE reports ADD COLUMN prints text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE reports DROP COLUMN prints`);
  }
}
