import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Observations, readings, keys and alarms of inspections. */
export class AddFacts1700000062001 implements MigrationInterface {
  name = 'AddFacts1700000062001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE facts (
      id text PRIMARY KEY NOT NULL,
      flow_id text NOT NULL,
      session_id text NOT NULL,
      area_key text NOT NULL,
      area_name text NOT NULL,
      area_type text NOT NULL,
      kind text NOT NULL,
      words text NOT NULL,
      photographs text NOT NULL,
      recorded_at bigint NOT NULL,
      arrival bigint NOT NULL,
      message_key text,
      execution_id text NOT NULL,
      claim_id text,
      withdrawn_at bigint
    )`);
    await runner.query(
      `CREATE UNIQUE INDEX facts_message ON facts (flow_id, session_id, message_key) WHERE message_key IS NOT NULL`,
    );
    await runner.query(`CREATE INDEX facts_session ON facts (session_id, flow_id, claim_id)`);
    await runner.query(`CREATE INDEX facts_claim ON facts (claim_id) WHERE claim_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE facts`);
  }
}
