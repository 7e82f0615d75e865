import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The outcomes of corrections that were sent under an `Idempotency-Key`. */
export class AddCorrectionKeys1700000072001 implements MigrationInterface {
  name = 'AddCorrectionKeys1700000072001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE correction_keys (
      session_id text NOT NULL,
      flow_id text NOT NULL,
      who text NOT NULL,
      call_key text NOT NULL,
      fingerprint text NOT NULL,
      outcome text NOT NULL,
      made_at bigint NOT NULL,
      PRIMARY KEY (session_id, flow_id, who, call_key)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE correction_keys');
  }
}
