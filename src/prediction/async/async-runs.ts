import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CreditLedger } from '../../auth/credit/credit-ledger.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { problemBodyOf } from '../../common/problem.filter.js';
import { Readiness } from '../../common/readiness.js';
import { ServiceError } from '../../common/service-error.js';
import { mayBeWritten } from '../../database/away.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/write-gate.js';
import type { ApiCall } from '../../executions/api-call.js';
import { CallLife } from '../../executions/calls/call-life.js';
import { CallLives } from '../../executions/calls/call-lives.js';
import { outcomeOf } from '../../executions/calls/call-outcome.js';
import type { RunAttempt } from '../../executions/calls/run-fence.js';
import { RunningCalls } from '../../executions/calls/running-calls.js';
import { Takeover } from '../../executions/calls/takeover.js';
import { ExecutionLog } from '../../executions/execution-log.js';
import { FlowStore } from '../../flows/definition/flow-store.js';
import { BlobStore } from '../../storage/blob-store.js';
import { type PredictionCall, priceOf, type RunEnding } from '../prediction-call.js';
import { PredictionReader } from '../prediction-reader.js';
import { PredictionService } from '../prediction.service.js';
import { type AsyncEnd, AsyncRunStore, newRunToken } from '../../executions/calls/async-run-store.js';
import { Callbacks } from './callbacks.js';
import { readStoredCall, storedCallOf } from './stored-call.js';

/** What a caller who does not wait is told at once, and again under the same key. */
export interface AcceptedRun {
  executionId: string;
  status: 'running';
  /** Path of the run's state. */
  location: string;
}

interface RunRow {
  flow_id: string;
  chat_id: string;
  caller_address: string;
  caller_api_key_id: string | null;
  caller_origin: string | null;
  started_at: number;
}

/**
 * Runs that nobody waits for (contract section 3): durable and charged when the caller is answered, run when their turn
 * has come, told by their address and a callback. They belong to no process: one that stops hands them over, and what
 * one leaves behind another takes over and goes on with its journal (contract section 11).
 */
@Injectable()
export class AsyncRuns implements OnModuleInit {
  private readonly own = new Set<CallLife>();

  constructor(
    private readonly store: AsyncRunStore,
    private readonly callbacks: Callbacks,
    private readonly predictions: PredictionService,
    private readonly reader: PredictionReader,
    private readonly lives: CallLives,
    private readonly log: ExecutionLog,
    private readonly running: RunningCalls,
    private readonly takeover: Takeover,
    private readonly flows: FlowStore,
    private readonly credit: CreditLedger,
    private readonly blobs: BlobStore,
    private readonly gate: WriteGate,
    private readonly database: DatabaseReader,
    private readonly clock: Clock,
    private readonly readiness: Readiness,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.takeover.useToGoOn((run) => void this.goOn(run));
    this.readiness.onStopping(() => this.handOverAll());
  }

  /** Throws 400 for a `callbackUrl` that may not be called, 402, and 503 `overloaded`. */
  async accept(call: PredictionCall, life: CallLife): Promise<AcceptedRun> {
    this.callbacks.check(call);
    const { executionId } = life;
    const token = newRunToken();
    const location = `/api/v1/prediction/${encodeURIComponent(call.flow.id)}/runs/${token}`;
    const accepted: AcceptedRun = { executionId, status: 'running', location };
    const { key: requestKey } = await this.blobs.put('runs', storedCallOf(call));
    try {
      await this.gate.write(async (tx) => {
        const { flow, body, resumes, seesFailures } = call;
        const more = resumes ? { resumes: resumes.executionId } : {};
        const draft = { account: flow.account, question: body.question, outlivesProcess: true, ...more };
        await this.lives.open(tx, life, { ...draft, credits: priceOf(call) });
        const at = this.clock.now();
        const charge = { account: flow.account, amount: priceOf(call), executionId, at };
        await this.credit.charge(tx, { ...charge, knowsAccount: seesFailures });
        await this.store.add(tx, { executionId, token, requestKey, callbackUrl: body.callbackUrl });
        await this.lives.keep(tx, life, { httpStatus: 202, body: accepted });
      });
    } catch (error) {
      if (!mayBeWritten(error)) await this.blobs.remove(requestKey);
      throw error;
    }
    call.apiCall.recorded = true;
    void this.run(this.toldAtItsEnd(call), life, requestKey);
    return accepted;
  }

  private async run(call: PredictionCall, life: CallLife, requestKey: string): Promise<void> {
    this.own.add(life);
    await this.predictions.runInTurn(call, life);
    this.own.delete(life);
    this.callbacks.hurry();
    if (await this.hasEnded(life)) await this.blobs.remove(requestKey).catch(() => undefined);
  }

