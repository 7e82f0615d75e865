import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Further editions of reports, and the corrections that they made. */
export class AddEditions1700000065001 implements MigrationInterface {
  name = 'AddEditions1700000065001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE claims ADD COLUMN replaces_claim_id text`);
    await runner.query(`ALTER TABLE claims ADD COLUMN edition text`);
    await runner.query(
      `CREATE UNIQUE INDEX claims_replaces ON claims (replaces_claim_id) WHERE replaces_claim_id IS NOT NULL AND state <> 'released'`,
    );
    await runner.query(`ALTER TABLE corrections ADD COLUMN claim_id text`);
    await runner.query(`ALTER TABLE corrections ADD COLUMN edition integer`);
    await runner.query(
      `CREATE INDEX corrections_claim ON corrections (claim_id, edition) WHERE claim_id IS NOT NULL`,
    );
    await runner.query(`ALTER TABLE reports ADD COLUMN edition integer NOT NULL DEFAULT 1`);
    await runner.query(`ALTER TABLE reports ADD COLUMN replaces text`);
    await runner.query(`ALTER TABLE reports ADD COLUMN edition_reason text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of ['claims_replaces', 'corrections_claim']) await runner.query(`DROP INDEX ${index}`);
    for (const column of ['edition_reason', 'replaces', 'edition'])
      await runner.query(`ALTER TABLE reports DROP COLUMN ${column}`);
    for (const column of ['edition', 'claim_id'])
      await runner.query(`ALTER TABLE corrections DROP COLUMN ${column}`);
    for (const column of ['edition', 'replaces_claim_id'])
      await runner.query(`ALTER TABLE claims DROP COLUMN ${column}`);
  }
}
