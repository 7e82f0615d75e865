import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The uploads of a message, for those who read the chat again. */
export class AddUploadsOfTurns1700000010000 implements MigrationInterface {
  name = 'AddUploadsOfTurns1700000010000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE chat_turns ADD COLUMN uploads text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE chat_turns DROP COLUMN uploads`);
  }
}
