/** How one database tells whether a process that wrote in it still lives. */
export interface Presence {
  /** Takes this process's lock; from then on it has a name. */
  enter(token: string): Promise<void>;
  /** This process in the database: the last is for what it begins now, others are those that it had before it was away. */
  readonly names: readonly string[];
  isGone(processId: string): Promise<boolean>;
  /** Hears when a process that was asked about has become known to be gone without being asked about again. */
  onGone(listener: () => void): void;
  leave(): Promise<void>;
}
