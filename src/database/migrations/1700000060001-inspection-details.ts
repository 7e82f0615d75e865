import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The record of each inspection: what is known of its property. Areas' comments apart, because a claim spends them. */
export class AddInspectionDetails1700000060001 implements MigrationInterface {
  name = 'AddInspectionDetails1700000060001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE inspection_details (
        flow_id text NOT NULL,
        session_id text NOT NULL,
        details text NOT NULL,
        area_comments text,
        comments_claim_id text,
        address text,
        postcode text,
        inspector text,
        updated_at bigint NOT NULL,
        PRIMARY KEY (flow_id, session_id)
      )`,
    );
    await runner.query(
      `CREATE INDEX inspection_details_claim ON inspection_details (comments_claim_id) WHERE comments_claim_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE inspection_details`);
  }
}
