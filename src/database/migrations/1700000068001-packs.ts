import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The parts of packs of reports, as long as their addresses work. */
export class AddPacks1700000068001 implements MigrationInterface {
  name = 'AddPacks1700000068001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE pack_parts (
      id text PRIMARY KEY NOT NULL,
      report_id text NOT NULL,
      part_max_bytes bigint NOT NULL,
      n integer NOT NULL,
      filename text NOT NULL,
      storage_key text NOT NULL,
      bytes bigint NOT NULL,
      sha256 text NOT NULL,
      expires_at bigint NOT NULL
    )`);
    await runner.query(`CREATE INDEX pack_parts_expiry ON pack_parts (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE pack_parts`);
  }
}
