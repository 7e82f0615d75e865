import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ServiceError } from './service-error.js';

/** Time that calls under way have to end by themselves when the service stops (contract section 8). */
const LAST_CALL_MS = 8_000;

/** Then they are cut, and have this long to write and say how they ended. */
const CLOSING_MS = 4_000;

/**
 * Whether requests are served: not before everything has started, and no longer once the service is stopping. All that
 * a stop waits for is counted from its beginning, however many rooms wait.
 */
@Injectable()
export class Readiness implements OnApplicationShutdown {
  lastCallMs = LAST_CALL_MS;
  closingMs = CLOSING_MS;
  private state: 'starting' | 'ready' | 'stopping' = 'starting';
  private over = false;
  private readonly checks: (() => Promise<void>)[] = [];
  private readonly cuts: (() => void)[] = [];
  private readonly listeners: (() => void)[] = [];
  private readonly timers: NodeJS.Timeout[] = [];
  private giveUp!: () => void;
  private readonly patienceOver = new Promise<void>((resolve) => (this.giveUp = resolve));

  get isReady(): boolean {
    return this.state === 'ready';
  }

  get isStopping(): boolean {
    return this.state === 'stopping';
  }

  /** What else must hold for requests to be served: a check throws what is answered where it does not. */
  onCheck(check: () => Promise<void>): void {
    this.checks.push(check);
  }

  /** Throws where one of the checks fails. */
  async check(): Promise<void> {
    await Promise.all(this.checks.map((check) => check()));
  }

  markReady(): void {
    if (this.state === 'starting') this.state = 'ready';
  }

  /** Must come before anything else of the stop, so that nothing new begins while running calls end. */
  markStopping(): void {
    if (this.isStopping) return;
    this.state = 'stopping';
    for (const listener of this.listeners) listener();
    this.timers.push(
      setTimeout(() => this.cut(), this.lastCallMs),
      setTimeout(() => this.giveUp(), this.lastCallMs + this.closingMs),
    );
  }

  /** Who is told at the very beginning of a stop, in time to hand over what others can go on with. */
  onStopping(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Who is told when calls under way can be waited for no longer: what is cut then answers 503 `shutting_down`. */
  onLastCallOver(cut: () => void): void {
    this.cuts.push(cut);
  }

  /** Whether a stop has cut what was under way: what has not begun by then begins no more. */
  get isLastCallOver(): boolean {
    return this.over;
  }

  /** Resolves with what a stop waits for, or when it can wait no longer. */
  async waitFor(done: Promise<unknown>): Promise<void> {
    this.markStopping();
    await Promise.race([done, this.patienceOver]);
  }

  onApplicationShutdown(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }

  private cut(): void {
    this.over = true;
    for (const cut of this.cuts) cut();
  }
}

/** 503 for a call that comes while the service stops, or is cut by it. */
export const shuttingDown = (
  detail = 'The service is stopping. Send the call again in a moment.',
): ServiceError => new ServiceError(503, 'shutting_down', detail, { headers: { 'Retry-After': '5' } });
