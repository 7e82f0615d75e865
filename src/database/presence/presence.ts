/** Of another process: `silent` when its lock is free, but it may be one that lost its connection and is coming back. */
export type Life = 'living' | 'silent' | 'gone';

/** Proves for one kind of database whether a process that wrote in it still lives. */
export interface Presence {
  /** Takes this process's lock; from then on it has a name. */
  enter(token: string): Promise<void>;
  /**
   * The names of this process in the database: the last is for new runs, the others are from before it lost its
   * connection.
   */
  readonly names: readonly string[];
  /** How long ago the own lock was known to hold, in milliseconds. */
  readonly provenMsAgo: number;
  /** A process that is found silent is watched from then on, until it is one of the other two. */
  lifeOf(processId: string): Promise<Life>;
  /** Adds a listener, called when a process that was found silent is known to be gone. */
  onGone(listener: () => void): void;
  /** Adds a listener, called when this process was away for so long that it has gone on under a new name. */
  onRenamed(listener: () => void): void;
  leave(): Promise<void>;
}
