import type { Clock } from '../../common/clock.js';
import type { Life } from './presence.js';

const LOOK_EVERY_MS = 500;

/** Two observations further apart than this do not prove that a lock was free in between. */
const LAPSE_MS = 2_000;

/**
 * A process is gone once its lock has been free for this long: a living one that lost its connection has taken it again by
 * then.
 */
export const GONE_AFTER_MS = 3_000;

/** Returns whether a process's lock is free; undefined when the database does not answer. */
type LockQuestion = (processId: string) => Promise<boolean | undefined>;

/** Watches processes whose lock was found free until they hold it again or are gone. */
export class SilentProcesses {
  /** The current watch of each process. */
  private readonly watched = new Map<string, symbol>();
  private readonly gone = new Set<string>();
  private readonly listeners: (() => void)[] = [];
  private ended = false;

  constructor(
    private readonly lockIsFree: LockQuestion,
    private readonly clock: Clock,
  ) {}

  /** Returns `silent` when the lock is first found free, and watches the process then, or when the lock is unknown. */
  async lifeOf(processId: string): Promise<Life> {
    const free = await this.lockIsFree(processId);
    if (free !== true) this.gone.delete(processId);
    else if (this.gone.has(processId)) return 'gone';
    else void this.watch(processId);
    return free === false ? 'living' : 'silent';
  }

  onGone(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Discards observations from before this process lost its own connection, which prove nothing. */
  forget(): void {
    this.gone.clear();
    this.watched.clear();
  }

  end(): void {
    this.ended = true;
    this.forget();
  }

  private async watch(processId: string): Promise<void> {
    if (this.watched.has(processId) || this.ended) return;
    const watch = Symbol(processId);
    const isWatching = () => this.watched.get(processId) === watch;
    this.watched.set(processId, watch);
    let freeSince = this.clock.elapsed();
    let lookedAt = freeSince;
    while (isWatching() && lookedAt - freeSince < GONE_AFTER_MS) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS).unref());
      const now = this.clock.elapsed();
      if (now - lookedAt > LAPSE_MS) freeSince = now;
      lookedAt = now;
      if ((await this.lockIsFree(processId)) !== true && isWatching()) this.watched.delete(processId);
    }
    if (!isWatching()) return;
    this.watched.delete(processId);
    this.gone.add(processId);
    for (const listener of this.listeners) listener();
  }
}
