import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Readiness, shuttingDown } from '../../common/health/readiness.js';
import type { CancelReason } from '../call-outcome.js';
import { ExecutionLog } from '../log/execution-log.js';
import type { CallContext } from './call-context.js';

/** The recorded calls of this process: they can be cancelled, and the shutdown waits for them. */
@Injectable()
export class RunningCalls implements OnModuleInit, OnModuleDestroy {
  private readonly contexts = new Map<string, CallContext>();
  private emptied: (() => void) | undefined;
  private draining: Promise<void> | undefined;

  constructor(
    private readonly log: ExecutionLog,
    private readonly readiness: Readiness,
  ) {}

  onModuleInit(): void {
    this.log.onCancel((executionId) => this.cancel(executionId, 'cancelled'));
    this.readiness.onLastCallOver(() => this.cancelAll('interrupted'));
  }

  get count(): number {
    return this.contexts.size;
  }

  /** Throws 503 `shutting_down` once the shutdown cuts calls. */
  add(context: CallContext): void {
    if (this.readiness.isLastCallOver) throw shuttingDown();
    this.contexts.set(context.executionId, context);
  }

  remove(context: CallContext): void {
    context.end();
    // This process may take over its own run under the same id, after it was taken for dead.
    if (this.contexts.get(context.executionId) === context) this.contexts.delete(context.executionId);
    if (this.contexts.size === 0) this.emptied?.();
  }

  find(executionId: string): CallContext | undefined {
    return this.contexts.get(executionId);
  }

  /** Cancels a call. Returns false if this process does not run it. */
  cancel(executionId: string, reason: CancelReason): boolean {
    const context = this.contexts.get(executionId);
    context?.cancel(reason);
    return context !== undefined;
  }

  /** Cancels the predictions of this chat that wait or run here, and returns their executions. */
  cancelChat(flowId: string, chatId: string): string[] {
    const found = [...this.contexts.values()].filter(
      ({ call }) => call.kind === 'prediction' && call.flowId === flowId && call.chatId === chatId,
    );
    for (const context of found) context.cancel('stopped');
    return found.map((context) => context.executionId);
  }

  onModuleDestroy(): Promise<void> {
    return this.drain();
  }

  /** Waits until the calls end. After `onLastCallOver` they are aborted and have a little longer to write their end. */
  drain(): Promise<void> {
    return (this.draining ??= this.untilEmpty());
  }

  private async untilEmpty(): Promise<void> {
    const empty = new Promise<void>((resolve) => (this.emptied = resolve));
    if (this.contexts.size > 0) await this.readiness.waitFor(empty);
  }

  private cancelAll(reason: CancelReason): void {
    for (const context of this.contexts.values()) context.cancel(reason);
  }
}
