import type { BrowserStorage } from '../../common/browser-storage.js';
import type { Decision } from './decision.js';
import type { Trouble } from './trouble.js';
import type { Turn } from './turn.js';

export interface Message {
  id: string;
  from: 'person' | 'flow';
  text: string;
  /** The photographs sent with it, in order. */
  photographs?: readonly SentPhotograph[];
  /** The person stopped the answer. */
  stopped?: boolean;
  /** The reason that the answer is missing or incomplete. */
  trouble?: string;
}

export interface SentPhotograph {
  id: string;
  name: string;
}

/** Returns the ids of all photographs sent with these messages. */
export const photographsOf = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ photographs = [] }) => photographs.map(({ id }) => id));

/** An unanswered turn. */
export interface Pending extends Omit<Turn, 'maySend'> {
  /** The ids of the photographs sent with it. */
  photographs?: string[];
}

/** A chat as a tab shows it; `pending` is the turn of the person's last message. */
interface StoredChat {
  messages: readonly Message[];
  pending?: Pending | undefined;
  trouble?: Trouble | undefined;
  /** The open approval question. */
  decision?: Decision | undefined;
}

interface LoadedChat extends StoredChat {
  /** The id of the turn that `pending` belongs to. */
  turn: string | undefined;
  /** The ids of other unanswered turns. */
  left: string[];
}

/** A message of the person with its answer. */
interface StoredTurn extends Omit<StoredChat, 'decision'> {
  /** Epoch milliseconds; turns are sorted by it. */
  at: number;
}

const MOST_TURNS = 100;
const TURN = 'turn:';

/**
 * The stored chat: its messages, unanswered turns and the open approval question. Each turn is stored under the id of its
 * first message, and a tab writes only the turns that it has changed, so tabs that send at the same time never overwrite
 * each other.
 */
export class Transcript {
  /** The turns as this tab last read or wrote them. */
  private readonly known = new Map<string, string>();
  private readonly times = new Map<string, number>();
  private decision = '';

  constructor(
    private readonly storage: BrowserStorage,
    /** Stores the id of this tab's turn across a reload. */
    private readonly tab: BrowserStorage,
  ) {}

  /** Loads the chat. The unanswered turn `id`, else the newest unanswered one, is moved to the end. */
  load(id = this.tab.get<string>('turn')): LoadedChat {
    const turns = this.turns();
    const open = turns.filter(([, { pending }]) => pending);
    const last = open.find(([turn]) => turn === id) ?? open.at(-1);
    const ordered = last ? [...turns.filter((turn) => turn !== last), last] : turns;
    const { pending, trouble } = last?.[1] ?? {};
    for (const [turn, { messages }] of ordered)
      this.known.set(
        turn,
        JSON.stringify(turn === last?.[0] ? { messages, pending, trouble } : { messages }),
      );
    return {
      ...{ messages: ordered.flatMap(([, { messages }]) => messages), pending, trouble, turn: last?.[0] },
      left: open.flatMap((turn) => (turn === last ? [] : [turn[0]])),
      decision: this.readDecision(),
    };
  }

  /** Merges these settled messages with the answered turns of other tabs. */
  merged(messages: readonly Message[]): StoredChat {
    const here = new Map(turnsIn(messages));
    for (const [id, { messages: stored, pending }] of this.turns()) {
      const shown = here.get(id);
      if (shown ? stored.length <= shown.length : pending) continue;
      here.set(id, stored);
      this.known.set(id, JSON.stringify({ messages: stored }));
    }
    const at = (id: string) => this.times.get(id) ?? Infinity;
    const ordered = [...here].sort(([one], [other]) => at(one) - at(other));
    return { messages: ordered.flatMap(([, turn]) => turn), decision: this.readDecision() };
  }

  /** Returns whether an unanswered message, in any tab, has claimed this photograph. */
  awaits(photograph: string): boolean {
    return this.turns().some(([, { pending }]) => pending?.photographs?.includes(photograph));
  }

  save({ messages, pending, trouble, decision }: StoredChat): void {
    const turns = turnsIn(messages);
    const last = turns.at(-1)?.[0];
    for (const [id] of turns.slice(0, -MOST_TURNS)) this.storage.set(TURN + id, undefined);
    for (const [id, own] of turns.slice(-MOST_TURNS))
      this.write(id, pending && id === last ? { messages: own, pending, trouble } : { messages: own });
    this.tab.set('turn', pending && last);
    const question = decision ? JSON.stringify(decision) : '';
    if (question !== this.decision) this.storage.set('decision', decision);
    this.decision = question;
  }

  private write(id: string, turn: Omit<StoredTurn, 'at'>): void {
    const text = JSON.stringify(turn);
    if (this.known.get(id) === text) return;
    this.known.set(id, text);
    // Given up here but answered in another tab: keep that answer.
    const there = turn.pending ? undefined : this.storage.get<StoredTurn>(TURN + id);
    if (there && !there.pending && there.messages.length > turn.messages.length) return;
    this.storage.set(TURN + id, { at: this.timeOf(id), ...turn });
  }

  /** Returns the stored turns in order. */
  private turns(): [id: string, turn: StoredTurn][] {
    const found = this.storage.names(TURN).flatMap((name): [string, StoredTurn][] => {
      const id = name.slice(TURN.length);
      const turn = this.storage.get<StoredTurn>(name);
      return turn ? [[id, turn]] : [];
    });
    for (const [id, { at }] of found) this.times.set(id, at);
    return found.sort(([id, one], [other, { at }]) => one.at - at || (id < other ? -1 : 1));
  }

  private timeOf(id: string): number {
    // The order must survive a clock that is set back.
    const time = this.times.get(id) ?? Math.max(Date.now(), ...[...this.times.values()].map((at) => at + 1));
    this.times.set(id, time);
    return time;
  }

  private readDecision(): Decision | undefined {
    const decision = this.storage.get<Decision>('decision');
    this.decision = decision ? JSON.stringify(decision) : '';
    return decision;
  }
}

/** Groups messages into turns. A turn starts with a message of the person and has that message's id. */
function turnsIn(messages: readonly Message[]): [id: string, messages: readonly Message[]][] {
  const turns: [string, Message[]][] = [];
  for (const message of messages) {
    const turn = message.from === 'flow' ? turns.at(-1) : undefined;
    if (turn) turn[1].push(message);
    else turns.push([message.id, [message]]);
  }
  return turns;
}
