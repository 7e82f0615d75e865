import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Runs that are continued, by a call under the same key or by another process, and the journal of their effects. */
export class AddRuns1700000020000 implements MigrationInterface {
  name = 'AddRuns1700000020000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE executions ADD COLUMN retry_of text`);
    await runner.query(`ALTER TABLE executions ADD COLUMN run_id text`);
    await runner.query(`ALTER TABLE executions ADD COLUMN attempt integer NOT NULL DEFAULT 1`);
    await runner.query(`ALTER TABLE executions ADD COLUMN outlives_process integer NOT NULL DEFAULT 0`);
    await runner.query(`CREATE INDEX executions_run ON executions (run_id) WHERE run_id IS NOT NULL`);
    await runner.query(`ALTER TABLE idempotent_answers ADD COLUMN run_id text`);
    await runner.query(`CREATE TABLE effects (
      run_id text NOT NULL,
      path text NOT NULL,
      kind text NOT NULL,
      execution_id text NOT NULL,
      attempt integer NOT NULL,
      revision text NOT NULL,
      begun_at bigint NOT NULL,
      ended_at bigint,
      result text,
      PRIMARY KEY (run_id, path)
    )`);
    await runner.query(`CREATE TABLE async_runs (
      id text PRIMARY KEY NOT NULL,
      token_hash text NOT NULL,
      request_key text,
      callback_url text,
      answer text,
      created_at bigint NOT NULL,
      ended_at bigint
    )`);
    await runner.query(`CREATE UNIQUE INDEX async_runs_token ON async_runs (token_hash)`);
    await runner.query(
      `CREATE INDEX async_runs_unfinished ON async_runs (created_at) WHERE ended_at IS NULL`,
    );
    await runner.query(`CREATE TABLE callbacks (
      id text PRIMARY KEY NOT NULL,
      execution_id text NOT NULL,
      flow_id text NOT NULL,
      target text NOT NULL,
      url text NOT NULL,
      credential_id text NOT NULL,
      body text NOT NULL,
      state text NOT NULL,
      attempts integer NOT NULL,
      next_attempt_at bigint NOT NULL,
      lease_process text,
      lease_until bigint,
      error text,
      created_at bigint NOT NULL
    )`);
    await runner.query(`CREATE INDEX callbacks_due ON callbacks (state, next_attempt_at)`);
    await runner.query(`CREATE INDEX callbacks_execution ON callbacks (execution_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['callbacks', 'async_runs', 'effects']) await runner.query(`DROP TABLE ${table}`);
    await runner.query(`ALTER TABLE idempotent_answers DROP COLUMN run_id`);
    await runner.query(`DROP INDEX executions_run`);
    for (const column of ['outlives_process', 'attempt', 'run_id', 'retry_of'])
      await runner.query(`ALTER TABLE executions DROP COLUMN ${column}`);
  }
}
