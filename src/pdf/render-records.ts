import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { ServiceError } from '../common/service-error.js';
import { mayBeWritten } from '../database/away.js';
import { LateWrites } from '../database/late-writes.js';
import type { Tx } from '../database/tx.js';
import { WriteGate } from '../database/write-gate.js';
import type { ExecutionDraft, Outcome } from '../executions/execution.js';
import { ExecutionLog } from '../executions/execution-log.js';
import { IdempotentAnswers, type KeptAnswer, type KeyedCall } from '../executions/idempotency.js';
import type { Progress } from './renderer/render-job.js';

/** Who renders: a call with a record of its own, or a flow's run. */
export interface RenderCaller {
  readonly executionId: string;
  /** To be opened with the claim; a node of a flow has its run's. */
  readonly record?: ExecutionDraft;
  /** The flows whose photographs this caller may use. */
  readonly flowIds: readonly string[];
  /** Photographs of other flows are pending: what the caller is refused with when nothing else is. */
  readonly refusal?: ServiceError;
  /** `scheme://host` for links. */
  readonly origin: string;
  /** The caller wants 202 and comes back for the answer. */
  readonly respondAsync: boolean;
  /** Stops the render with the run that it belongs to. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Whether the caller may read reports of these flows. */
  mayRead(flowIds: readonly string[]): Promise<boolean>;
  /** Whether the caller may hear that there are reports of these flows: not from a page that one of their lists refuses. */
  mayHearOf(flowIds: readonly string[]): Promise<boolean>;
}

/** The execution record of a render and the answer kept for its replay; nothing of either for a node of a flow. */
@Injectable()
export class RenderRecords {
  constructor(
    private readonly log: ExecutionLog,
    private readonly answers: IdempotentAnswers,
    private readonly gate: WriteGate,
    private readonly clock: Clock,
    private readonly lateWrites: LateWrites,
  ) {}

  /** The answer kept under the call's `Idempotency-Key`; nothing when the call is the first and shall run. */
  replay(call: KeyedCall, replayAlone: boolean): Promise<KeptAnswer | undefined> {
    return this.answers.replay(call, replayAlone);
  }

  /**
   * The call failed: its key, unless an answer is kept under it, is free again, and what was opened although nobody
   * heard of it is ended. Answers whether it has a record.
   */
  async abandon(executionId: string, error: unknown): Promise<boolean> {
    let recorded = false;
    const failed: Outcome = { status: 'failed', ...answered(error), finishedAt: this.clock.now() };
    await this.lateWrites.attempt(`the end of render ${executionId}`, () =>
      this.gate.write(async (tx) => {
        if (mayBeWritten(error)) await this.log.settle(tx, executionId, failed);
        await this.answers.release(tx, executionId);
        recorded = (await tx.one('SELECT id FROM executions WHERE id = ?', [executionId])) !== undefined;
      }),
    );
    return recorded;
  }

  async open(tx: Tx, caller: RenderCaller): Promise<void> {
    if (caller.record) await this.log.open(tx, caller.record);
  }

  /** What a caller who does not wait was told; replayed as such. */
  async keepAcceptance(tx: Tx, caller: RenderCaller, body: unknown): Promise<void> {
    if (caller.record) await this.answers.keep(tx, caller.executionId, { httpStatus: 202, body });
  }

  async succeed(tx: Tx, caller: RenderCaller, answer: object, summary: string): Promise<void> {
    if (!caller.record) return;
    await this.log.settle(tx, caller.executionId, {
      status: 'succeeded',
      httpStatus: caller.respondAsync ? 202 : 200,
      answer: summary,
      finishedAt: this.clock.now(),
    });
    await this.answers.keep(tx, caller.executionId, { httpStatus: 200, body: answer });
  }

  async fail(tx: Tx, caller: RenderCaller, error: ServiceError): Promise<void> {
    if (!caller.record) return;
    const interrupted = error.code === 'shutting_down';
    await this.log.settle(tx, caller.executionId, {
      status: error.status === 499 ? 'aborted' : 'failed',
      httpStatus: error.status,
      code: interrupted ? 'interrupted' : error.code,
      error: error.message,
      finishedAt: this.clock.now(),
    });
    await this.answers.release(tx, caller.executionId);
  }
}

/** What the caller of a call that may have been opened is told. */
const answered = (error: unknown): Pick<Outcome, 'httpStatus' | 'code'> =>
  error instanceof ServiceError
    ? { httpStatus: error.status, code: error.code }
    : { httpStatus: 500, code: 'internal_error' };
