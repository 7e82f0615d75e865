import { Between } from 'typeorm';
import type { ChatMessageView } from '../../api/chats.js';
import type { PageOf } from '../../api/shapes.js';
import { isoTime } from '../../common/iso-time.js';
import type { DatabaseReader } from '../../database/database-reader.js';
import type { SqlValue } from '../../database/tx.js';
import { isExecutionId, startedAtIn } from '../../executions/execution-id.js';
import type { Chat, SentUpload } from './chat-memory.js';
import { ChatTurn } from './chat-turn.entity.js';

interface MessagePage {
  limit: number;
  /** `nextCursor` of the previous page: the position of its last message. */
  cursor?: string | undefined;
}

/** Most characters of a page: one question may have a mebibyte. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** Returns a page, newest first; empty for an unknown chat. A page of long messages may hold fewer than `limit`. */
export async function chatMessages(
  reader: DatabaseReader,
  chat: Chat,
  { limit, cursor }: MessagePage,
): Promise<PageOf<ChatMessageView>> {
  const { turns, isLast } = await turnsOf(reader, chat, limit + 2, cursor);
  const messages = turns.flatMap(messagesOf).filter(({ place }) => place !== cursor);
  const page = messages.slice(0, limit);
  return {
    data: page.map(({ message }) => message),
    nextCursor: isLast && messages.length <= limit ? null : (page.at(-1)?.place ?? null),
  };
}

/** Reads as many exchanges as fit a page, at least two. Sizes are read first, so that no more is ever in memory. */
async function turnsOf(
  reader: DatabaseReader,
  { flowId, chatId }: Chat,
  most: number,
  cursor: string | undefined,
) {
  const within = 'FROM chat_turns WHERE flow_id = ? AND chat_id = ?';
  const from: [sql: string, values: SqlValue[]] = cursor === undefined ? ['', []] : afterMessage(cursor);
  const sizes = await reader.all<{ id: string; size: number }>(
    `SELECT id, length(question) + length(answer) AS size ${within}${from[0]} ORDER BY id DESC LIMIT ?`,
    [flowId, chatId, ...from[1], most],
  );
  let characters = 0;
  const fitting = sizes.filter(({ size }, index) => (characters += size) <= MOST_CHARACTERS || index < 2);
  const [first, last] = [fitting[0], fitting.at(-1)];
  if (!first || !last) return { turns: [], isLast: true };
  const turns = await reader.repository(ChatTurn).find({
    where: { flowId, chatId, id: Between(last.id, first.id) },
    order: { id: 'DESC' },
  });
  return { turns, isLast: fitting.length === sizes.length && sizes.length < most };
}

/** Variants of the UUIDs of an answer and its question, which differ in nothing else. */
const ANSWER = '8';
const QUESTION = '9';
const VARIANT_AT = 19;

const withVariant = (id: string, variant: string): string =>
  id.slice(0, VARIANT_AT) + variant + id.slice(VARIANT_AT + 1);

function afterMessage(cursor: string): [sql: string, values: SqlValue[]] {
  const isQuestion = cursor[VARIANT_AT] === QUESTION;
  return [` AND id ${isQuestion ? '<' : '<='} ?`, [withVariant(cursor, ANSWER)]];
}

/** Returns the messages of a turn, newest first, with their positions. */
function messagesOf(turn: ChatTurn): { place: string; message: ChatMessageView }[] {
  const { id, question, answer, questionId, answerId } = turn;
  const executionId = turn.executionId === '' ? null : turn.executionId;
  const uploads = turn.uploads === null ? [] : (JSON.parse(turn.uploads) as SentUpload[]);
  const place = withVariant(id, QUESTION);
  const isMoved = questionId !== null || answerId !== null;
  // A click on a choice has no words.
  const isSent = isMoved ? questionId !== null : question !== '' || uploads.length > 0;
  const isAnswered = !isMoved || answerId !== null;
  const sent: ChatMessageView = {
    id: questionId ?? place,
    role: 'user',
    content: question,
    createdAt: isoTime(questionTimeOf(turn)),
    executionId,
    ...(uploads.length === 0 ? {} : { uploads }),
  };
  const answered: ChatMessageView = {
    id: answerId ?? id,
    role: 'assistant',
    content: answer,
    createdAt: isoTime(turn.createdAt),
    executionId,
  };
  return [
    ...(isAnswered ? [{ place: id, message: answered }] : []),
    ...(isSent ? [{ place, message: sent }] : []),
  ];
}

const questionTimeOf = ({ askedAt, executionId, createdAt }: ChatTurn): number =>
  askedAt ?? (isExecutionId(executionId) ? startedAtIn(executionId) : createdAt);
