import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why a document could not be made ready, as a stable code beside the sentence. */
export class AddDocumentErrorCodes1700000049000 implements MigrationInterface {
  name = 'AddDocumentErrorCodes1700000049000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE store_documents ADD COLUMN error_code text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE store_documents DROP COLUMN error_code`);
  }
}
