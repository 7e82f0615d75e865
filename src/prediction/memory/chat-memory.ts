import { Injectable } from '@nestjs/common';
import { DatabaseReader } from '../../database/database-reader.js';
import { insertRows } from '../../database/insert-rows.js';
import type { SqlValue, Tx } from '../../database/tx.js';
import type { Json } from '../../flows/engine/json.js';
import type { ChatMessage } from '../../flows/engine/node-kind.js';

/** Whose memory it is: memory and state belong to (flow, chatId) and outlive the process (contract section 3). */
export interface Chat {
  flowId: string;
  chatId: string;
}

/** What was sent with a message: its name and kind, never where it lies or the link that it was fetched from. */
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
  at: number;
}

export interface KeptStop {
  executionId: string;
  snapshot: Json;
}

/** What a chat remembers: one row a turn, one row of state, at most one stop. Written only in a run's closing transaction. */
@Injectable()
export class ChatMemory {
  constructor(private readonly reader: DatabaseReader) {}

  /** The newest `limit` messages (all when absent), oldest first. A turn is two messages. */
  async history({ flowId, chatId }: Chat, limit?: number): Promise<ChatMessage[]> {
    if (limit !== undefined && limit <= 0) return [];
    const newest =
      'SELECT question, answer FROM chat_turns WHERE flow_id = ? AND chat_id = ? ORDER BY id DESC';
    const parameters: SqlValue[] = [flowId, chatId];
    if (limit !== undefined) parameters.push(Math.ceil(Math.min(limit, 1_000_000) / 2));
    const turns = await this.reader.all<{ question: string; answer: string }>(
      limit === undefined ? newest : `${newest} LIMIT ?`,
      parameters,
    );
    const messages = turns.reverse().flatMap(({ question, answer }): ChatMessage[] => [
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ]);
    const said = messages.filter(({ content }) => content !== '');
    return limit === undefined ? said : said.slice(-limit);
  }

  /** The flow state that the chat kept; empty for a new chat. */
  async state({ flowId, chatId }: Chat): Promise<Record<string, Json> | undefined> {
    const row = await this.reader.one<{ state: string }>(
      'SELECT state FROM chat_states WHERE flow_id = ? AND chat_id = ?',
      [flowId, chatId],
    );
    return row && (JSON.parse(row.state) as Record<string, Json>);
  }

  /** The run of this chat that waits for a human, if one does. */
  async stop({ flowId, chatId }: Chat): Promise<KeptStop | undefined> {
    const row = await this.reader.one<{ execution_id: string; snapshot: string }>(
      'SELECT execution_id, snapshot FROM chat_stops WHERE flow_id = ? AND chat_id = ?',
      [flowId, chatId],
    );
    return row && { executionId: row.execution_id, snapshot: JSON.parse(row.snapshot) as Json };
  }

  async rememberAll(tx: Tx, turns: readonly Turn[]): Promise<void> {
    await insertRows(
      tx,
      'INSERT INTO chat_turns (flow_id, chat_id, id, execution_id, question, answer, uploads, created_at) VALUES',
      '',
      turns.map((turn) => [
        ...[turn.flowId, turn.chatId, turn.id, turn.executionId, turn.question, turn.answer],
        ...[turn.uploads.length === 0 ? null : JSON.stringify(turn.uploads), turn.at],
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

  async keepStop(tx: Tx, { flowId, chatId }: Chat, stop: KeptStop, at: number): Promise<void> {
    await tx.run(
      `INSERT INTO chat_stops (flow_id, chat_id, execution_id, snapshot, created_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (flow_id, chat_id) DO UPDATE SET execution_id = excluded.execution_id,
         snapshot = excluded.snapshot, created_at = excluded.created_at`,
      [flowId, chatId, stop.executionId, JSON.stringify(stop.snapshot), at],
    );
  }

  async forgetStop(tx: Tx, { flowId, chatId }: Chat, executionId: string): Promise<void> {
    await tx.run('DELETE FROM chat_stops WHERE flow_id = ? AND chat_id = ? AND execution_id = ?', [
      flowId,
      chatId,
      executionId,
    ]);
  }
}
