import { EntityColumns } from '../../database/entity-columns.js';
import type { SqlReader, Tx } from '../../database/tx.js';
import { insertRows } from '../../database/writes/insert-rows.js';
import { ChatTurn } from '../../prediction/memory/chat-turn.entity.js';
import type { Exchange } from './exchanges.js';
import { movedId } from './moved-ids.js';

/** Exchanges to be written: new ones, and those of which only the question is here. */
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

/** Returns the exchanges that are not here. They come chat by chat. */
export async function missingTurns(reader: SqlReader, exchanges: readonly Exchange[]): Promise<MissingTurns> {
  const missing: MissingTurns = { fresh: [], unanswered: [] };
  for (const ofChat of byChat(exchanges)) {
    await setEarlierIds(reader, ofChat);
    const answers = await answersHere(reader, ofChat);
    for (const exchange of ofChat) {
      if (!answers.has(exchange.id)) missing.fresh.push(exchange);
      else if (answers.get(exchange.id) === null && exchange.answer) missing.unanswered.push(exchange);
    }
  }
  return missing;
}

/** Writes the missing exchanges; running it again completes a move that was interrupted. */
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

/** Returns the ids of answers by the ids of their turns, in the part of the chat to which these exchanges belong. */
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

/** Sets the ids of exchanges that an earlier move wrote under other ids. */
async function setEarlierIds(reader: SqlReader, ofChat: readonly Exchange[]): Promise<void> {
  const dependent = new Map(
    ofChat
      .filter(({ dependsOnOthers }) => dependsOnOthers)
      .map((exchange) => [firstMessageId(exchange), exchange]),
  );
  if (dependent.size === 0) return;
  const { flowId, chatId } = ofChat[0]!;
  const marks = [...dependent].map(() => '?').join(', ');
  const rows = await reader.all<{ id: string; questionId: string | null; answerId: string | null }>(
    `SELECT id, question_id AS "questionId", answer_id AS "answerId" FROM chat_turns
     WHERE flow_id = ? AND chat_id = ? AND (question_id IN (${marks}) OR answer_id IN (${marks}))`,
    [flowId, chatId, ...dependent.keys(), ...dependent.keys()],
  );
  for (const { id, questionId, answerId } of rows)
    for (const messageId of [questionId, answerId]) {
      const exchange = messageId === null ? undefined : dependent.get(messageId);
      if (exchange) exchange.id = id;
    }
}

const firstMessageId = ({ question, answer }: Exchange): string => movedId((question ?? answer)!.id);

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
