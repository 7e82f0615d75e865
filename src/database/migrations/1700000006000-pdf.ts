import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Claims of an inspection's photographs, the reports made of them, their e-mails, and uploaded logos. */
export class AddReports1700000006000 implements MigrationInterface {
  name = 'AddReports1700000006000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE claims (
      id text PRIMARY KEY NOT NULL,
      session_id text NOT NULL,
      flow_ids text NOT NULL,
      state text NOT NULL,
      process_id text NOT NULL,
      execution_id text NOT NULL,
      report_id text NOT NULL,
      meta text NOT NULL,
      photographs integer NOT NULL,
      remarks integer NOT NULL,
      outstanding_areas text NOT NULL,
      failure text,
      created_at bigint NOT NULL,
      ended_at bigint
    )`);
    await runner.query(`CREATE INDEX claims_session ON claims (session_id, state)`);
    await runner.query(`CREATE INDEX claims_execution ON claims (execution_id)`);
    await runner.query(`CREATE INDEX claims_drawing ON claims (process_id) WHERE state = 'drawing'`);
    await runner.query(`CREATE TABLE reports (
      id text PRIMARY KEY NOT NULL,
      claim_id text NOT NULL,
      session_id text NOT NULL,
      flow_ids text NOT NULL,
      execution_id text NOT NULL,
      filename text NOT NULL,
      storage_key text NOT NULL,
      manifest_key text NOT NULL,
      bytes bigint NOT NULL,
      pages integer NOT NULL,
      sha256 text NOT NULL,
      photographs integer NOT NULL,
      warnings text NOT NULL,
      outstanding_areas text NOT NULL,
      created_at bigint NOT NULL
    )`);
    // Two renders can never settle one claim.
    await runner.query(`CREATE UNIQUE INDEX reports_claim ON reports (claim_id)`);
    await runner.query(`CREATE INDEX reports_session ON reports (session_id, created_at)`);
    await runner.query(`CREATE TABLE report_mails (
      id text PRIMARY KEY NOT NULL,
      report_id text NOT NULL,
      recipients text NOT NULL,
      remaining text NOT NULL,
      subject text NOT NULL,
      body text NOT NULL,
      link text,
      state text NOT NULL,
      attempts integer NOT NULL,
      next_attempt_at bigint NOT NULL,
      lease_process text,
      lease_until bigint,
      error text,
      created_at bigint NOT NULL,
      sent_at bigint
    )`);
    await runner.query(`CREATE INDEX report_mails_due ON report_mails (state, next_attempt_at)`);
    await runner.query(`CREATE INDEX report_mails_report ON report_mails (report_id)`);
    await runner.query(`CREATE TABLE assets (
      id text PRIMARY KEY NOT NULL,
      source_sha256 text NOT NULL,
      storage_key text NOT NULL,
      bytes bigint NOT NULL,
      width integer NOT NULL,
      height integer NOT NULL,
      created_at bigint NOT NULL
    )`);
    await runner.query(`CREATE UNIQUE INDEX assets_source ON assets (source_sha256)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['assets', 'report_mails', 'reports', 'claims']) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
