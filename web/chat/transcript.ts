import type { Kept } from '../common/kept.js';
import type { Trouble } from './trouble.js';
import type { Turn } from './turn.js';

export interface Message {
  id: string;
  from: 'person' | 'flow';
  text: string;
  /** Those that went with it, in their order. */
  photographs?: readonly SentPhotograph[];
  /** The person cut the answer off. */
  stopped?: boolean;
  /** Why it has no answer, or no more of one, and the chat went on. */
  trouble?: string;
}

export interface SentPhotograph {
  id: string;
  name: string;
}

/** A turn without an answer yet. */
export type Pending = Omit<Turn, 'maySend'>;

const MOST_KEPT = 200;

/** The words of a chat, and the turn that is under way or has failed: what a page that comes back begins with. */
export class Transcript {
  constructor(private readonly kept: Kept) {}

  load(): { messages: readonly Message[]; pending?: Pending | undefined; trouble?: Trouble | undefined } {
    const pending = this.kept.get<Pending>('pending');
    return {
      messages: this.kept.get<Message[]>('messages') ?? [],
      pending,
      trouble: pending && this.kept.get<Trouble>('trouble'),
    };
  }

  save(chat: ReturnType<Transcript['load']>): void {
    const messages = chat.messages.slice(-MOST_KEPT);
    this.kept.set('messages', messages.length > 0 ? messages : undefined);
    this.kept.set('pending', chat.pending);
    this.kept.set('trouble', chat.pending && chat.trouble);
  }
}
