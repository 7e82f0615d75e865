import { columnText, type SourceRow } from '../../flows/import/rows/row-values.js';
import type { MoveReport } from '../report/move-report.js';
import type { Exchange } from './exchanges.js';
import type { ForeignMessage } from './foreign-message.js';
import type { MissingTurns } from './moved-turns.js';

const NOTES = {
  extras: ['Messages with tools, sources, artifacts or reasoning', 'only their text was moved'],
  uploads: ['Messages whose list of uploads cannot be read in full', 'the readable part was moved'],
  timeless: ['Messages whose time cannot be read', 'each has the time of the message before it'],
  sessions: [
    'Messages of callers who named a session and no chat',
    'they are also in the chat of that session, which such a caller continues',
  ],
  stops: [
    'Messages that ask for an approval that was never given',
    'the question was moved, the approval was not',
  ],
} as const;

/** Counts messages and chats for the report. Messages come chat by chat. */
export class MessageAccount {
  private readonly noted = new Map<keyof typeof NOTES, number>();
  private chat: string | undefined;
  private isHere = false;

  constructor(private readonly report: MoveReport) {}

  look(message: ForeignMessage, row: SourceRow): void {
    for (const part of message.lost) this.note(part);
    if (message.at === undefined) this.note('timeless');
    if (message.sessionChatId !== undefined) this.note('sessions');
    if (columnText(row['action']) !== undefined) this.note('stops');
  }

  count(batch: readonly Exchange[], { fresh, unanswered }: MissingTurns): void {
    const newOnes = new Set(fresh);
    const completed = new Set(unanswered);
    for (const exchange of batch) {
      const all = (exchange.question ? 1 : 0) + (exchange.answer ? 1 : 0);
      const came = newOnes.has(exchange) ? all : completed.has(exchange) ? 1 : 0;
      this.report.came('message', came);
      this.report.here('message', '', undefined, all - came);
      this.countChat(exchange, came < all);
    }
  }

  close(): void {
    this.closeChat();
    for (const [name, count] of this.noted) {
      const [which, outcome] = NOTES[name];
      this.report.note(`${which}: ${count}; ${outcome}.`);
    }
  }

  private countChat({ flowId, chatId }: Exchange, isHere: boolean): void {
    const chat = `${flowId}\n${chatId}`;
    if (chat !== this.chat) this.closeChat();
    this.chat = chat;
    this.isHere ||= isHere;
  }

  private closeChat(): void {
    if (this.chat !== undefined) {
      if (this.isHere) this.report.here('chat');
      else this.report.came('chat');
    }
    this.isHere = false;
  }

  private note(name: keyof typeof NOTES): void {
    this.noted.set(name, (this.noted.get(name) ?? 0) + 1);
  }
}
