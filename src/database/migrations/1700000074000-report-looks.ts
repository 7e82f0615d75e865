import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the pages of a claim's report look. Null: as they looked when nothing of it was kept. */
export class AddReportLooks1700000074000 implements MigrationInterface {
  name = 'AddReportLooks1700000074000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE claims ADD COLUMN look text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE claims DROP COLUMN look`);
  }
}
