import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The files of mails that carry a report with smaller pictures. */
export class AddMailEditions1700000070002 implements MigrationInterface {
  name = 'AddMailEditions1700000070002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE report_mails ADD COLUMN storage_key text`);
    await runner.query(`ALTER TABLE report_mails ADD COLUMN attached text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ['attached', 'storage_key'])
      await runner.query(`ALTER TABLE report_mails DROP COLUMN ${column}`);
  }
}
