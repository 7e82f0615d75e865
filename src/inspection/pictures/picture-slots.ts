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
 * Fair scheduling between callers, in one lane: the next picture is that of the caller whose last turn is longest ago,
 * and of the chats of one caller again the one. A hundred pictures of one caller therefore cost another one turn at
 * most, over however many chats they are spread. Times are milliseconds of the monotonic clock.
 */
export class PictureSlots {
  /** The times at which each caller's recent pictures began, in order. */
  private readonly begun = new Map<string, number[]>();

  begin(caller: PictureCaller, now: number): void {
    if (this.begun.size > MOST_REMEMBERED) this.forget(now);
    for (const key of [caller.who, chatKey(caller)]) {
      const times = (this.begun.get(key) ?? []).filter((time) => now - time < RECENT_MS);
      this.begun.set(key, [...times, now]);
    }
  }

  /** The job whose turn it is; of one chat the first in the list. */
  next<Job extends Owned>(jobs: Iterable<Job>): Job | undefined {
    let next: Job | undefined;
    for (const job of jobs) if (next === undefined || this.comesBefore(job.caller, next.caller)) next = job;
    return next;
  }

  /**
   * Whether `one` asks for more than `other`: pictures that wait and run now (`jobs`), and those that began in the last
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
