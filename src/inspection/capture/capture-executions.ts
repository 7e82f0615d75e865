import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { interruptedMeanwhile } from '../../database/away.js';
import { LateWrites } from '../../database/late-writes.js';
import { WriteGate } from '../../database/write-gate.js';
import type { ApiCall } from '../../executions/api-call.js';
import type { Outcome } from '../../executions/execution.js';
import { type CancelListener, ExecutionLog } from '../../executions/execution-log.js';
import { IdempotentAnswers, type KeptAnswer, type KeyedCall } from '../../executions/idempotency.js';
import type { Flow } from '../../flows/definition/flow.js';
import type { CaptureListener } from '../capture.service.js';
import type { CaptureBody } from './capture-body.js';
import type { CaptureAnswer, Rejection } from './capture-command.js';

/** The record of each call of the capture route: running with its start, ended together with the rows (contract section 8). */
@Injectable()
export class CaptureExecutions {
  private readonly opened = new WeakSet<ApiCall>();

  constructor(
    private readonly gate: WriteGate,
    private readonly lateWrites: LateWrites,
    private readonly log: ExecutionLog,
    private readonly answers: IdempotentAnswers,
    private readonly clock: Clock,
  ) {}

  onCancel(listener: CancelListener): void {
    this.log.onCancel(listener);
  }

  /** The kept answer to this call's key; nothing when the call is the first and shall run. */
  replay(call: KeyedCall, replayAlone: boolean): Promise<KeptAnswer | undefined> {
    return this.answers.replay(call, replayAlone);
  }

  /** Whether the record was opened, so that the capture itself looks after the files of the call. */
  wasOpened(call: ApiCall): boolean {
    return this.opened.has(call);
  }

  listener(call: ApiCall, flow: Flow, body: CaptureBody, keepsAnswer: boolean): CaptureListener {
    return {
      opening: async (tx) => {
        await this.log.open(tx, {
          id: call.executionId,
          kind: 'capture',
          flowId: flow.id,
          flowName: flow.name,
          chatId: body.sessionId,
          account: flow.account,
          caller: call.caller,
          ...(body.remark === undefined ? {} : { question: body.remark }),
          credits: 0,
          keyed: keepsAnswer,
          startedAt: call.startedAt,
        });
      },
      opened: () => {
        call.recorded = true;
        this.opened.add(call);
      },
      closing: async (tx, answer) => {
        const outcome: Outcome = {
          status: 'succeeded',
          httpStatus: 200,
          answer: inWords(answer),
          finishedAt: this.clock.now(),
        };
        if (!(await this.log.settle(tx, call.executionId, outcome))) throw interruptedMeanwhile();
        if (keepsAnswer) await this.answers.keep(tx, call.executionId, { httpStatus: 200, body: answer });
      },
    };
  }

  /** Ends the record of a call that came to nothing, and gives its `Idempotency-Key` free. Answers what the caller is told. */
  async fail(call: ApiCall, error: unknown): Promise<unknown> {
    const outcome = outcomeOf(error, this.clock.now());
    await this.lateWrites.attempt(`the end of capture ${call.executionId}`, () =>
      this.gate.write(async (tx) => {
        await this.log.settle(tx, call.executionId, outcome);
        await this.answers.release(tx, call.executionId);
      }),
    );
    return error;
  }
}

function outcomeOf(error: unknown, finishedAt: number): Outcome {
  if (!(error instanceof ServiceError)) {
    return { status: 'failed', httpStatus: 500, code: 'internal_error', finishedAt };
  }
  const status = error.code === 'aborted' ? 'aborted' : error.status < 500 ? 'rejected' : 'failed';
  const code = CODES[error.code] ?? error.code;
  return { status, httpStatus: error.status, code, error: error.message, finishedAt };
}

/** What the record calls it where that is not what the caller is told. */
const CODES: Readonly<Record<string, string>> = { aborted: 'cancelled', shutting_down: 'interrupted' };

/** What the log shows as the answer. */
const inWords = ({ area, recorded, duplicates, rejected, session }: CaptureAnswer): string =>
  [
    `${area ?? 'No area'}: ${recorded.length} recorded`,
    ...(duplicates.length > 0 ? [`${duplicates.length} known`] : []),
    ...(rejected.length > 0 ? [`${rejected.length} rejected (${reasonsOf(rejected)})`] : []),
    `${session.pending} pending`,
  ].join(', ');

const MOST_REASONS = 5;

/** `photograph 2: The picture is damaged.`, numbered as a person counts. */
function reasonsOf(rejected: readonly Rejection[]): string {
  const reasons = rejected
    .slice(0, MOST_REASONS)
    .map(({ index, message }) => `photograph ${index + 1}: ${message}`);
  const more = rejected.length - reasons.length;
  return [...reasons, ...(more > 0 ? [`and ${more} more`] : [])].join(' ');
}
