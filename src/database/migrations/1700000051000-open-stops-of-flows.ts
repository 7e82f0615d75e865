import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Open stops by flow: those of deleted flows are found without reading the others. */
export class AddOpenStopsOfFlows1700000051000 implements MigrationInterface {
  name = 'AddOpenStopsOfFlows1700000051000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX run_stops_asking ON run_stops (flow_id, id) WHERE decision IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX run_stops_asking`);
  }
}
