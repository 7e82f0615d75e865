import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The size into which a report was asked to fit, for its further editions. */
export class AddReportSizes1700000077000 implements MigrationInterface {
  name = 'AddReportSizes1700000077000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE reports ADD COLUMN max_bytes bigint`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE reports DROP COLUMN max_bytes`);
  }
}
