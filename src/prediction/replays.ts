import { Injectable } from '@nestjs/common';
import { ServiceError } from '../common/service-error.js';
import { LateWrites } from '../database/late-writes.js';
import { WriteGate } from '../database/write-gate.js';
import { IdempotentAnswers, type KeptAnswer } from '../executions/idempotency.js';
import { fingerprintOf } from './fingerprint.js';
import type { Ending, PredictionAnswer } from './prediction-answer.js';
import type { PredictionCall } from './prediction-call.js';

/** An error as it is kept: enough to give the same body again. */
export interface KeptProblem {
  executionId: string;
  code: string;
  message: string;
  members: Record<string, unknown>;
}

/** Answers of predictions that are given again to the same `Idempotency-Key` (contract section 1). */
@Injectable()
export class Replays {
  constructor(
    private readonly answers: IdempotentAnswers,
    private readonly gate: WriteGate,
    private readonly lateWrites: LateWrites,
  ) {}

  /**
   * The kept answer to this call's key; nothing when the call is the first and shall run. Throws 410 `stream_expired`
   * where it shall not: such a call only looks, so that it never stands in the way of one that runs.
   */
  async find(call: PredictionCall, key: string, replayAlone: boolean): Promise<Ending | undefined> {
    const { apiCall, flow } = call;
    const kept = await this.answers.replay(
      {
        scope: `prediction ${flow.id} ${call.apiKeyId ?? apiCall.caller.address}`,
        key,
        fingerprint: fingerprintOf(call.body),
        executionId: apiCall.executionId,
      },
      replayAlone,
    );
    if (!kept) return undefined;
    apiCall.replays = { executionId: kept.executionId, status: kept.status };
    return endingOf(kept);
  }

  /** Gives the key of a call free that was refused before it ran. */
  release({ apiCall: { executionId } }: PredictionCall): Promise<void> {
    return this.lateWrites.attempt(`the key of call ${executionId}`, () =>
      this.gate.write((tx) => this.answers.release(tx, executionId)),
    );
  }
}

function endingOf({ httpStatus, body }: KeptAnswer): Ending {
  if (httpStatus === 200) return { answer: body as PredictionAnswer };
  const { executionId, code, message, members } = body as KeptProblem;
  const headers = { 'Idempotent-Replay': 'true' };
  return {
    error: new ServiceError(httpStatus, code, message, { members: { executionId, ...members }, headers }),
  };
}
