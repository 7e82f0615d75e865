import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { CreditLedger } from '../auth/credit/credit-ledger.js';
import { Clock } from '../common/clock.js';
import { shuttingDown } from '../common/readiness.js';
import { InvalidRequest, ServiceError } from '../common/service-error.js';
import { mayBeWritten } from '../database/away.js';
import { DatabaseReader } from '../database/database-reader.js';
import { LateWrites } from '../database/late-writes.js';
import type { Tx } from '../database/tx.js';
import type { SharedWork } from '../database/shared-work.js';
import { WriteGate } from '../database/write-gate.js';
import type { ExecutionDraft, Outcome } from '../executions/execution.js';
import { ExecutionLog } from '../executions/execution-log.js';
import type { ActiveRun } from './active-run.js';
import { ChatTurns, type Place } from './chat-turns.js';
import { stoppedRun } from './prediction-answer.js';
import { type PredictionCall, priceOf } from './prediction-call.js';

/**
 * Begins a run: its chat's turn, its record and its charge (contract section 2), the latter two in one transaction.
 * Throws 409 `session_busy` and 402 `insufficient_credit`, with nothing left behind but the record of the refusal.
 */
@Injectable()
export class RunOpening {
  /** Runs that begin at the same time begin with the same statements. */
  private readonly openings: SharedWork<PredictionCall, boolean> = {
    write: (tx, calls) => this.openNow(tx, calls),
  };

  constructor(
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly log: ExecutionLog,
    private readonly credit: CreditLedger,
    private readonly turns: ChatTurns,
    private readonly clock: Clock,
    private readonly lateWrites: LateWrites,
  ) {}

  /** The place in the chat's line that the run must leave when it is over; none for a chat that nobody else can know. */
  async open(call: PredictionCall, run: ActiveRun): Promise<Place | undefined> {
    const { apiCall, body, flow, chatId } = call;
    const place = body.chatId === undefined ? undefined : this.turns.join(flow.id, chatId);
    try {
      const opened = place?.atFront === undefined && (await this.gate.writeTogether(this.openings, call));
      if (opened) apiCall.recorded = true;
      else await this.wait(call, run, place!);
      return place;
    } catch (error) {
      place?.leave();
      // It may have been opened although nobody heard of it.
      if (mayBeWritten(error)) await this.refuse(call, error);
      throw error;
    }
  }

  private async openNow(tx: Tx, calls: readonly PredictionCall[]): Promise<boolean[]> {
    const opened = await this.log.openAll(tx, calls.map(runningDraft));
    const isOpen = ({ apiCall }: PredictionCall) => opened.has(apiCall.executionId);
    await this.pay(tx, calls.filter(isOpen));
    return calls.map(isOpen);
  }

  /** While a call waits its record is `running` with 0 credits. */
  private async wait(call: PredictionCall, run: ActiveRun, place: Place): Promise<void> {
    await this.gate.write((tx) => this.log.open(tx, draftOf(call)));
    call.apiCall.recorded = true;
    const giveUp = new AbortController();
    const until = giveUp.signal;
    const abandon = () => giveUp.abort();
    const timer = setTimeout(abandon, this.turns.patienceMs);
    run.signal.addEventListener('abort', abandon, { once: true });
    if (run.signal.aborted) abandon();
    try {
      await happensBefore(until, place.atFront);
      while (!(await this.gate.write((tx) => this.takeTurn(tx, call)))) await this.turnFree(call, until);
    } catch (error) {
      const refusal = until.aborted && error === until.reason ? this.whyNot(run) : error;
      await this.refuse(call, refusal);
      throw refusal;
    } finally {
      clearTimeout(timer);
      run.signal.removeEventListener('abort', abandon);
    }
  }

  private async takeTurn(tx: Tx, call: PredictionCall): Promise<boolean> {
    if (!(await this.log.takeTurn(tx, call.apiCall.executionId, priceOf(call)))) return false;
    await this.pay(tx, [call]);
    return true;
  }