  /** Its end is kept for whoever asks, and told to whoever wanted to be, in the transaction that ends it. */
  private toldAtItsEnd(call: PredictionCall): PredictionCall {
    const { executionId } = call.apiCall;
    return { ...call, onEnded: (tx, ending) => this.keepEnd(tx, call, endOf(ending, executionId)) };
  }

  private async keepEnd(tx: Tx, { apiCall, flow }: PredictionCall, end: AsyncEnd): Promise<void> {
    const kept = await this.store.end(tx, apiCall.executionId, end);
    const credentialId = flow.definition.webhookCredentialId;
    if (typeof kept?.callbackUrl !== 'string' || credentialId === undefined) return;
    const status = await this.statusIn(tx, apiCall.executionId);
    await this.callbacks.queue(tx, {
      executionId: apiCall.executionId,
      url: kept.callbackUrl,
      credentialId,
      body: JSON.stringify({ status, ...end }),
    });
  }

  /** Goes on with a run of a process that is gone. */
  private async goOn({ executionId, attempt }: RunAttempt): Promise<void> {
    try {
      const found = await this.read(executionId);
      if (!found) return await this.endUnrunnable({ executionId, attempt });
      const { call, requestKey } = found;
      const life = new CallLife(call.apiCall, false, undefined, attempt);
      this.running.add(life);
      await this.run(this.toldAtItsEnd(call), life, requestKey);
    } catch (error) {
      // Handed on, so that it is tried again: by another process, or by this one in its next round.
      this.logger.error({ err: error, executionId }, 'a run could not be gone on with');
      await this.takeover.handOver({ executionId, attempt }).catch(() => undefined);
    }
  }

  /** Ends a run that no process can ever go on with, so that none goes on trying: failed, and given back. */
  private async endUnrunnable(run: RunAttempt): Promise<void> {
    const error = new ServiceError(
      500,
      'flow_failed',
      'The process that ran it ended, and its flow or what was sent is gone since: no other can go on with it.',
    );
    const outcome = outcomeOf(error, this.clock.now(), { code: 'interrupted' });
    await this.gate.write(async (tx) => {
      if ((await this.log.settleAll(tx, [{ ...run, outcome }])).size === 0) return;
      await this.store.end(tx, run.executionId, { error: problemBodyOf(error, run.executionId) });
    });
  }

  /** Undefined where its flow or its call is gone. */
  private async read(executionId: string): Promise<{ call: PredictionCall; requestKey: string } | undefined> {
    const row = await this.database.one<RunRow>(
      `SELECT flow_id, chat_id, caller_address, caller_api_key_id, caller_origin, started_at FROM executions WHERE id = ?`,
      [executionId],
    );
    const requestKey = await this.store.requestKey(executionId);
    const flow = row && (await this.flows.find(row.flow_id));
    if (!row || requestKey === undefined || !flow || !(await this.blobs.exists(requestKey))) return undefined;
    const stored = readStoredCall(await this.blobs.read(requestKey));
    const apiCall: ApiCall = {
      executionId,
      kind: 'prediction',
      startedAt: Number(row.started_at),
      caller: {
        address: row.caller_address,
        ...(row.caller_api_key_id === null ? {} : { apiKeyId: row.caller_api_key_id }),
        ...(row.caller_origin === null ? {} : { origin: row.caller_origin }),
      },
      flowId: flow.id,
      flowName: flow.name,
      chatId: row.chat_id,
      question: stored.body.question,
      recorded: true,
    };
    const call = await this.reader.withStop({ ...stored, apiCall, flow, streamed: false });
    return { call, requestKey };
  }

  /** At the very beginning of a stop: another process need not wait until this one is gone. */
  private handOverAll(): void {
    for (const life of this.own) {
      const given = this.takeover.handOver(life).catch(() => false);
      // Only then: what this process still wrote of the run would end it.
      void given.then((done) => done && life.stop('interrupted'));
    }
  }

  private async hasEnded({ executionId }: CallLife): Promise<boolean> {
    const status = await this.statusIn(this.database, executionId).catch(() => 'running');
    return status !== 'running';
  }

  private async statusIn(database: Pick<Tx, 'one'>, executionId: string): Promise<string> {
    const sql = 'SELECT status FROM executions WHERE id = ?';
    return (await database.one<{ status: string }>(sql, [executionId]))?.status ?? 'failed';
  }
}

const endOf = (ending: RunEnding, executionId: string): AsyncEnd =>
  'answer' in ending ? { answer: ending.answer } : { error: problemBodyOf(ending.error, executionId) };
