import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A message may follow any earlier answer of its chat: which one. */
export class AddBranchesOfChats1700000050000 implements MigrationInterface {
  name = 'AddBranchesOfChats1700000050000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE chat_turns ADD COLUMN follows text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE chat_turns DROP COLUMN follows`);
  }
}
