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

/** A chat as a tab shows it; `pending` is the turn of its last message of the person. */
interface KeptChat {
  messages: readonly Message[];
  pending?: Pending | undefined;
  trouble?: Trouble | undefined;
  /** The question that still waits. */
  decision?: Decision | undefined;
}

interface LoadedChat extends KeptChat {
  /** The id of the turn that `pending` is of. */
  turn: string | undefined;
  /** The ids of other turns without an answer. */
  left: string[];
}

/** One message of the person with its answer. */
interface KeptTurn extends Omit<KeptChat, 'decision'> {
  /** Epoch milliseconds: the order in which turns stand. */
  at: number;
}

const MOST_TURNS = 100;
const TURN = 'turn:';

/**
 * The words of a chat, the turns that are under way or have failed, and the question that waits: what a page that comes
 * back begins with. Each turn is a value of its own, under the id of its first message, and a tab writes what it has itself
 * changed: tabs that send at the same time overwrite nothing of each other, whatever each has read of the other by then.
 */
export class Transcript {
  /** The turns of this tab, as they were read or written last. */
  private readonly known = new Map<string, string>();
  private readonly times = new Map<string, number>();
  /** Turns of a chat that was forgotten: their removal by another tab may still be on its way here. */
  private readonly forgotten = new Set<string>();
  private decision = '';

  constructor(
    private readonly kept: Kept,
    /** Remembers across a reload which turn is this tab's. */
    private readonly tab: Kept,
  ) {}

  /** One turn without an answer stands last: the one that is named, else the newest, which another tab may have left. */
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

  /** These messages, none of them under way, with what other tabs have added; a turn comes once it has its answer. */
  merged(messages: readonly Message[]): KeptChat {
    const here = new Map(turnsIn(messages));
    for (const [id, { messages: kept, pending }] of this.turns()) {
      const shown = here.get(id);
      if (shown ? kept.length <= shown.length : pending) continue;
      here.set(id, kept);
      this.known.set(id, JSON.stringify({ messages: kept }));
    }
    const at = (id: string) => this.times.get(id) ?? Infinity;
    const ordered = [...here].sort(([one], [other]) => at(one) - at(other));
    return { messages: ordered.flatMap(([, turn]) => turn), decision: this.readDecision() };
  }

  /** Whether a message without an answer took this photograph, in any tab. */
  awaits(photograph: string): boolean {
    return this.turns().some(([, { pending }]) => pending?.photographs?.includes(photograph));
  }

  save({ messages, pending, trouble, decision }: KeptChat): void {
    const turns = turnsIn(messages);
    const last = turns.at(-1)?.[0];
    for (const [id] of turns.slice(0, -MOST_TURNS)) this.kept.set(TURN + id, undefined);
    for (const [id, own] of turns.slice(-MOST_TURNS))
      this.write(id, pending && id === last ? { messages: own, pending, trouble } : { messages: own });
    this.tab.set('turn', pending && last);
    const question = decision ? JSON.stringify(decision) : '';
    if (question !== this.decision) this.kept.set('decision', decision);
    this.decision = question;
  }

  /** Another chat begins, here or, where it is `elsewhere`, in a tab that removes this one. */
  forget(elsewhere: boolean): void {
    for (const id of this.times.keys()) this.forgotten.add(id);
    this.known.clear();
    this.decision = '';
    this.tab.set('turn', undefined);
    if (elsewhere) return;
    for (const name of [...this.kept.names(TURN), 'decision']) this.kept.set(name, undefined);
  }

  private write(id: string, turn: Omit<KeptTurn, 'at'>): void {
    const text = JSON.stringify(turn);
    if (this.known.get(id) === text) return;
    this.known.set(id, text);
    // Given up here, and answered in another tab meanwhile.
    const there = turn.pending ? undefined : this.kept.get<KeptTurn>(TURN + id);
    if (there && !there.pending && there.messages.length > turn.messages.length) return;
    this.kept.set(TURN + id, { at: this.timeOf(id), ...turn });
  }

  /** In their order. */
  private turns(): [id: string, turn: KeptTurn][] {
    const found = this.kept.names(TURN).flatMap((name): [string, KeptTurn][] => {
      const id = name.slice(TURN.length);
      const turn = this.forgotten.has(id) ? undefined : this.kept.get<KeptTurn>(name);
      return turn ? [[id, turn]] : [];
    });
    for (const [id, { at }] of found) this.times.set(id, at);
    return found.sort(([id, one], [other, { at }]) => one.at - at || (id < other ? -1 : 1));
  }

  private timeOf(id: string): number {
    // A clock that was set back changes no order.
    const time = this.times.get(id) ?? Math.max(Date.now(), ...[...this.times.values()].map((at) => at + 1));
    this.times.set(id, time);
    return time;
  }

  private readDecision(): Decision | undefined {
    const decision = this.kept.get<Decision>('decision');
    this.decision = decision ? JSON.stringify(decision) : '';
    return decision;
  }
}

/** Each begins with a message of the person, whose id is its own. */
function turnsIn(messages: readonly Message[]): [id: string, messages: readonly Message[]][] {
  const turns: [string, Message[]][] = [];
  for (const message of messages) {
    const turn = message.from === 'flow' ? turns.at(-1) : undefined;
    if (turn) turn[1].push(message);
    else turns.push([message.id, [message]]);
  }
  return turns;
}
