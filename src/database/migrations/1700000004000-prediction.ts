import { Migration } from './migration.js';

/** The memory of chats, the feedback, leads and files of their users, the cases of flows, and the addresses of the processes that stream. */
export class AddPrediction1700000004000 extends Migration {
  statements(): string[] {
    return [
      // One row per turn; its id (UUID v7) is made when the turn ends. The key's order reads a chat oldest first.
      `CREATE TABLE chat_turns (
        flow_id text NOT NULL,
        chat_id text NOT NULL,
        id text NOT NULL,
        follows text,
        execution_id text NOT NULL,
        question_id text,
        question text NOT NULL,
        uploads text,
        answer_id text,
        answer text NOT NULL,
        asked_at bigint,
        created_at bigint NOT NULL,
        PRIMARY KEY (flow_id, chat_id, id)
      )`,
      `CREATE INDEX chat_turns_moved_answer ON chat_turns (answer_id) WHERE answer_id IS NOT NULL`,
      `CREATE TABLE chat_states (
        flow_id text NOT NULL,
        chat_id text NOT NULL,
        state text NOT NULL,
        updated_at bigint NOT NULL,
        PRIMARY KEY (flow_id, chat_id)
      )`,
      `CREATE TABLE feedback (
        id text PRIMARY KEY NOT NULL,
        flow_id text NOT NULL,
        chat_id text NOT NULL,
        message_id text NOT NULL,
        rating text,
        content text,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL
      )`,
      `CREATE INDEX feedback_chat ON feedback (flow_id, chat_id)`,
      `CREATE INDEX feedback_flow ON feedback (flow_id, created_at, id)`,
      `CREATE TABLE leads (
        id text PRIMARY KEY NOT NULL,
        flow_id text NOT NULL,
        chat_id text NOT NULL,
        name text,
        email text,
        phone text,
        created_at bigint NOT NULL
      )`,
      `CREATE INDEX leads_chat ON leads (flow_id, chat_id)`,
      `CREATE INDEX leads_flow ON leads (flow_id, created_at, id)`,
      `CREATE TABLE chat_files (
        id text PRIMARY KEY NOT NULL,
        flow_id text NOT NULL,
        chat_id text NOT NULL,
        name text NOT NULL,
        mime text NOT NULL,
        bytes bigint NOT NULL,
        blob_key text NOT NULL,
        created_at bigint NOT NULL
      )`,
      `CREATE INDEX chat_files_chat ON chat_files (flow_id, chat_id)`,
      `CREATE TABLE run_files (
        blob_key text PRIMARY KEY NOT NULL,
        run_id text NOT NULL,
        created_at bigint NOT NULL
      )`,
      `CREATE INDEX run_files_created ON run_files (created_at)`,
      `CREATE TABLE flow_cases (
        id text PRIMARY KEY NOT NULL,
        flow_id text NOT NULL,
        name text NOT NULL,
        calls text NOT NULL,
        checks text NOT NULL,
        execution_id text,
        bytes bigint NOT NULL,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL,
        last_run_id text,
        last_passed integer,
        last_at bigint
      )`,
      `CREATE INDEX flow_cases_flow ON flow_cases (flow_id, id)`,
      `CREATE TABLE case_blobs (
        blob_key text PRIMARY KEY NOT NULL,
        case_id text NOT NULL,
        part integer NOT NULL
      )`,
      `CREATE INDEX case_blobs_case ON case_blobs (case_id)`,
      `CREATE TABLE case_runs (
        id text PRIMARY KEY NOT NULL,
        flow_id text NOT NULL,
        version text NOT NULL,
        status text NOT NULL,
        error text,
        total integer NOT NULL,
        process_id text NOT NULL,
        started_at bigint NOT NULL,
        finished_at bigint
      )`,
      `CREATE INDEX case_runs_flow ON case_runs (flow_id, id)`,
      `CREATE INDEX case_runs_running ON case_runs (process_id) WHERE status = 'running'`,
      `CREATE TABLE case_results (
        run_id text NOT NULL,
        position integer NOT NULL,
        charge_id text,
        data text,
        PRIMARY KEY (run_id, position)
      )`,
      `CREATE TABLE process_addresses (
        process_id text PRIMARY KEY NOT NULL,
        url text NOT NULL
      )`,
    ];
  }
}
