import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Corrections of what is said about photographs and remarks, and the prints of photographs that were turned. */
export class AddCorrections1700000061000 implements MigrationInterface {
  name = 'AddCorrections1700000061000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE photographs ADD COLUMN turn integer NOT NULL DEFAULT 0`);
    for (const table of ['photographs', 'remarks'])
      await runner.query(`ALTER TABLE ${table} ADD COLUMN withdrawn_at bigint`);
    await runner.query(`ALTER TABLE inspection_sessions ADD COLUMN corrections bigint NOT NULL DEFAULT 0`);
    await runner.query(`CREATE TABLE corrections (
      id text PRIMARY KEY NOT NULL,
      flow_id text NOT NULL,
      session_id text NOT NULL,
      number bigint NOT NULL,
      made_at bigint NOT NULL,
      made_by text NOT NULL,
      reason text,
      undoes text,
      execution_id text
    )`);
    await runner.query(
      `CREATE UNIQUE INDEX corrections_session ON corrections (session_id, flow_id, number)`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX corrections_undoes ON corrections (undoes) WHERE undoes IS NOT NULL`,
    );
    await runner.query(`CREATE TABLE corrected_items (
      correction_id text NOT NULL,
      subject_id text NOT NULL,
      kind text NOT NULL,
      change text NOT NULL,
      was text NOT NULL,
      PRIMARY KEY (correction_id, subject_id)
    )`);
    await runner.query(`CREATE INDEX corrected_items_subject ON corrected_items (subject_id)`);
    await runner.query(`CREATE TABLE turned_prints (
      id text PRIMARY KEY NOT NULL,
      photograph_id text NOT NULL,
      turn integer NOT NULL,
      storage_key text NOT NULL,
      sha256 text NOT NULL,
      bytes bigint NOT NULL
    )`);
    await runner.query(`CREATE UNIQUE INDEX turned_prints_photograph ON turned_prints (photograph_id, turn)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['turned_prints', 'corrected_items', 'corrections'])
      await runner.query(`DROP TABLE ${table}`);
    await runner.query(`ALTER TABLE inspection_sessions DROP COLUMN corrections`);
    for (const table of ['remarks', 'photographs'])
      await runner.query(`ALTER TABLE ${table} DROP COLUMN withdrawn_at`);
    await runner.query(`ALTER TABLE photographs DROP COLUMN turn`);
  }
}
