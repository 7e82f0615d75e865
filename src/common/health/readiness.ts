import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ServiceError } from '../service-error.js';

/** Time for calls in flight to end by themselves at shutdown (contract section 8). */
const LAST_CALL_MS = 8_000;

/** Time for aborted calls to write their end and answer. */
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

  /** Adds a check of readiness; it throws the error that is answered when the service is not ready. */
  onCheck(check: () => Promise<void>): void {
    this.checks.push(check);
  }

  /** Throws when a check fails. */
  async check(): Promise<void> {
    await Promise.all(this.checks.map((check) => check()));
  }

  markReady(): void {
    if (this.state !== 'starting') return;
    this.state = 'ready';
    for (const listener of this.readyListeners) listener();
  }

  /** Adds a listener that is called when requests are served from now on. */
  onReady(listener: () => void): void {
    this.readyListeners.push(listener);
  }

  /** Must be the first step of a shutdown, so that nothing new begins while running calls end. */
  markStopping(): void {
    if (this.isStopping) return;
    this.state = 'stopping';
    for (const listener of this.listeners) listener();
    this.timers.push(
      setTimeout(() => this.cut(), this.lastCallMs),
      setTimeout(() => this.giveUp(), this.lastCallMs + this.closingMs),
    );
  }

  /** Adds a listener for the beginning of a shutdown, in time to hand runs over to other processes. */
  onStopping(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Adds a listener that aborts the calls still in flight when their time is over; they answer 503 `shutting_down`. */
  onLastCallOver(cut: () => void): void {
    this.cuts.push(cut);
  }

  /** True once a shutdown has aborted the calls in flight: no work begins after that. */
  get isLastCallOver(): boolean {
    return this.over;
  }

  /** Begins the shutdown, and resolves when `done` has settled or the time of the shutdown is over. */
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

/** 503 for a call that arrives during shutdown or is aborted by it. */
export const shuttingDown = (
  detail = 'The service is stopping. Send the call again in a moment.',
): ServiceError => new ServiceError('shutting_down', detail, { headers: { 'Retry-After': '5' } });
