import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Readiness, shuttingDown } from '../../common/readiness.js';
import { ExecutionLog } from '../execution-log.js';
import type { CallLife, StopReason } from './call-life.js';

/** The recorded calls that this process looks after: to be stopped by whoever may, and waited for when the service stops. */
@Injectable()
export class RunningCalls implements OnModuleInit, OnModuleDestroy {
  private readonly lives = new Map<string, CallLife>();
  private emptied: (() => void) | undefined;
  private draining: Promise<void> | undefined;

  constructor(
    private readonly log: ExecutionLog,
    private readonly readiness: Readiness,
  ) {}

  onModuleInit(): void {
    this.log.onCancel((executionId) => this.stop(executionId, 'cancelled'));
    this.readiness.onLastCallOver(() => this.stopAll('interrupted'));
  }

  get count(): number {
    return this.lives.size;
  }

  /** Throws 503 `shutting_down` once calls are cut by a stop of the service. */
  add(life: CallLife): void {
    if (this.readiness.isLastCallOver) throw shuttingDown();
    this.lives.set(life.executionId, life);
  }

  remove(life: CallLife): void {
    life.end();
    // A process that was taken for dead may go on with its own run, under the same id.
    if (this.lives.get(life.executionId) === life) this.lives.delete(life.executionId);
    if (this.lives.size === 0) this.emptied?.();
  }

  find(executionId: string): CallLife | undefined {
    return this.lives.get(executionId);
  }

  /** False when it is none of this process's. */
  stop(executionId: string, reason: StopReason): boolean {
    const life = this.lives.get(executionId);
    life?.stop(reason);
    return life !== undefined;
  }

  /** Stops the predictions that this chat has waiting or running here; answers their executions. */
  stopChat(flowId: string, chatId: string): string[] {
    const found = [...this.lives.values()].filter(
      ({ call }) => call.kind === 'prediction' && call.flowId === flowId && call.chatId === chatId,
    );
    for (const life of found) life.stop('stopped');
    return found.map((life) => life.executionId);
  }

  onModuleDestroy(): Promise<void> {
    return this.drain();
  }

  /** They may end by themselves, then they are cut (`onLastCallOver`) and have a little longer to write how they ended. */
  drain(): Promise<void> {
    return (this.draining ??= this.untilEmpty());
  }

  private async untilEmpty(): Promise<void> {
    const empty = new Promise<void>((resolve) => (this.emptied = resolve));
    if (this.lives.size > 0) await this.readiness.waitFor(empty);
  }

  private stopAll(reason: StopReason): void {
    for (const life of this.lives.values()) life.stop(reason);
  }
}
