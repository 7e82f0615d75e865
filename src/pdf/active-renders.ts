import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Readiness } from '../common/readiness.js';
import { ExecutionLog } from '../executions/execution-log.js';
import type { RenderCaller } from './render-records.js';
import type { Progress } from './renderer/render-job.js';

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

  constructor(
    private readonly log: ExecutionLog,
    private readonly readiness: Readiness,
  ) {}

  onModuleInit(): void {
    this.log.onCancel((executionId) => this.cancel(executionId));
    this.readiness.onLastCallOver(() => {
      for (const render of this.byClaim.values()) render.stop('shutting_down');
    });
  }

  /** Waits for every render; those that take longer are stopped. */
  async onModuleDestroy(): Promise<void> {
    await this.readiness.waitFor(Promise.all([...this.byClaim.values()].map((render) => render.ended)));
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
    if (this.readiness.isLastCallOver) render.stop('shutting_down');
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
