import type { ForeignMessage } from './foreign-message.js';
import { movedTurnId } from './moved-ids.js';

/** A message with its time in its chat. */
export type TimedMessage = ForeignMessage & { at: number };

/** A question with its answer, or one of them alone. */
export interface Exchange {
  flowId: string;
  chatId: string;
  /** Ids of a chat rise in the order of its messages. */
  id: string;
  /** Set if its id depends on the messages before it: an earlier move, which saw other messages, may have given another id. */
  dependsOnOthers: boolean;
  question?: TimedMessage;
  answer?: TimedMessage;
}

interface Placed {
  id: string;
  /** Its time is missing, or earlier than that of a message before it. */
  isOdd: boolean;
  dependsOnOthers: boolean;
  message: TimedMessage;
}

/**
 * Makes exchanges from messages that come chat by chat, in their order. A question and the answer right after it are one
 * exchange if they are of one execution. Within a chat times never decrease, and messages of one instant keep their order. A
 * message with an odd time is an exchange of its own, because its neighbours change as the chat continues.
 */
export class Exchanges {
  private chat = '';
  private at = 0;
  private place = 0;
  private open: Placed | undefined;

  /** Adds a message and returns the exchanges that are complete now. */
  add(message: ForeignMessage): Exchange[] {
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

  /** Ends a chat and returns its last question if that has no answer. */
  end(): Exchange[] {
    const { open } = this;
    this.open = undefined;
    return open ? [exchangeOf(open, undefined)] : [];
  }

  private placed(message: ForeignMessage): Placed {
    const at = Math.max(message.at ?? this.at, this.at);
    this.place = at === this.at ? this.place + 1 : 0;
    this.at = at;
    const isOdd = message.at !== at;
    const dependsOnOthers = isOdd || this.place > 0;
    const id = movedTurnId(at, this.place, message.id);
    return { id, isOdd, dependsOnOthers, message: { ...message, at } };
  }
}

const alone = (placed: Placed): [Placed | undefined, Placed | undefined] =>
  placed.message.role === 'user' ? [placed, undefined] : [undefined, placed];

function exchangeOf(question: Placed | undefined, answer: Placed | undefined): Exchange {
  const { id, dependsOnOthers, message } = (question ?? answer)!;
  const { flowId, chatId } = message;
  return {
    ...{ flowId, chatId, id, dependsOnOthers },
    ...(question && { question: question.message }),
    ...(answer && { answer: answer.message }),
  };
}
