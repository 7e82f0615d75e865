import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The revision that signs the file of a report, kept with it. */
export class AddSignatures1700000069001 implements MigrationInterface {
  name = 'AddSignatures1700000069001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE reports ADD COLUMN signature text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE reports DROP COLUMN signature`);
  }
}
