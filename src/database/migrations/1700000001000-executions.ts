import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The shared execution log: one row a call, one row a node run, and the answers kept for idempotent replay. */
export class AddExecutions1700000001000 implements MigrationInterface {
  name = 'AddExecutions1700000001000';

  async up(runner: QueryRunner): Promise<void> {
    // One tree instead of two: the rows stand in the primary key, which is how they are read.
    const rowless = runner.connection.options.type === 'sqlite' ? ' WITHOUT ROWID' : '';
    await runner.query(`CREATE TABLE executions (
      id text PRIMARY KEY NOT NULL,
      kind text NOT NULL,
      flow_id text,
      flow_name text,
      chat_id text,
      account text,
      status text NOT NULL,
      http_status integer,
      code text,
      error text,
      started_at bigint NOT NULL,
      finished_at bigint,
      duration_ms bigint,
      first_token_ms bigint,
      credits bigint NOT NULL DEFAULT 0,
      input_tokens bigint,
      output_tokens bigint,
      caller_address text,
      caller_api_key_id text,
      caller_origin text,
      failed_node_id text,
      failed_node_label text,
      question text,
      answer text,
      replay_of text,
      resumes text,
      process_id text,
      holds_turn integer,
      cancel_requested integer NOT NULL DEFAULT 0
    )`);
    // The chat's turn: one execution of a (flow, chat) at a time holds it, over all processes.
    await runner.query(
      `CREATE UNIQUE INDEX executions_turn ON executions (flow_id, chat_id) WHERE holds_turn = 1`,
    );
    await runner.query(`CREATE INDEX executions_running ON executions (process_id) WHERE status = 'running'`);
    // Ids sort by time, so each of these answers one filter newest first, at any time range, without sorting.
    await runner.query(`CREATE INDEX executions_chat ON executions (chat_id, id)`);
    await runner.query(`CREATE INDEX executions_flow ON executions (flow_id, id)`);
    await runner.query(`CREATE INDEX executions_kind ON executions (kind, id)`);
    await runner.query(`CREATE INDEX executions_status ON executions (status, id)`);
    await runner.query(
      `CREATE INDEX executions_http_status ON executions (http_status, id) WHERE http_status IS NOT NULL`,
    );
    await runner.query(`CREATE TABLE execution_nodes (
      execution_id text NOT NULL,
      run_id text NOT NULL,
      position bigint NOT NULL,
      data text NOT NULL,
      PRIMARY KEY (execution_id, run_id)
    )${rowless}`);
    await runner.query(`CREATE TABLE idempotent_answers (
      scope text NOT NULL,
      idempotency_key text NOT NULL,
      fingerprint text NOT NULL,
      execution_id text NOT NULL,
      process_id text,
      http_status integer,
      answer text,
      created_at bigint NOT NULL,
      PRIMARY KEY (scope, idempotency_key)
    )`);
    await runner.query(`CREATE INDEX idempotent_answers_execution ON idempotent_answers (execution_id)`);
    await runner.query(`CREATE INDEX idempotent_answers_created ON idempotent_answers (created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['idempotent_answers', 'execution_nodes', 'executions']) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
