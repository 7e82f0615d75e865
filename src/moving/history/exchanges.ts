import { movedTurnId } from './moved-ids.js';
import type { TheirMessage } from './their-message.js';

/** A message with its time in its chat. */
export type TimedMessage = TheirMessage & { at: number };

/** A question with its answer, or one of them alone. */
export interface Exchange {
  flowId: string;
  chatId: string;
  /** Ids of a chat rise in the order of its messages. */
  id: string;
  /** Whether its id depends on the messages before it, so that an earlier move, which saw others, may have given it another. */
  leans: boolean;
  question?: TimedMessage;
  answer?: TimedMessage;
}

interface Placed {
  id: string;
  /** Its own time is none, or before that of a message before it. */
  isOdd: boolean;
  leans: boolean;
  message: TimedMessage;
}

/**
 * Makes exchanges of messages that come chat by chat, in the order in which they were said there. A question and the
 * answer right after it belong together where they are of one execution; whatever else stands between two messages, each
 * stays in its place. Times never fall within a chat, and messages of one instant keep their order. A message whose time
 * is odd stands alone: its neighbours are others once the chat has gone on.
 */
export class Exchanges {
  private chat = '';
  private at = 0;
  private place = 0;
  private open: Placed | undefined;

  /** The exchanges that are whole, now that this message has come. */
  add(message: TheirMessage): Exchange[] {
    const chat = `${message.flowId}\n${message.chatId}`;
    const closed = chat === this.chat ? [] : this.end();
    if (chat !== this.chat) [this.chat, this.at, this.place] = [chat, 0, -1];
    const placed = this.placed(message);
    const { open } = this;
    if (placed.isOdd) closed.push(...this.end(), exchangeOf(...alone(placed)));
    else if (message.role === 'user') {
      closed.push(...this.end());
      this.open = placed;
    } else if (open && open.message.executionId === message.executionId) {
      closed.push(exchangeOf(open, placed));
      this.open = undefined;
    } else closed.push(...this.end(), exchangeOf(undefined, placed));
    return closed;
  }

  /** The question that nothing answered, if there is one. */
  end(): Exchange[] {
    const { open } = this;
    this.open = undefined;
    return open ? [exchangeOf(open, undefined)] : [];
  }

  private placed(message: TheirMessage): Placed {
    const at = Math.max(message.at ?? this.at, this.at);
    this.place = at === this.at ? this.place + 1 : 0;
    this.at = at;
    const isOdd = message.at !== at;
    const leans = isOdd || this.place > 0;
    return { id: movedTurnId(at, this.place, message.id), isOdd, leans, message: { ...message, at } };
  }
}

const alone = (placed: Placed): [Placed | undefined, Placed | undefined] =>
  placed.message.role === 'user' ? [placed, undefined] : [undefined, placed];

function exchangeOf(question: Placed | undefined, answer: Placed | undefined): Exchange {
  const { id, leans, message } = (question ?? answer)!;
  const { flowId, chatId } = message;
  return {
    ...{ flowId, chatId, id, leans },
    ...(question && { question: question.message }),
    ...(answer && { answer: answer.message }),
  };
}
