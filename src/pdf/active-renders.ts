import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { ExecutionLog } from '../executions/execution-log.js';
import type { RenderCaller } from './render-records.js';
import type { Progress } from './renderer/render-job.js';

/** How long a stopping service waits for what it is drawing (contract section 8). */
const STOP_PATIENCE_MS = 8_000;

/** Why a render was stopped before its end. */
export type StopReason = 'cancelled' | 'shutting_down';

/** A render of this process, from its claim to its end. */
export interface ActiveRender {
  readonly claimId: string;
  readonly executionId: string;
  readonly signal: AbortSignal;
  readonly progress: { next(progress: Progress): void };
  lastProgress: Progress;
  /** Resolves when the render has ended, however. */
  readonly ended: Promise<void>;
  stopReason: StopReason | undefined;
  stop(reason: StopReason): void;
  end(): void;
}

/** The renders that this process draws at the moment: to be watched, cancelled, and waited for at the end. */
@Injectable()
export class ActiveRenders implements OnModuleInit, OnModuleDestroy {
  private readonly byClaim = new Map<string, ActiveRender>();

  constructor(private readonly log: ExecutionLog) {}

  onModuleInit(): void {
    this.log.onCancel((executionId) => this.cancel(executionId));
  }

  /** Waits for every render, and stops those that take longer. */
  async onModuleDestroy(): Promise<void> {
    const all = [...this.byClaim.values()];
    const timer = setTimeout(() => all.forEach((render) => render.stop('shutting_down')), STOP_PATIENCE_MS);
    await Promise.all(all.map((render) => render.ended));
    clearTimeout(timer);
  }

  /** The caller's signal stops the render with the run that it belongs to. */
  begin(claimId: string, { executionId, signal, onProgress }: RenderCaller): ActiveRender {
    const controller = new AbortController();
    let resolveEnded!: () => void;
    const render: ActiveRender = {
      claimId,
      executionId,
      signal: signal ? AbortSignal.any([controller.signal, signal]) : controller.signal,
      lastProgress: { phase: 'waiting' },
      progress: {
        next: (progress) => {
          render.lastProgress = progress;
          onProgress?.(progress);
        },
      },
      ended: new Promise((resolve) => (resolveEnded = resolve)),
      stopReason: undefined,
      stop: (reason) => {
        render.stopReason ??= reason;
        controller.abort(new Error(`the render was stopped: ${reason}`));
      },
      end: () => {
        this.byClaim.delete(claimId);
        resolveEnded();
      },
    };
    this.byClaim.set(claimId, render);
    onProgress?.(render.lastProgress);
    return render;
  }

  /** Of a render that this process draws. */
  progressOf(claimId: string): Progress | undefined {
    return this.byClaim.get(claimId)?.lastProgress;
  }

  private cancel(executionId: string): boolean {
    const found = [...this.byClaim.values()].filter((render) => render.executionId === executionId);
    for (const render of found) render.stop('cancelled');
    return found.length > 0;
  }
}
