/** Proves for one kind of database whether a process that wrote in it still lives. */
export interface Presence {
  /** Takes this process's lock; from then on it has a name. */
  enter(token: string): Promise<void>;
  /**
   * The names of this process in the database: the last is for new runs, the others are from before it lost its
   * connection.
   */
  readonly names: readonly string[];
  isGone(processId: string): Promise<boolean>;
  /** Adds a listener, called when a process that `isGone` was asked about is found to be gone later. */
  onGone(listener: () => void): void;
  leave(): Promise<void>;
}
