import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The service areas that earlier reports of a session had settled when a claim was made. */
export class AddSettledBefore1700000068000 implements MigrationInterface {
  name = 'AddSettledBefore1700000068000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE claims ADD COLUMN settled_before text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE claims DROP COLUMN settled_before`);
  }
}
