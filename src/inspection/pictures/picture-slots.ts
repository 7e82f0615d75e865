/** The owner of a picture: the caller (a checked key, else an address), and its chat or inspection. */
export interface PictureCaller {
  readonly who: string;
  readonly chat: string;
}

interface Owned {
  readonly caller: PictureCaller;
}

const RECENT_MS = 10_000;
const MOST_REMEMBERED = 1_000;

/**
 * Round-robin scheduling of one lane: the next picture is from the caller served least recently, and within that caller
 * from the chat served least recently. A hundred pictures of one caller, in any number of chats, delay another caller by
 * at most one picture. Times are milliseconds of the monotonic clock.
 */
export class PictureSlots {
  /** The start times of each caller's recent pictures, in order. */
  private readonly begun = new Map<string, number[]>();

  begin(caller: PictureCaller, now: number): void {
    if (this.begun.size > MOST_REMEMBERED) this.forget(now);
    for (const key of [caller.who, chatKey(caller)]) {
      const times = (this.begun.get(key) ?? []).filter((time) => now - time < RECENT_MS);
      this.begun.set(key, [...times, now]);
    }
  }

  /** Returns the next job; within one chat the first in the list. */
  next<Job extends Owned>(jobs: Iterable<Job>): Job | undefined {
    let next: Job | undefined;
    for (const job of jobs) if (next === undefined || this.comesBefore(job.caller, next.caller)) next = job;
    return next;
  }

  /**
   * Returns true if `one` uses more than `other`: pictures that wait or run now (`jobs`), and those started in the last
   * ten seconds.
   */
  asksForMore(one: PictureCaller, other: PictureCaller, jobs: Iterable<Owned>, now: number): boolean {
    const keyOf = keyToCompare(one, other);
    const [keys, counts] = [
      [keyOf(one), keyOf(other)],
      [0, 0],
    ];
    for (const { caller } of jobs) {
      const at = keys.indexOf(keyOf(caller));
      if (at >= 0) counts[at]! += 1;
    }
    const [more, less] = keys.map((key, at) => counts[at]! + this.recent(key, now));
    return more! > less! + 1;
  }

  private comesBefore(one: PictureCaller, other: PictureCaller): boolean {
    const keyOf = keyToCompare(one, other);
    return this.last(keyOf(one)) < this.last(keyOf(other));
  }

  private last(key: string): number {
    return this.begun.get(key)?.at(-1) ?? -Infinity;
  }

  private recent(key: string, now: number): number {
    return (this.begun.get(key) ?? []).filter((time) => now - time < RECENT_MS).length;
  }

  private forget(now: number): void {
    for (const key of this.begun.keys()) if (this.recent(key, now) === 0) this.begun.delete(key);
  }
}

const chatKey = ({ who, chat }: PictureCaller): string => `${who}\0${chat}`;

const keyToCompare = (one: PictureCaller, other: PictureCaller) =>
  one.who === other.who ? chatKey : ({ who }: PictureCaller) => who;
