import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reports that are made of other reports: what their claim stands for, and how many photographs a report took. */
export class AddComparison1700000008000 implements MigrationInterface {
  name = 'AddComparison1700000008000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE claims ADD COLUMN source text`);
    await runner.query(`ALTER TABLE reports ADD COLUMN claimed integer NOT NULL DEFAULT 0`);
    await runner.query(`UPDATE reports SET claimed = photographs`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE reports DROP COLUMN claimed`);
    await runner.query(`ALTER TABLE claims DROP COLUMN source`);
  }
}
