import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys of corrections are found by their age; outcomes hold less than before, and those of before are not read any more. */
export class FindCorrectionKeysByAge1700000073001 implements MigrationInterface {
  name = 'FindCorrectionKeysByAge1700000073001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM correction_keys');
    await runner.query('CREATE INDEX correction_keys_made_at ON correction_keys (made_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX correction_keys_made_at');
  }
}
