import type { MigrationInterface, QueryRunner } from 'typeorm';

const CHATS_AT_ONCE = 1_000;

/** The digits by which telephone numbers in the ids of chats are found, and the refund of a call's price. */
export class AddFoundExecutions1700000009000 implements MigrationInterface {
  name = 'AddFoundExecutions1700000009000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE executions ADD COLUMN chat_digits text`);
    await runner.query(`ALTER TABLE executions ADD COLUMN refunded bigint NOT NULL DEFAULT 0`);
    await runner.query(`UPDATE executions SET refunded = credits WHERE id IN
      (SELECT execution_id FROM credit_entries WHERE kind = 'refund' AND execution_id IS NOT NULL)`);
    await fillDigits(runner);
    await runner.query(
      `CREATE INDEX executions_chat_digits ON executions (chat_digits, id) WHERE chat_digits IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX executions_chat_digits`);
    await runner.query(`ALTER TABLE executions DROP COLUMN refunded`);
    await runner.query(`ALTER TABLE executions DROP COLUMN chat_digits`);
  }
}

/** Chat by chat, along their index: what is a telephone number SQL cannot say alike on both databases. */
async function fillDigits(runner: QueryRunner): Promise<void> {
  const postgres = runner.connection.options.type === 'postgres';
  const [first, second] = postgres ? ['$1', '$2'] : ['?', '?'];
  let after = '';
  for (;;) {
    const chats = (await runner.query(
      `SELECT DISTINCT chat_id FROM executions WHERE chat_id > ${first} ORDER BY chat_id LIMIT ${CHATS_AT_ONCE}`,
      [after],
    )) as { chat_id: string }[];
    for (const { chat_id: chatId } of chats) {
      const digits = digitsOf(chatId);
      if (digits !== undefined)
        await runner.query(`UPDATE executions SET chat_digits = ${first} WHERE chat_id = ${second}`, [
          digits,
          chatId,
        ]);
    }
    if (chats.length < CHATS_AT_ONCE) return;
    after = chats.at(-1)!.chat_id;
  }
}

function digitsOf(chatId: string): string | undefined {
  const number = chatId.replace(/^\p{L}[\p{L}\d_-]*:/u, '');
  if (!/^[\d\s+().\p{Pd}]+$/u.test(number)) return undefined;
  const digits = number.replace(/\D/g, '');
  return digits.length < 9 ? undefined : digits.slice(-9);
}
