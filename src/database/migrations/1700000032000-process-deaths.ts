import type { MigrationInterface, QueryRunner } from 'typeorm';

/** So many processes died over a run: apart from its attempts, which planned handovers raise too. */
export class AddProcessDeaths1700000032000 implements MigrationInterface {
  name = 'AddProcessDeaths1700000032000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE executions ADD COLUMN process_deaths integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE executions DROP COLUMN process_deaths`);
  }
}
