import { Migration } from './migration.js';

/** Reports, their mails, previews and packs, and uploaded logos. */
export class AddReports1700000006000 extends Migration {
  statements(): string[] {
    return [
      `CREATE TABLE reports (
        id text PRIMARY KEY NOT NULL,
        claim_id text NOT NULL,
        session_id text NOT NULL,
        flow_ids text NOT NULL,
        execution_id text NOT NULL,
        edition integer NOT NULL DEFAULT 1,
        replaces text,
        edition_reason text,
        filename text NOT NULL,
        storage_key text NOT NULL,
        manifest_key text NOT NULL,
        bytes bigint NOT NULL,
        max_bytes bigint,
        pages integer NOT NULL,
        sha256 text NOT NULL,
        photographs integer NOT NULL,
        claimed integer NOT NULL DEFAULT 0,
        prints text,
        warnings text NOT NULL,
        outstanding_areas text NOT NULL,
        created_at bigint NOT NULL,
        signature text
      )`,
      // Two renders can never settle one claim.
      `CREATE UNIQUE INDEX reports_claim ON reports (claim_id)`,
      `CREATE INDEX reports_session ON reports (session_id, created_at)`,
      `CREATE TABLE report_mails (
        id text PRIMARY KEY NOT NULL,
        report_id text NOT NULL,
        recipients text NOT NULL,
        remaining text NOT NULL,
        refused text NOT NULL,
        subject text NOT NULL,
        body text NOT NULL,
        link text,
        storage_key text,
        attached text,
        state text NOT NULL,
        attempts integer NOT NULL,
        next_attempt_at bigint NOT NULL,
        lease_process text,
        lease_until bigint,
        code text,
        error text,
        created_at bigint NOT NULL,
        sent_at bigint
      )`,
      `CREATE INDEX report_mails_due ON report_mails (state, next_attempt_at)`,
      `CREATE INDEX report_mails_report ON report_mails (report_id)`,
      `CREATE TABLE previews (
        id text PRIMARY KEY NOT NULL,
        execution_id text NOT NULL,
        session_id text NOT NULL,
        flow_ids text NOT NULL,
        filename text NOT NULL,
        storage_key text NOT NULL,
        bytes bigint NOT NULL,
        sha256 text NOT NULL,
        expires_at bigint NOT NULL
      )`,
      `CREATE INDEX previews_expiry ON previews (expires_at)`,
      `CREATE INDEX previews_session ON previews (session_id, flow_ids)`,
      `CREATE TABLE pack_parts (
        id text PRIMARY KEY NOT NULL,
        report_id text NOT NULL,
        part_max_bytes bigint NOT NULL,
        n integer NOT NULL,
        filename text NOT NULL,
        storage_key text NOT NULL,
        bytes bigint NOT NULL,
        sha256 text NOT NULL,
        expires_at bigint NOT NULL
      )`,
      `CREATE INDEX pack_parts_expiry ON pack_parts (expires_at)`,
      `CREATE TABLE assets (
        id text PRIMARY KEY NOT NULL,
        source_sha256 text NOT NULL,
        storage_key text NOT NULL,
        bytes bigint NOT NULL,
        width integer NOT NULL,
        height integer NOT NULL,
        created_at bigint NOT NULL
      )`,
      `CREATE UNIQUE INDEX assets_source ON assets (source_sha256)`,
    ];
  }
}
