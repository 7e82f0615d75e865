import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files of previews, which live an hour. */
export class AddPreviews1700000065000 implements MigrationInterface {
  name = 'AddPreviews1700000065000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE previews (
      id text PRIMARY KEY NOT NULL,
      execution_id text NOT NULL,
      session_id text NOT NULL,
      flow_ids text NOT NULL,
      filename text NOT NULL,
      storage_key text NOT NULL,
      bytes bigint NOT NULL,
      sha256 text NOT NULL,
      expires_at bigint NOT NULL
    )`);
    await runner.query(`CREATE INDEX previews_expiry ON previews (expires_at)`);
    await runner.query(`CREATE INDEX previews_session ON previews (session_id, flow_ids)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE previews`);
  }
}
