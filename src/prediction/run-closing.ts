import { Injectable } from '@nestjs/common';
import { foldWarnings, type Warning } from '../common/warnings.js';
import { Clock } from '../common/clock.js';
import { Logger } from '../common/logger.js';
import { ServiceError } from '../common/service-error.js';
import { DatabaseAway, isAway, toldOf } from '../database/away.js';
import { LateWrites } from '../database/late-writes.js';
import { patiently } from '../database/patiently.js';
import type { Tx } from '../database/tx.js';
import type { SharedWork } from '../database/shared-work.js';
import { WriteGate } from '../database/write-gate.js';
import type { CallLife } from '../executions/calls/call-life.js';
import { type CallEnd, CallLives } from '../executions/calls/call-lives.js';
import { outcomeOf } from '../executions/calls/call-outcome.js';
import { RunInterrupted } from '../executions/calls/run-fence.js';
import type { Outcome } from '../executions/execution.js';
import { newExecutionId } from '../executions/execution-id.js';
import { ExecutionLog } from '../executions/execution-log.js';
import type { NodeRun, RunEvent } from '../flows/engine/run-event.js';
import { ChatMemory, type Turn } from './memory/chat-memory.js';
import {
  answerOf,
  type Ending,
  endPending,
  executedData,
  flowFailed,
  internalError,
  keptProblem,
  stopOf,
} from './prediction-answer.js';
import type { PredictionCall } from './prediction-call.js';

/** What was seen of a run until its last event. */
export interface RunSummary {
  firstTokenMs: number | undefined;
  /** Node runs that ended, for flows that show their trace. */
  nodes: readonly NodeRun[];
  warnings: readonly Warning[];
}

type LastEvent = Extract<RunEvent, { type: 'finished' | 'waiting' | 'failed' | 'aborted' }>;
type GoodEvent = Extract<RunEvent, { type: 'finished' | 'waiting' }>;

/** What the closing transaction writes, and what the caller is told after it. */
interface Closing {
  ending: Ending;
  outcome: Outcome;
  /** What the chat remembers of a run that ended well. */
  turn?: Turn;
  /** Whatever else the run leaves in its chat: state, a stop. */
  keep?: (tx: Tx) => Promise<void>;
  /** An answer to be replayed to the same `Idempotency-Key`. */
  kept?: { httpStatus: number; body: unknown };
}

/**
 * Ends a run: record, memory, state and the answer kept for replay in one transaction, then the answer (contract
 * section 3). A failed or stopped run leaves memory and state as they were.
 */
@Injectable()
export class RunClosing {
  /** Runs that end at the same time end with the same statements. */
  private readonly closings: SharedWork<ClosedRun, boolean> = { write: (tx, runs) => this.write(tx, runs) };

