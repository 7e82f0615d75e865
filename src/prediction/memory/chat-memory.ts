import { Injectable } from '@nestjs/common';
import { declareBudget } from '../../common/budgets/budget.js';
import { parseInLine } from '../../common/json/parse-in-line.js';
import { TaskQueue } from '../../common/processes/task-queue.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { SqlValue, Tx } from '../../database/tx.js';
import { insertRows } from '../../database/writes/insert-rows.js';
import type { Json } from '../../flows/engine/json.js';
import type { ChatMessage } from '../../flows/engine/node-kind.js';

/** The owner of a memory: memory and state belong to (flow, chatId) and outlive the process (contract section 3). */
export interface Chat {
  flowId: string;
  chatId: string;
}

/** An upload that was sent with a message: its name and kind, never where it lies or the link that it was fetched from. */
export interface SentUpload {
  type: string;
  name: string;
  mime: string;
}

export interface Turn extends Chat {
  /** UUID v7 made now: turns of a chat are read in the order of their ids. */
  id: string;
  executionId: string;
  question: string;
  answer: string;
  uploads: readonly SentUpload[];
  /** The execution whose exchange it follows; absent: the one before it in the chat. */
  follows?: string;
  at: number;
}

interface StoredTurn {
  execution_id: string;
  follows: string | null;
  question: string;
  answer: string;
}

/** A turn, how many there are that were asked for, and the characters of it and of all newer ones. */
interface FoundTurn extends StoredTurn {
  found: number;
  size: number;
}

/** The part of a chat that is asked for. */
export interface HistoryRange {
  /** The newest so many messages; all when absent. */
  limit?: number | undefined;
  /** Only those that led to the answer of this execution. */
  after?: string | undefined;
  /** Called where older messages are left out for their size or number. */
  onCut?: (() => void) | undefined;
}

const memorySize = declareBudget({
  name: 'messages of a chat that one call remembers',
  unit: 'bytes',
  owner: 'call',
  share: 1024 * 1024,
  beyond: 'the oldest turns are left out, and of the newest the ends, with warning memory_cut',
  reason:
    'some 250,000 tokens, more than most models read; a chat of 1,000 photographs and remarks has a third of it',
});

/** A text of the newest turn, which may exceed `memorySize` alone. */
const within = (column: string): string =>
  `CASE WHEN size <= ${memorySize.share} THEN ${column} ELSE SUBSTR(${column}, 1, ${memorySize.share / 2}) END AS ${column}`;

/** Older turns are not remembered, however short. */
const MOST_TURNS = 5_000;

/** States that are read at a time: a run is charged for its state only once that is in memory, and one may have 4 MB. */
const STATE_READS = 8;

const NEVER = new AbortController().signal;

/** Of all turns of a chat, newest first, those that led to the answer of this execution, newest first. */
function leadingTo(executionId: string, turns: readonly StoredTurn[]): StoredTurn[] {
  const line: StoredTurn[] = [];
  // Null: whichever comes next, going back.
  let wanted: string | null = executionId;
  for (const turn of turns) {
    if (wanted !== null && turn.execution_id !== wanted) continue;
    line.push(turn);
    wanted = turn.follows;
  }
  return line;
}

/** The memory of chats: one row a turn, one row of state. Written only in a run's closing transaction. */
@Injectable()
export class ChatMemory {
  private readonly stateReads = new TaskQueue(STATE_READS);

  constructor(private readonly reader: DatabaseReader) {}

  /**
   * The newest messages within `memorySize`, oldest first. A turn is one or two messages; the newest is there in any case,
   * each of its texts without what is beyond half of that size.
   */
  async history(chat: Chat, { limit, after, onCut }: HistoryRange = {}): Promise<ChatMessage[]> {
    if (limit !== undefined && limit <= 0) return [];
    const most = limit === undefined ? undefined : Math.ceil(Math.min(limit, 1_000_000));
    const newest = await this.newest(chat, after === undefined ? most : undefined, after);
    const turns = after === undefined ? newest : leadingTo(after, newest).slice(0, most);
    const messages = turns.reverse().flatMap(({ question, answer }): ChatMessage[] => [
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ]);
    const spoken = messages.filter(({ content }) => content !== '');
    const [latest] = newest;
    const lacksOlder = Number(latest?.found ?? 0) > newest.length;
    const isShortened = Number(latest?.size ?? 0) > memorySize.share;
    if (isShortened || (lacksOlder && (limit === undefined || spoken.length < limit))) onCut?.();
    return limit === undefined ? spoken : spoken.slice(-limit);
  }

  /** The newest turns within `memorySize`, newest first; with `after` from the turn of that execution backwards. */
  private newest(
    { flowId, chatId }: Chat,
    most: number | undefined,
    after: string | undefined,
  ): Promise<FoundTurn[]> {
    const ofChat = 'FROM chat_turns WHERE flow_id = ? AND chat_id = ?';
    const from =
      after === undefined
        ? ''
        : `AND id <= (SELECT id ${ofChat} AND execution_id = ? ORDER BY id DESC LIMIT 1)`;
    const parameters: SqlValue[] = [flowId, chatId];
    return this.reader.all(
      `SELECT execution_id, follows, ${within('question')}, ${within('answer')}, found, size FROM
         (SELECT id, execution_id, follows, question, answer,
                 SUM(LENGTH(question) + LENGTH(answer)) OVER (ORDER BY id DESC) AS size,
                 COUNT(*) OVER () AS found, ROW_NUMBER() OVER (ORDER BY id DESC) AS number
          FROM (SELECT id, execution_id, follows, question, answer ${ofChat} ${from} ORDER BY id DESC LIMIT ?) AS latest
         ) AS sized WHERE (size <= ${memorySize.share} OR number = 1) AND number <= ? ORDER BY id DESC`,
      [
        ...parameters,
        ...(after === undefined ? [] : [...parameters, after]),
        // One more than is remembered: it tells that there are more.
        Math.min(most ?? Infinity, MOST_TURNS + 1),
        MOST_TURNS,
      ],
    );
  }

  /** Returns the flow state that the chat stored; undefined for a new chat. */
  state(chat: Chat): Promise<Record<string, Json> | undefined> {
    return this.stateReads.run(() => this.readState(chat), NEVER);
  }

  private async readState({ flowId, chatId }: Chat): Promise<Record<string, Json> | undefined> {
    const row = await this.reader.one<{ state: string }>(
      'SELECT state FROM chat_states WHERE flow_id = ? AND chat_id = ?',
      [flowId, chatId],
    );
    return row && ((await parseInLine(row.state)) as Record<string, Json>);
  }

  async rememberAll(tx: Tx, turns: readonly Turn[]): Promise<void> {
    await insertRows(
      tx,
      'INSERT INTO chat_turns (flow_id, chat_id, id, execution_id, question, answer, uploads, follows, created_at) VALUES',
      '',
      turns.map((turn) => [
        ...[turn.flowId, turn.chatId, turn.id, turn.executionId, turn.question, turn.answer],
        ...[turn.uploads.length === 0 ? null : JSON.stringify(turn.uploads), turn.follows ?? null, turn.at],
      ]),
    );
  }

  async keepState(tx: Tx, { flowId, chatId }: Chat, state: Record<string, Json>, at: number): Promise<void> {
    await tx.run(
      `INSERT INTO chat_states (flow_id, chat_id, state, updated_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (flow_id, chat_id) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at`,
      [flowId, chatId, JSON.stringify(state), at],
    );
  }
}
