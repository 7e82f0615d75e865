import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ServiceError } from '../service-error.js';

/** Time that calls under way have to end by themselves when the service stops (contract section 8). */
const LAST_CALL_MS = 8_000;

/** Then they are aborted, and have this long to write their end and answer. */
const CLOSING_MS = 4_000;

/**
 * Tells whether the service accepts requests: after everything has started and until shutdown begins. Both time limits of
 * a shutdown count from its beginning, however many modules wait.
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
  private readonly readyListeners: (() => void)[] = [];
  private readonly timers: NodeJS.Timeout[] = [];
  private giveUp!: () => void;
  private readonly patienceOver = new Promise<void>((resolve) => (this.giveUp = resolve));

  get isReady(): boolean {
    return this.state === 'ready';
  }

  get isStopping(): boolean {
    return this.state === 'stopping';
  }

  /** Adds a condition for serving requests: a check throws the error that is answered where it does not hold. */
  onCheck(check: () => Promise<void>): void {
    this.checks.push(check);
  }

  /** Throws where one of the checks fails. */
  async check(): Promise<void> {
    await Promise.all(this.checks.map((check) => check()));
  }

  markReady(): void {
    if (this.state !== 'starting') return;
    this.state = 'ready';
    for (const listener of this.readyListeners) listener();
  }

  /** Adds a listener for the moment from which on requests are served. */
  onReady(listener: () => void): void {
    this.readyListeners.push(listener);
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

  /** Adds a listener for the very beginning of a stop, in time to hand runs over to other processes. */
  onStopping(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Adds a listener that aborts the calls still under way when their time is over; they answer 503 `shutting_down`. */
  onLastCallOver(cut: () => void): void {
    this.cuts.push(cut);
  }

  /** Whether a stop has aborted the calls under way: no work begins after that. */
  get isLastCallOver(): boolean {
    return this.over;
  }

  /** Marks the stop, and resolves when `done` has settled or the time of the stop is over. */
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

/** 503 for a call that comes while the service stops, or is aborted by it. */
export const shuttingDown = (
  detail = 'The service is stopping. Send the call again in a moment.',
): ServiceError => new ServiceError('shutting_down', detail, { headers: { 'Retry-After': '5' } });
