import { EntityColumns } from '../../database/entity-columns.js';
import type { SqlReader, Tx } from '../../database/tx.js';
import { insertRows } from '../../database/writes/insert-rows.js';
import { ChatTurn } from '../../prediction/memory/chat-turn.entity.js';
import type { Exchange } from './exchanges.js';
import { movedId } from './moved-ids.js';

/** Exchanges that are to be written: those that are new, and those of which the question alone is here. */
export interface MissingTurns {
  fresh: Exchange[];
  unanswered: Exchange[];
}

const row = new EntityColumns(ChatTurn).made<Exchange>({
  flowId: ({ flowId }) => flowId,
  chatId: ({ chatId }) => chatId,
  id: ({ id }) => id,
  executionId: ({ question, answer }) => (question ?? answer)!.executionId,
  question: ({ question }) => question?.content ?? '',
  answer: ({ answer }) => answer?.content ?? '',
  uploads: ({ question }) =>
    question && question.uploads.length > 0 ? JSON.stringify(question.uploads) : null,
  createdAt: ({ question, answer }) => (answer ?? question)!.at,
  questionId: ({ question }) => (question ? movedId(question.id) : null),
  answerId: ({ answer }) => (answer ? movedId(answer.id) : null),
  askedAt: ({ question, answer }) => (question ?? answer)!.at,
});

/** Which of these exchanges are not here. They come chat by chat. */
export async function missingTurns(reader: SqlReader, exchanges: readonly Exchange[]): Promise<MissingTurns> {
  const missing: MissingTurns = { fresh: [], unanswered: [] };
  for (const ofChat of byChat(exchanges)) {
    await findAgain(reader, ofChat);
    const answers = await answersHere(reader, ofChat);
    for (const exchange of ofChat) {
      if (!answers.has(exchange.id)) missing.fresh.push(exchange);
      else if (answers.get(exchange.id) === null && exchange.answer) missing.unanswered.push(exchange);
    }
  }
  return missing;
}

/** Writes what is missing, so that what ended in the middle is completed by doing it again. */
export async function writeTurns(tx: Tx, { fresh, unanswered }: MissingTurns): Promise<void> {
  await insertRows(
    tx,
    row.insert,
    'ON CONFLICT DO NOTHING',
    fresh.map((exchange) => row.values(exchange)),
  );
  for (const { flowId, chatId, id, answer } of unanswered) {
    const { content, at, id: answerId } = answer!;
    await tx.run(
      `UPDATE chat_turns SET answer = ?, answer_id = ?, created_at = ?
       WHERE flow_id = ? AND chat_id = ? AND id = ? AND answer_id IS NULL`,
      [content, movedId(answerId), at, flowId, chatId, id],
    );
  }
}

/** The ids of answers by the ids of the turns, in the part of the chat where these would stand. */
async function answersHere(
  reader: SqlReader,
  ofChat: readonly Exchange[],
): Promise<Map<string, string | null>> {
  const { flowId, chatId } = ofChat[0]!;
  const ids = ofChat.map(({ id }) => id).sort();
  const rows = await reader.all<{ id: string; answerId: string | null }>(
    `SELECT id, answer_id AS "answerId" FROM chat_turns WHERE flow_id = ? AND chat_id = ? AND id BETWEEN ? AND ?`,
    [flowId, chatId, ids[0]!, ids.at(-1)!],
  );
  return new Map(rows.map(({ id, answerId }) => [id, answerId]));
}

/** Gives exchanges that an earlier move wrote under other ids the ids that they have here. */
async function findAgain(reader: SqlReader, ofChat: readonly Exchange[]): Promise<void> {
  const leaning = new Map(
    ofChat.filter(({ leans }) => leans).map((exchange) => [firstMessageOf(exchange), exchange]),
  );
  if (leaning.size === 0) return;
  const { flowId, chatId } = ofChat[0]!;
  const marks = [...leaning].map(() => '?').join(', ');
  const rows = await reader.all<{ id: string; questionId: string | null; answerId: string | null }>(
    `SELECT id, question_id AS "questionId", answer_id AS "answerId" FROM chat_turns
     WHERE flow_id = ? AND chat_id = ? AND (question_id IN (${marks}) OR answer_id IN (${marks}))`,
    [flowId, chatId, ...leaning.keys(), ...leaning.keys()],
  );
  for (const { id, questionId, answerId } of rows)
    for (const messageId of [questionId, answerId]) {
      const exchange = messageId === null ? undefined : leaning.get(messageId);
      if (exchange) exchange.id = id;
    }
}

const firstMessageOf = ({ question, answer }: Exchange): string => movedId((question ?? answer)!.id);

function* byChat(exchanges: readonly Exchange[]): Generator<Exchange[]> {
  let ofChat: Exchange[] = [];
  for (const exchange of exchanges) {
    const [first] = ofChat;
    if (first && (first.flowId !== exchange.flowId || first.chatId !== exchange.chatId)) {
      yield ofChat;
      ofChat = [];
    }
    ofChat.push(exchange);
  }
  if (ofChat.length > 0) yield ofChat;
}
