import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Chats that began in another program keep the ids and times of their messages; feedback and leads are listed by flow. */
export class AddMovedChats1700000048000 implements MigrationInterface {
  name = 'AddMovedChats1700000048000';

  async up(runner: QueryRunner): Promise<void> {
    for (const column of ['question_id text', 'answer_id text', 'asked_at bigint'])
      await runner.query(`ALTER TABLE chat_turns ADD COLUMN ${column}`);
    await runner.query(
      `CREATE INDEX chat_turns_moved_answer ON chat_turns (answer_id) WHERE answer_id IS NOT NULL`,
    );
    await runner.query(`CREATE INDEX feedback_flow ON feedback (flow_id, created_at, id)`);
    await runner.query(`CREATE INDEX leads_flow ON leads (flow_id, created_at, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of ['leads_flow', 'feedback_flow', 'chat_turns_moved_answer'])
      await runner.query(`DROP INDEX ${index}`);
    for (const column of ['asked_at', 'answer_id', 'question_id'])
      await runner.query(`ALTER TABLE chat_turns DROP COLUMN ${column}`);
  }
}
