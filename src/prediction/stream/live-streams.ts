import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../common/app-config.js';
import { declareBudget } from '../../common/budgets/budget.js';
import type { PredictionEnding, StreamForm } from '../call/answer-form.js';
import { FrameLog, type FrameBudget } from './frame-log.js';
import { ResumeTokens } from './resume-tokens.js';

/** Budget of one run (contract section 3). */
const RUN_BYTES = 1024 * 1024;

/** Budget while a reader catches up with a burst. */
const BURST_BYTES = 4 * 1024 * 1024;

/** Budget of all runs; once used up, each run has its share. */
const ALL_RUNS_BYTES = 24 * 1024 * 1024;

const SMALLEST_SHARE = 16 * 1024;

/** Most ended runs whose clients may return; the oldest are dropped first. */
const MOST_ENDED = 2_000;

declareBudget({
  name: 'frames of streamed runs',
  unit: 'bytes',
  owner: 'call',
  share: RUN_BYTES,
  total: ALL_RUNS_BYTES,
  beyond: 'the oldest frames are dropped; a client that comes back receives the end alone',
  reason: 'A long answer in small tokens; beyond the total each run keeps its part, 16 KiB at least.',
});

export interface LogWatcher {
  /** Reports a new frame or the end of a log. */
  changed(log: FrameLog): void;
  /** Reports that no client can return to this log. */
  forget(log: FrameLog): void;
}

/** Logs of this process's streamed runs, each stored until its client can no longer return. */
@Injectable()
export class LiveStreams implements FrameBudget {
  private readonly logs = new Map<string, FrameLog>();
  /** Ended logs, oldest end first. */
  private readonly ended = new Set<FrameLog>();
  private held = 0;
  private watcher: LogWatcher | undefined;

  constructor(
    private readonly config: AppConfig,
    private readonly tokens: ResumeTokens,
  ) {}

  /** Reports every change of a log to this watcher. */
  watch(watcher: LogWatcher): void {
    this.watcher = watcher;
  }

  open(executionId: string, flowId: string, form: StreamForm): FrameLog {
    const log = new FrameLog(executionId, flowId, this.tokens.create(executionId), this, form);
    this.logs.set(log.token, log);
    return log;
  }

  find(token: string): FrameLog | undefined {
    return this.logs.get(token);
  }

  /** Ends a log. It is dropped after the grace period, or at once if no client can resume it. */
  retire(log: FrameLog, ending: PredictionEnding): void {
    log.close(ending);
    if (!log.form.resumes) return this.drop(log);
    setTimeout(() => this.drop(log), this.config.streamGraceMs).unref();
    this.ended.add(log);
    const [first] = this.ended;
    if (this.ended.size > MOST_ENDED) this.drop(first!);
  }

  private drop(log: FrameLog): void {
    if (this.logs.get(log.token) !== log) return;
    this.logs.delete(log.token);
    this.ended.delete(log);
    log.forget();
    this.watcher?.forget(log);
  }

  limit(): number {
    if (this.held <= ALL_RUNS_BYTES) return RUN_BYTES;
    return Math.max(SMALLEST_SHARE, Math.min(RUN_BYTES, ALL_RUNS_BYTES / this.logs.size));
  }

  burst(): number {
    return this.held <= ALL_RUNS_BYTES ? BURST_BYTES : this.limit();
  }

  grew(bytes: number): void {
    this.held += bytes;
  }

  changed(log: FrameLog): void {
    this.watcher?.changed(log);
  }
}
