import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Inspections: the current area of each session, its photographs, and its remarks. */
export class AddInspection1700000005000 implements MigrationInterface {
  name = 'AddInspection1700000005000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE inspection_sessions (
      flow_id text NOT NULL,
      session_id text NOT NULL,
      current_area text,
      current_area_type text,
      last_area text,
      last_area_type text,
      last_closed_at bigint,
      arrivals bigint NOT NULL,
      created_at bigint NOT NULL,
      updated_at bigint NOT NULL,
      PRIMARY KEY (flow_id, session_id)
    )`);
    await runner.query(`CREATE INDEX inspection_sessions_updated ON inspection_sessions (updated_at)`);
    await runner.query(`CREATE TABLE photographs (
      id text PRIMARY KEY NOT NULL,
      flow_id text NOT NULL,
      session_id text NOT NULL,
      area_key text NOT NULL,
      area_name text NOT NULL,
      area_type text NOT NULL,
      service text,
      captured_at bigint NOT NULL,
      source text NOT NULL,
      received_at bigint NOT NULL,
      arrival bigint NOT NULL,
      message_key text,
      caption text,
      file_name text,
      format text NOT NULL,
      sha256 text NOT NULL,
      bytes bigint NOT NULL,
      original_key text NOT NULL,
      original_width integer NOT NULL,
      original_height integer NOT NULL,
      rendition_key text,
      rendition_sha256 text,
      rendition_bytes bigint,
      width integer NOT NULL,
      height integer NOT NULL,
      perceptual_hash text,
      partly_read integer NOT NULL DEFAULT 0,
      execution_id text NOT NULL,
      claim_id text
    )`);
    // A message that comes twice is recorded once, whoever claimed it meanwhile.
    await runner.query(
      `CREATE UNIQUE INDEX photographs_message ON photographs (flow_id, session_id, message_key) WHERE message_key IS NOT NULL`,
    );
    await runner.query(`CREATE INDEX photographs_session ON photographs (session_id, flow_id, claim_id)`);
    await runner.query(`CREATE INDEX photographs_claim ON photographs (claim_id) WHERE claim_id IS NOT NULL`);
    await runner.query(`CREATE INDEX photographs_content ON photographs (flow_id, sha256, session_id, id)`);
    await runner.query(
      `CREATE INDEX photographs_look ON photographs (flow_id, perceptual_hash, session_id) WHERE perceptual_hash IS NOT NULL`,
    );
    await runner.query(`CREATE TABLE remarks (
      id text PRIMARY KEY NOT NULL,
      flow_id text NOT NULL,
      session_id text NOT NULL,
      area_key text NOT NULL,
      area_name text NOT NULL,
      area_type text NOT NULL,
      text text NOT NULL,
      recorded_at bigint NOT NULL,
      arrival bigint NOT NULL,
      message_key text,
      execution_id text NOT NULL,
      claim_id text
    )`);
    await runner.query(
      `CREATE UNIQUE INDEX remarks_message ON remarks (flow_id, session_id, message_key) WHERE message_key IS NOT NULL`,
    );
    await runner.query(`CREATE INDEX remarks_session ON remarks (session_id, flow_id, claim_id)`);
    await runner.query(`CREATE INDEX remarks_claim ON remarks (claim_id) WHERE claim_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['remarks', 'photographs', 'inspection_sessions'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
