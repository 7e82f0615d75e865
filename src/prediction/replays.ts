import { Injectable } from '@nestjs/common';
import { ServiceError } from '../common/service-error.js';
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
  ) {}

  /** The kept answer to this call's key; nothing when the call is the first and shall run. */
  async find(
    call: PredictionCall,
    key: string,
  ): Promise<{ executionId: string; ending: Ending } | undefined> {
    const { apiCall, flow } = call;
    const begun = await this.answers.begin({
      scope: `prediction ${flow.id} ${call.apiKeyId ?? apiCall.caller.address}`,
      key,
      fingerprint: fingerprintOf(call.body),
      executionId: apiCall.executionId,
    });
    if (begun === 'fresh') return undefined;
    return { executionId: begun.replay.executionId, ending: endingOf(begun.replay) };
  }

  /** Gives the key of a call free that was refused before it ran. */
  async release(call: PredictionCall): Promise<void> {
    await this.gate.write((tx) => this.answers.release(tx, call.apiCall.executionId));
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
