import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why a mail could not be sent at all, as a code that programs can tell. */
export class AddMailCodes1700000011000 implements MigrationInterface {
  name = 'AddMailCodes1700000011000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE report_mails ADD COLUMN code text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE report_mails DROP COLUMN code`);
  }
}