  private async pay(tx: Tx, calls: readonly PredictionCall[]): Promise<void> {
    const at = this.clock.now();
    const paying = calls.filter(({ resumes }) => !resumes);
    await this.credit.chargeAll(
      tx,
      paying.map(({ flow, apiCall, seesFailures }) => ({
        account: flow.account,
        amount: flow.price,
        executionId: apiCall.executionId,
        knowsAccount: seesFailures,
        at,
      })),
    );
    for (const call of calls) if (call.resumes) await this.checkStop(tx, call, call.resumes.executionId);
  }

  /** Another answer to the same stop may have come first: the turn is ours now, so this reading holds. */
  private async checkStop(tx: Tx, { flow, chatId }: PredictionCall, executionId: string): Promise<void> {
    const stop = await tx.one<{ execution_id: string }>(
      'SELECT execution_id FROM chat_stops WHERE flow_id = ? AND chat_id = ?',
      [flow.id, chatId],
    );
    if (stop?.execution_id !== executionId) throw nothingWaits();
  }

  private async turnFree(call: PredictionCall, until: AbortSignal): Promise<void> {
    const held = 'SELECT 1 AS held FROM executions WHERE flow_id = ? AND chat_id = ? AND holds_turn = 1';
    do await happensBefore(until, pause(this.turns.pollMs));
    while (await this.reader.one(held, [call.flow.id, call.chatId]));
  }

  private whyNot(run: ActiveRun): ServiceError {
    if (run.stopReason === undefined) return sessionBusy();
    return run.stopReason === 'interrupted' ? shuttingDown() : stoppedRun(run.stopReason);
  }

  private async refuse(call: PredictionCall, refusal: unknown): Promise<void> {
    const known = refusal instanceof ServiceError ? refusal : undefined;
    const { executionId } = call.apiCall;
    // Where it may have been charged nobody knows: to fail gives that back.
    const failed = mayBeWritten(refusal);
    const outcome: Outcome = {
      status: known?.status === 499 ? 'aborted' : failed ? 'failed' : 'rejected',
      httpStatus: known?.status ?? 500,
      code: known?.code ?? 'internal_error',
      ...(known ? { error: known.message } : {}),
      finishedAt: this.clock.now(),
    };
    await this.lateWrites.attempt(`the refusal of call ${executionId}`, () =>
      this.gate.write((tx) => this.log.settle(tx, executionId, outcome)),
    );
  }
}

function draftOf({ apiCall, flow, chatId, body, resumes, keepsAnswer }: PredictionCall): ExecutionDraft {
  return {
    id: apiCall.executionId,
    kind: 'prediction',
    flowId: flow.id,
    flowName: flow.name,
    chatId,
    account: flow.account,
    caller: apiCall.caller,
    question: body.question,
    credits: 0,
    keyed: keepsAnswer,
    startedAt: apiCall.startedAt,
    ...(resumes ? { resumes: resumes.executionId } : {}),
  };
}

const runningDraft = (call: PredictionCall): ExecutionDraft => ({
  ...draftOf(call),
  credits: priceOf(call),
  takesTurn: call.body.chatId !== undefined,
});

/** Rejects with the signal's reason once it is aborted. */
async function happensBefore(until: AbortSignal, event: Promise<void> | undefined): Promise<void> {
  until.throwIfAborted();
  let abort = (): void => undefined;
  const tooLate = new Promise<never>((_, reject) => {
    abort = () => reject(until.reason as Error);
    until.addEventListener('abort', abort, { once: true });
  });
  await Promise.race([event, tooLate]).finally(() => until.removeEventListener('abort', abort));
}

export const nothingWaits = (): ServiceError =>
  new InvalidRequest(
    [{ path: 'humanInput', message: 'no run of this chat waits for an answer' }],
    'No run of this chat waits for an answer. Send a question instead.',
  );

const sessionBusy = (): ServiceError =>
  new ServiceError(
    409,
    'session_busy',
    'Another run of this chat did not end in time. Wait for its answer, then send the message again.',
    { headers: { 'Retry-After': '5' } },
  );
