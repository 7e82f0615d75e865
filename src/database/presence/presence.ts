/** The state of another process; `silent` when its lock is free, but it may have lost its connection for a moment. */
export type Life = 'living' | 'silent' | 'gone';

/** Proves whether a process that wrote to a database still lives. */
export interface Presence {
  /** Takes this process's lock, which gives it a name. */
  enter(token: string): Promise<void>;
  /**
   * The names of this process in the database. The last is for new runs; the others are from before it lost its connection.
   */
  readonly names: readonly string[];
  /** Milliseconds since the own lock was known to hold. */
  readonly provenMsAgo: number;
  /** Returns the state of a process. A silent one is watched until it is living or gone. */
  lifeOf(processId: string): Promise<Life>;
  /** Adds a listener that is called when a silent process turns out to be gone. */
  onGone(listener: () => void): void;
  /** Adds a listener that is called when this process continues under a new name. */
  onRenamed(listener: () => void): void;
  leave(): Promise<void>;
}
