import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stops of runs, each with a name of its own. `chat_stops`, which nothing ever filled, stays for processes of the version
 * before.
 */
export class AddStops1700000030000 implements MigrationInterface {
  name = 'AddStops1700000030000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE run_stops (
      id text PRIMARY KEY NOT NULL,
      flow_id text NOT NULL,
      chat_id text NOT NULL,
      execution_id text NOT NULL,
      run_id text NOT NULL,
      node_id text NOT NULL,
      node_label text NOT NULL,
      text text NOT NULL,
      action text NOT NULL,
      snapshot text,
      request_key text,
      asked_at bigint NOT NULL,
      expires_at bigint NOT NULL,
      decision text,
      feedback text,
      decided_at bigint,
      decided_by text
    )`);
    await runner.query(`CREATE INDEX run_stops_execution ON run_stops (execution_id)`);
    await runner.query(`CREATE INDEX run_stops_node ON run_stops (flow_id, chat_id, node_id)`);
    await runner.query(`CREATE INDEX run_stops_open ON run_stops (expires_at) WHERE decision IS NULL`);
    await runner.query(`CREATE INDEX run_stops_kept ON run_stops (id) WHERE request_key IS NOT NULL`);
    await runner.query(`CREATE INDEX executions_resumes ON executions (resumes) WHERE resumes IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX executions_resumes`);
    await runner.query(`DROP TABLE run_stops`);
  }
}
