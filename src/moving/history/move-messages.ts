import type { Move } from '../target/move-target.js';
import { type Exchange, Exchanges } from './exchanges.js';
import { readMessage } from './foreign-message.js';
import { MessageAccount } from './message-account.js';
import type { MoveUploads } from './move-uploads.js';
import { missingTurns, writeTurns } from './moved-turns.js';

/** Limits of one transaction, for which a running service has to wait. */
const MOST_EXCHANGES = 250;
const MOST_CHARACTERS = 1024 * 1024;

/**
 * Moves the messages of the flows that are here, chat by chat. `rated` holds the ids of messages that feedback is about; an
 * id is removed once its message is found.
 */
export class MoveMessages {
  private readonly exchanges = new Exchanges();
  private readonly account: MessageAccount;
  private batch: Exchange[] = [];
  private characters = 0;

  constructor(
    private readonly move: Move,
    private readonly uploads: MoveUploads,
  ) {
    this.account = new MessageAccount(move.report);
  }

  async run(rated: Set<string>): Promise<void> {
    const { source, report, progress, flowIds } = this.move;
    const all = await source.count('chat_message');
    let done = 0;
    for await (const row of source.rows('chat_message', ['chatflowid', 'chatId', 'createdDate'])) {
      progress.step('messages', ++done, all);
      const message = readMessage(row);
      if ('why' in message) report.left('message', message.why);
      else if (!flowIds.has(message.flowId)) report.left('message', 'its flow was not moved', message.flowId);
      else {
        rated.delete(message.id);
        this.account.look(message, row);
        await this.take(this.exchanges.add(message));
      }
    }
    await this.take(this.exchanges.end());
    await this.flush();
    this.account.close();
  }

  private async take(exchanges: readonly Exchange[]): Promise<void> {
    for (const exchange of exchanges) {
      this.batch.push(exchange);
      this.characters += (exchange.question?.content.length ?? 0) + (exchange.answer?.content.length ?? 0);
      if (this.batch.length >= MOST_EXCHANGES || this.characters >= MOST_CHARACTERS) await this.flush();
    }
  }

  /** Moves the files before the messages that link to them. */
  private async flush(): Promise<void> {
    const { batch, move } = this;
    const { target, dryRun } = move;
    this.batch = [];
    this.characters = 0;
    if (batch.length === 0) return;
    for (const exchange of batch) await this.uploads.bring(exchange);
    const missing = dryRun
      ? await missingTurns(target.reader, batch)
      : await target.writes.write(async (tx) => {
          const found = await missingTurns(tx, batch);
          await writeTurns(tx, found);
          await writeTurns(tx, await missingTurns(tx, inSessions(batch)));
          return found;
        });
    this.account.count(batch, missing);
  }
}

/** Copies exchanges into the chats of their sessions, which callers continue that named a session alone. */
const inSessions = (batch: readonly Exchange[]): Exchange[] =>
  batch.flatMap((exchange) => {
    const chatId = (exchange.question ?? exchange.answer)?.sessionChatId;
    return chatId === undefined ? [] : [{ ...exchange, chatId }];
  });
