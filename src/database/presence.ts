/** How one database tells whether a process that wrote in it still lives. */
export interface Presence {
  /** Takes this process's lock and answers its name in the database. */
  enter(token: string): Promise<string>;
  isGone(processId: string): Promise<boolean>;
  leave(): Promise<void>;
}
