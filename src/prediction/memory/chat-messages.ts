import { Injectable } from '@nestjs/common';
import { isoTime } from '../../common/clock.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { SqlValue } from '../../database/tx.js';
import { isExecutionId, startedAtIn } from '../../executions/execution-id.js';
import type { Chat, SentUpload } from './chat-memory.js';

/** A message of a chat (contract section 7). An answer's `id` is the `chatMessageId` that it was given. */
export interface ShownMessage {
  id: string;
  role: 'user' | 'assistant';
  content: string;
  createdAt: string;
  executionId: string;
  uploads?: SentUpload[];
}

export interface MessagePage {
  limit: number;
  /** `nextCursor` of the page before: the id of its last message. */
  cursor?: string | undefined;
}

interface TurnRow {
  id: string;
  execution_id: string;
  question: string;
  answer: string;
  uploads: string | null;
  created_at: number;
}

/** Of a page, however few messages they are: a question may have a mebibyte. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** The messages of chats, for people who read them again. */
@Injectable()
export class ChatMessages {
  constructor(private readonly reader: DatabaseReader) {}

  /** The newest first; none for a chat that nobody knows. A page of long messages may hold fewer than `limit`. */
  async page(
    chat: Chat,
    { limit, cursor }: MessagePage,
  ): Promise<{ data: ShownMessage[]; nextCursor: string | null }> {
    const { turns, isLast } = await this.turns(chat, limit + 2, cursor);
    const messages = turns.flatMap(messagesOf).filter(({ id }) => id !== cursor);
    const data = messages.slice(0, limit);
    return { data, nextCursor: isLast && messages.length <= limit ? null : (data.at(-1)?.id ?? null) };
  }

  /** So many exchanges as a page has room for, at least two; their sizes first, so that no more is ever in memory. */
  private async turns({ flowId, chatId }: Chat, most: number, cursor: string | undefined) {
    const within = 'FROM chat_turns WHERE flow_id = ? AND chat_id = ?';
    const from: [sql: string, values: SqlValue[]] = cursor === undefined ? ['', []] : afterMessage(cursor);
    const sizes = await this.reader.all<{ id: string; size: number }>(
      `SELECT id, length(question) + length(answer) AS size ${within}${from[0]} ORDER BY id DESC LIMIT ?`,
      [flowId, chatId, ...from[1], most],
    );
    let characters = 0;
    const room = sizes.filter(({ size }, index) => (characters += size) <= MOST_CHARACTERS || index < 2);
    const [first, last] = [room[0], room.at(-1)];
    if (!first || !last) return { turns: [], isLast: true };
    const turns = await this.reader.all<TurnRow>(
      `SELECT id, execution_id, question, answer, uploads, created_at ${within} AND id <= ? AND id >= ?
       ORDER BY id DESC`,
      [flowId, chatId, first.id, last.id],
    );
    return { turns, isLast: room.length === sizes.length && sizes.length < most };
  }
}

/** Both messages of an exchange have its id, the question with another variant: two UUIDs that name each other. */
const ANSWER = '8';
const QUESTION = '9';
const VARIANT_AT = 19;

const withVariant = (id: string, variant: string): string =>
  id.slice(0, VARIANT_AT) + variant + id.slice(VARIANT_AT + 1);

function afterMessage(cursor: string): [sql: string, values: SqlValue[]] {
  const isQuestion = cursor[VARIANT_AT] === QUESTION;
  return [` AND id ${isQuestion ? '<' : '<='} ?`, [withVariant(cursor, ANSWER)]];
}

function messagesOf(turn: TurnRow): ShownMessage[] {
  const { id, execution_id: executionId, question, answer, created_at: answeredAt } = turn;
  const uploads = turn.uploads === null ? [] : (JSON.parse(turn.uploads) as SentUpload[]);
  const askedAt = isExecutionId(executionId) ? startedAtIn(executionId) : answeredAt;
  const said: ShownMessage = {
    id: withVariant(id, QUESTION),
    role: 'user',
    content: question,
    createdAt: isoTime(askedAt),
    executionId,
    ...(uploads.length === 0 ? {} : { uploads }),
  };
  // A click on a choice says nothing.
  const isSaid = question !== '' || uploads.length > 0;
  return [
    { id, role: 'assistant', content: answer, createdAt: isoTime(answeredAt), executionId },
    ...(isSaid ? [said] : []),
  ];
}
