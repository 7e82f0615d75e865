import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../common/logger.js';

const POLL_MS = 2_000;
const STOP_PATIENCE_MS = 5_000;

/** Sends what is due, one after another, every 2 s and when it is told that something was queued. */
export class OutboxRounds {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  private state: 'new' | 'started' | 'stopped' = 'new';

  constructor(
    /** Sends one that is due; false when none is. */
    private readonly sendOne: () => Promise<boolean>,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.state = 'started';
    this.timer = setInterval(() => this.kick(), POLL_MS).unref();
    this.kick();
  }

  /** Looks into the outbox now. */
  kick(): void {
    if (this.state !== 'started') return;
    this.round ??= this.sendDue()
      .catch((error: unknown) => this.logger.error({ err: error }, 'an outbox could not be read'))
      .finally(() => (this.round = undefined));
  }

  /** What is still on its way then is taken over by another process, once this one is gone. */
  async stop(): Promise<void> {
    this.state = 'stopped';
    clearInterval(this.timer);
    await Promise.race([this.round, pause(STOP_PATIENCE_MS, undefined, { ref: false })]);
  }

  private async sendDue(): Promise<void> {
    while (this.state === 'started' && (await this.sendOne()));
  }
}
