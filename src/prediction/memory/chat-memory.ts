import { Injectable } from '@nestjs/common';
import { declareBudget } from '../../common/budgets/budget.js';
import { parseInLine } from '../../common/json/parse-in-line.js';
import { TaskQueue } from '../../common/processes/task-queue.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { SqlValue, Tx } from '../../database/tx.js';
import { insertRows } from '../../database/writes/insert-rows.js';
import { firstIdAt } from '../../executions/execution-id.js';
import type { Json } from '../../flows/engine/json.js';
import type { ChatMessage } from '../../flows/engine/node-kind.js';

/** The owner of memory and state, which outlive the process (contract section 3). */
export interface Chat {
  flowId: string;
  chatId: string;
}

/** An upload of a message: its name and kind, never its place or link. */
export interface SentUpload {
  type: string;
  name: string;
  mime: string;
}

export interface Turn extends Chat {
  /** A new UUID v7: turns of a chat are read in the order of their ids. */
  id: string;
  executionId: string;
  question: string;
  answer: string;
  uploads: readonly SentUpload[];
  /** Execution whose exchange it follows; the one before it in the chat if absent. */
  follows?: string;
  at: number;
}

interface StoredTurn {
  execution_id: string;
  follows: string | null;
  question: string;
  answer: string;
}

/** A turn with the number of turns found and the characters of it and all newer ones. */
interface FoundTurn extends StoredTurn {
  found: number;
  size: number;
}

/** A call of the chat. */
export interface EarlierCall extends Chat {
  executionId: string;
  /** Epoch milliseconds. */
  startedAt: number;
}

/** The part of a chat to read. */
export interface HistoryRange {
  /** Number of newest messages; all if absent. */
  limit?: number | undefined;
  /** Only messages that led to the answer of this execution. */
  after?: string | undefined;
  /** Only exchanges whose id is lower. */
  before?: string | undefined;
  /** Called if older messages are left out. */
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

/** Selects a text, truncated in the newest turn if that alone exceeds `memorySize`. */
const within = (column: string): string =>
  `CASE WHEN size <= ${memorySize.share} THEN ${column} ELSE SUBSTR(${column}, 1, ${memorySize.share / 2}) END AS ${column}`;

/** Older turns are never read, however short. */
const MOST_TURNS = 5_000;

/** States read at once: a run is charged for its state only once that is in memory, and a state may have 4 MB. */
const STATE_READS = 8;

const NEVER = new AbortController().signal;

/** Returns the turns that led to the answer of this execution, newest first. */
function leadingTo(executionId: string, turns: readonly StoredTurn[]): StoredTurn[] {
  const line: StoredTurn[] = [];
  // Null accepts the next older turn.
  let wanted: string | null = executionId;
  for (const turn of turns) {
    if (wanted !== null && turn.execution_id !== wanted) continue;
    line.push(turn);
    wanted = turn.follows;
  }
  return line;
}

/** The memory of chats: one row per turn, one row of state. Written only in the closing transaction of a run. */
@Injectable()
export class ChatMemory {
  private readonly stateReads = new TaskQueue(STATE_READS);

  constructor(private readonly reader: DatabaseReader) {}

  /**
   * Returns the newest messages within `memorySize`, oldest first. A turn is one or two messages. The newest turn is
   * always included, each of its texts truncated to half of that size.
   */
  async history(chat: Chat, { limit, after, before, onCut }: HistoryRange = {}): Promise<ChatMessage[]> {
    if (limit !== undefined && limit <= 0) return [];
    const most = limit === undefined ? undefined : Math.ceil(Math.min(limit, 1_000_000));
    const newest = await this.newest(chat, { most: after === undefined ? most : undefined, after, before });
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

  /** Returns the messages that a call remembered: those of the chat before its own exchange. */
  async historyBefore({ flowId, chatId, executionId, startedAt }: EarlierCall): Promise<ChatMessage[]> {
    const own = await this.reader.one<{ id: string; follows: string | null }>(
      'SELECT id, follows FROM chat_turns WHERE flow_id = ? AND chat_id = ? AND execution_id = ? ORDER BY id LIMIT 1',
      [flowId, chatId, executionId],
    );
    const after = own?.follows ?? undefined;
    return this.history(
      { flowId, chatId },
      after === undefined ? { before: own?.id ?? firstIdAt(startedAt) } : { after },
    );
  }

  /** Returns the newest turns within `memorySize`, newest first; with `after`, from that execution's turn backwards. */
  private newest(
    { flowId, chatId }: Chat,
    { most, after, before }: { most?: number | undefined } & Pick<HistoryRange, 'after' | 'before'>,
  ): Promise<FoundTurn[]> {
    const ofChat = 'FROM chat_turns WHERE flow_id = ? AND chat_id = ?';
    const older = before === undefined ? '' : 'AND id < ?';
    const from =
      after === undefined
        ? older
        : `${older} AND id <= (SELECT id ${ofChat} AND execution_id = ? ORDER BY id DESC LIMIT 1)`;
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
        ...(before === undefined ? [] : [before]),
        ...(after === undefined ? [] : [...parameters, after]),
        // One more than the limit shows that there are more.
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

  async storeTurns(tx: Tx, turns: readonly Turn[]): Promise<void> {
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

  async storeState(tx: Tx, { flowId, chatId }: Chat, state: Record<string, Json>, at: number): Promise<void> {
    await tx.run(
      `INSERT INTO chat_states (flow_id, chat_id, state, updated_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (flow_id, chat_id) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at`,
      [flowId, chatId, JSON.stringify(state), at],
    );
  }
}
