import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Decided stops that still keep the call of their run: those of ended runs are found without reading the ones that wait,
 * of which there may be any number. Replaces the index over both.
 */
export class AddDecidedStops1700000054000 implements MigrationInterface {
  name = 'AddDecidedStops1700000054000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX run_stops_decided ON run_stops (id) WHERE request_key IS NOT NULL AND decision IS NOT NULL`,
    );
    await runner.query(`DROP INDEX run_stops_kept`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX run_stops_kept ON run_stops (id) WHERE request_key IS NOT NULL`);
    await runner.query(`DROP INDEX run_stops_decided`);
  }
}
