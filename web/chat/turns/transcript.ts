import type { Kept } from '../../common/kept.js';
import type { Decision } from './decision.js';
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

/** The ids of all photographs that went with these messages. */
export const photographsOf = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ photographs = [] }) => photographs.map(({ id }) => id));

/** A turn without an answer yet. */
export interface Pending extends Omit<Turn, 'maySend'> {
  /** The ids of the photographs that went with it. */
  photographs?: string[];
}

interface KeptChat {
  messages: readonly Message[];
  pending?: Pending | undefined;
  trouble?: Trouble | undefined;
  /** The question that still waits. */
  decision?: Decision | undefined;
}

const MOST_KEPT = 200;

/** The words of a chat, the turn that is under way or has failed, and the question that waits: what a page that comes back begins with. */
export class Transcript {
  constructor(private readonly kept: Kept) {}

  load(): KeptChat {
    const pending = this.kept.get<Pending>('pending');
    return {
      messages: this.kept.get<Message[]>('messages') ?? [],
      pending,
      trouble: pending && this.kept.get<Trouble>('trouble'),
      decision: this.kept.get<Decision>('decision'),
    };
  }

  save(chat: KeptChat): void {
    const messages = chat.messages.slice(-MOST_KEPT);
    this.kept.set('messages', messages.length > 0 ? messages : undefined);
    this.kept.set('trouble', chat.pending && chat.trouble);
    this.kept.set('decision', chat.decision);
    // The last of them: other tabs read them all when it changes.
    this.kept.set('pending', chat.pending);
  }
}
