import type { Kept } from './kept.js';
import type { Trouble } from './trouble.js';
import type { Turn } from './turn.js';

export interface Message {
  id: string;
  from: 'person' | 'flow';
  text: string;
  /** How many photographs went with it, and (not kept) small copies of them. */
  photographs?: number;
  thumbnails?: readonly (string | undefined)[];
  /** The person cut the answer off. */
  stopped?: boolean;
}

/** A turn without an answer yet. */
export type Pending = Omit<Turn, 'photographs'> & { photographs: number };

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
    const messages = chat.messages.slice(-MOST_KEPT).map(({ thumbnails: _, ...message }) => message);
    this.kept.set('messages', messages.length > 0 ? messages : undefined);
    this.kept.set('pending', chat.pending);
    this.kept.set('trouble', chat.pending && chat.trouble);
  }
}