  constructor(
    private readonly gate: WriteGate,
    private readonly lateWrites: LateWrites,
    private readonly lives: CallLives,
    private readonly log: ExecutionLog,
    private readonly memory: ChatMemory,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  async close(call: PredictionCall, life: CallLife, last: RunEvent, seen: RunSummary): Promise<Ending> {
    const closing = this.closingOf(call, life, last as LastEvent, seen);
    try {
      const settled = await patiently(() => this.gate.writeTogether(this.closings, { call, life, closing }));
      // Recovery by another process, which took this one for dead, was first: its refund stands.
      return settled ? closing.ending : { error: interrupted(life) };
    } catch (error) {
      return isAway(error) ? this.closeLate(call, life, closing, error) : this.closeBroken(call, life, error);
    }
  }

  /** A run that could not even start, or whose end cannot be written. Its charge is refunded, now or late. */
  async closeBroken(call: PredictionCall, life: CallLife, cause: unknown): Promise<Ending> {
    const { executionId } = call.apiCall;
    const told = toldOf(cause);
    const known = told instanceof ServiceError;
    if (!known) this.logger.error({ err: cause, executionId }, 'a run could not be closed');
    const error = known ? told : internalError();
    const closing = { ending: { error }, outcome: outcomeOf(error, this.clock.now()) };
    const closed = { call: withoutFiles(call), life, closing };
    await this.lateWrites.attempt(`the end of run ${executionId}`, () =>
      this.gate.writeTogether(this.closings, closed),
    );
    return { error };
  }

  /**
   * The caller cannot wait for the end of a run to be durable: the database is away. It is written when the database is
   * back, unless the run was interrupted meanwhile, with the status that the caller was told.
   */
  private closeLate(call: PredictionCall, life: CallLife, closing: Closing, cause: unknown): Ending {
    const error = endPending(cause);
    const outcome = { ...closing.outcome, httpStatus: error.status };
    const closed = { call: withoutFiles(call), life, closing: { ...closing, outcome } };
    const { executionId } = call.apiCall;
    const write = async () => {
      if (await this.gate.writeTogether(this.closings, closed)) return;
      // The commit that nobody heard of was made: what was told then is not what was meant to be told.
      await this.gate.write((tx) => this.log.correctStatus(tx, executionId, outcome));
    };
    this.lateWrites.later(`the end of run ${executionId}`, write, cause);
    return { error };
  }

  private async write(tx: Tx, runs: readonly ClosedRun[]): Promise<boolean[]> {
    const ended = await this.lives.endAll(tx, runs.map(endOf));
    const over = runs.filter(({ life }) => ended.has(life));
    await this.memory.rememberAll(
      tx,
      over.flatMap(({ closing }) => closing.turn ?? []),
    );
    for (const { call, closing } of over) {
      // The first part of the conversation ends with the last, and is refunded with it.
      if (call.resumes) await this.log.settle(tx, call.resumes.executionId, closing.outcome);
      await closing.keep?.(tx);
      await call.onEnded?.(tx, closing.ending);
    }
    return runs.map(({ life }) => ended.has(life));
  }

  private closingOf(call: PredictionCall, life: CallLife, last: LastEvent, seen: RunSummary): Closing {
    const finishedAt = this.clock.now();
    switch (last.type) {
      case 'finished':
      case 'waiting':
        return this.good(call, last, seen, finishedAt);
      case 'failed': {
        const { nodeId: id, label, message, code, cause } = last.failure;
        const told = toldOf(cause);
        const passes = told instanceof DatabaseAway || told instanceof RunInterrupted;
        const error = passes ? told : flowFailed(call, last.failure);
        const more = { error: message, failedNode: { id, label }, ...(code === undefined ? {} : { code }) };
        const outcome = outcomeOf(error, finishedAt, more);
        // Not kept for a replay: the same call may pass later.
        if (passes) return { ending: { error }, outcome };
        return { ending: { error }, outcome, kept: { httpStatus: 500, body: keptProblem(call, error) } };
      }
      case 'aborted': {
        const error = stopOf(life.stopReason ?? 'stopped');
        return { ending: { error }, outcome: outcomeOf(error, finishedAt) };
      }
    }
  }

  private good(call: PredictionCall, last: GoodEvent, seen: RunSummary, finishedAt: number): Closing {
    const { result } = last;
    const chatMessageId = newExecutionId(finishedAt);
    const warnings = foldWarnings(seen.warnings, result.warnings);
    const action = last.type === 'waiting' ? last.stop.action : undefined;
    const trace = call.flow.definition.exposeTrace ? executedData(seen.nodes, call.flow.graph) : undefined;
    const answer = answerOf({ call, result, chatMessageId, warnings, action, trace });
    const outcome: Outcome = {
      status: last.type === 'waiting' ? 'waiting' : 'succeeded',
      httpStatus: 200,
      answer: result.text,
      ...(seen.firstTokenMs === undefined ? {} : { firstTokenMs: seen.firstTokenMs }),
      ...(result.tokens === undefined ? {} : { tokens: result.tokens }),
      finishedAt,
    };
    const chat = { flowId: call.flow.id, chatId: call.chatId };
    const { executionId } = call.apiCall;
    const turn = {
      ...chat,
      id: chatMessageId,
      executionId,
      question: call.body.question,
      answer: result.text,
      uploads: call.body.uploads.map(({ type, name, mime }) => ({ type, name, mime })),
      at: finishedAt,
    };
    const keep = (tx: Tx) => this.keepChat(tx, call, last, finishedAt);
    return { ending: { answer }, outcome, turn, keep, kept: { httpStatus: 200, body: answer } };
  }

  private async keepChat(tx: Tx, call: PredictionCall, last: GoodEvent, at: number): Promise<void> {
    const { resumes, body, flow, chatId } = call;
    const chat = { flowId: flow.id, chatId };
    const { state, stateChanged } = last.result;
    if (stateChanged || body.startState.size > 0) await this.memory.keepState(tx, chat, state, at);
    if (last.type === 'waiting') {
      const executionId = resumes?.executionId ?? call.apiCall.executionId;
      await this.memory.keepStop(tx, chat, { executionId, snapshot: last.stop.snapshot }, at);
    } else if (resumes) await this.memory.forgetStop(tx, chat, resumes.executionId);
  }
}

interface ClosedRun {
  call: PredictionCall;
  life: CallLife;
  closing: Closing;
}

/** Only the execution that stopped first waits; a call that answered it has had its answer. */
const endOf = ({ call, life, closing: { outcome, kept } }: ClosedRun): CallEnd => ({
  life,
  outcome: call.resumes && outcome.status === 'waiting' ? { ...outcome, status: 'succeeded' } : outcome,
  kept,
});

/** Somebody else ended the run: recovery when the service stopped, or a process that took this one for dead. */
const interrupted = ({ stopReason }: CallLife): ServiceError =>
  stopReason === 'interrupted' ? stopOf(stopReason) : new RunInterrupted();

/** Without what only the run needed: the end may have to be kept in memory for as long as the database is away. */
const withoutFiles = (call: PredictionCall): PredictionCall => ({
  ...call,
  body: { ...call.body, uploads: [] },
});
