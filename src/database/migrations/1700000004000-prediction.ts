import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The memory of chats (turns, flow state, a stop that waits for a human), and the feedback, leads and files of their users. */
export class AddPrediction1700000004000 implements MigrationInterface {
  name = 'AddPrediction1700000004000';

  async up(runner: QueryRunner): Promise<void> {
    // One row a turn, its id (UUID v7) made when the turn ends: in the order of the key, a chat reads oldest first.
    await runner.query(`CREATE TABLE chat_turns (
      flow_id text NOT NULL,
      chat_id text NOT NULL,
      id text NOT NULL,
      execution_id text NOT NULL,
      question text NOT NULL,
      answer text NOT NULL,
      created_at bigint NOT NULL,
      PRIMARY KEY (flow_id, chat_id, id)
    )`);
    await runner.query(`CREATE TABLE chat_states (
      flow_id text NOT NULL,
      chat_id text NOT NULL,
      state text NOT NULL,
      updated_at bigint NOT NULL,
      PRIMARY KEY (flow_id, chat_id)
    )`);
    await runner.query(`CREATE TABLE chat_stops (
      flow_id text NOT NULL,
      chat_id text NOT NULL,
      execution_id text NOT NULL,
      snapshot text NOT NULL,
      created_at bigint NOT NULL,
      PRIMARY KEY (flow_id, chat_id)
    )`);
    await runner.query(`CREATE TABLE feedback (
      id text PRIMARY KEY NOT NULL,
      flow_id text NOT NULL,
      chat_id text NOT NULL,
      message_id text NOT NULL,
      rating text,
      content text,
      created_at bigint NOT NULL,
      updated_at bigint NOT NULL
    )`);
    await runner.query(`CREATE INDEX feedback_chat ON feedback (flow_id, chat_id)`);
    await runner.query(`CREATE TABLE leads (
      id text PRIMARY KEY NOT NULL,
      flow_id text NOT NULL,
      chat_id text NOT NULL,
      name text,
      email text,
      phone text,
      created_at bigint NOT NULL
    )`);
    await runner.query(`CREATE INDEX leads_chat ON leads (flow_id, chat_id)`);
    await runner.query(`CREATE TABLE chat_files (
      id text PRIMARY KEY NOT NULL,
      flow_id text NOT NULL,
      chat_id text NOT NULL,
      name text NOT NULL,
      mime text NOT NULL,
      bytes bigint NOT NULL,
      blob_key text NOT NULL,
      created_at bigint NOT NULL
    )`);
    await runner.query(`CREATE INDEX chat_files_chat ON chat_files (flow_id, chat_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['chat_files', 'leads', 'feedback', 'chat_stops', 'chat_states', 'chat_turns']) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
