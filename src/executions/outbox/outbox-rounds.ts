import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../common/logger.js';

const POLL_MS = 2_000;
const STOP_PATIENCE_MS = 5_000;

export interface OutboxWork<Due> {
  /** Leases the next due row. */
  take(): Promise<Due | undefined>;
  /** Sends the row and stores the result. */
  send(due: Due): Promise<void>;
  /** Attempts under way at once; below this, a slow target delays no other. */
  atOnce: number;
}

/** Sends the due rows of an outbox, every 2 s and on `kick`. */
export class OutboxRounds<Due> {
  private timer: NodeJS.Timeout | undefined;
  private readonly rounds = new Set<Promise<void>>();
  private state: 'new' | 'started' | 'stopped' = 'new';

  constructor(
    private readonly work: OutboxWork<Due>,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.state = 'started';
    this.timer = setInterval(() => this.kick(), POLL_MS).unref();
    this.kick();
  }

  /** Starts a round now. */
  kick(): void {
    if (this.state !== 'started' || this.rounds.size >= this.work.atOnce) return;
    const round: Promise<void> = this.sendDue()
      .catch((error: unknown) => this.logger.error({ err: error }, 'an outbox could not be read'))
      .finally(() => this.rounds.delete(round));
    this.rounds.add(round);
  }

  /** Stops after a short wait. Another process takes over attempts still under way once this one is gone. */
  async stop(): Promise<void> {
    this.state = 'stopped';
    clearInterval(this.timer);
    await Promise.race([Promise.all(this.rounds), pause(STOP_PATIENCE_MS, undefined, { ref: false })]);
  }

  private async sendDue(): Promise<void> {
    while (this.state === 'started') {
      const due = await this.work.take();
      if (due === undefined) return;
      // Another round sends more meanwhile.
      this.kick();
      await this.work.send(due);
    }
  }
}
