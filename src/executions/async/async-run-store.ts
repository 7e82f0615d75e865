import { Injectable } from '@nestjs/common';
import type { ExecutionStatus } from '../../api/execution-terms.js';
import { AppConfig } from '../../common/app-config.js';
import { declareBudget, QuotaExceeded } from '../../common/budgets/budget.js';
import { Clock } from '../../common/clock.js';
import { defaults } from '../../common/environment.js';
import { hmacOf, sameSecret, sha256Hex } from '../../common/secrets/constant-time.js';
import type { Secrets } from '../../common/secrets/secrets.js';
import { Overloaded } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Tx } from '../../database/tx.js';
import type { Caller } from '../execution.js';
import type { ExecutionEntity } from '../log/execution.entity.js';
import { AsyncRunEntity } from './async-run.entity.js';

/** The answer of `GET …/runs/:token`, also posted to a `callbackUrl`. */
export interface AsyncStatus {
  status: ExecutionStatus;
  /** The JSON form of a prediction. */
  answer?: unknown;
  /** The problem body. */
  error?: unknown;
}

/** Answer or error of a run that has ended. */
export type AsyncEnd = Pick<AsyncStatus, 'answer' | 'error'>;

/** A run that is not bound to a process. */
export interface NewAsyncRun {
  executionId: string;
  flowId: string;
  caller: Caller;
  token: string;
  /** Blob key of its call. */
  requestKey: string;
  callbackUrl?: string | undefined;
  /** Signs the callback. */
  credentialId?: string | undefined;
  /** True if its caller waits (a human's click): `MAX_ASYNC_RUNS` does not count it. */
  awaited: boolean;
}

/** An async run that has just ended and has a callback. */
export interface EndedRun {
  executionId: string;
  callbackUrl: string;
  credentialId: string | null;
  status: AsyncStatus;
}

/** Queues the callback in the transaction that stores the end of a run. */
export type EndListener = (tx: Tx, run: EndedRun) => Promise<void>;

type EndedRow = Pick<AsyncRunEntity, 'callbackUrl' | 'credentialId'> & Pick<ExecutionEntity, 'status'>;

const ENDED = `RETURNING callback_url AS "callbackUrl", credential_id AS "credentialId",
  (SELECT status FROM executions WHERE executions.id = async_runs.id) AS status`;

type StatusRow = Pick<ExecutionEntity, 'status'> & Pick<AsyncRunEntity, 'answer'>;

const VARIABLE = 'MAX_ASYNC_RUNS';

/** Shares of the total: at least one run. */
const shareOfCaller = (most: number): number => Math.max(1, Math.floor(most / 4));
const shareOfFlow = (most: number): number => Math.max(1, Math.floor(most / 2));

const runsOfCaller = declareBudget({
  name: 'unfinished runs without a waiting caller',
  unit: 'runs',
  owner: 'caller',
  share: shareOfCaller(defaults[VARIABLE]),
  total: defaults[VARIABLE],
  variable: VARIABLE,
  beyond: '429 quota_exceeded; 503 overloaded beyond the total',
  reason: 'A quarter: four times what thirty clerks behind one address queue at once.',
});

const runsOfFlow = declareBudget({
  ...runsOfCaller,
  name: 'unfinished runs of a flow without a waiting caller',
  owner: 'flow',
  share: shareOfFlow(defaults[VARIABLE]),
  reason:
    'Half: the other flows have the other half, however slow one is and however many addresses call it.',
});

interface Unfinished {
  count: number;
  ofFlow: number;
  ofCaller: number;
}

const RETRY_SECONDS = 5;

/** Rows of runs whose callers do not wait (contract section 3). Tokens are stored as hashes. */
@Injectable()
export class AsyncRunStore {
  private readonly endListeners: EndListener[] = [];

  constructor(
    private readonly reader: DatabaseReader,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** Registers a listener for each end of a run with a callback. */
  onEnd(listener: EndListener): void {
    this.endListeners.push(listener);
  }

  /**
   * Adds a run in the transaction that opens its record. Throws 503 `overloaded` beyond `MAX_ASYNC_RUNS` unfinished
   * runs, and 429 `quota_exceeded` beyond the share of the caller or the flow.
   */
  async add(tx: Tx, run: NewAsyncRun): Promise<void> {
    if (!run.awaited) await this.requireSlot(tx, run);
    await tx.repository(AsyncRunEntity).insert({
      id: run.executionId,
      tokenHash: sha256Hex(run.token),
      requestKey: run.requestKey,
      callbackUrl: run.callbackUrl ?? null,
      credentialId: run.credentialId ?? null,
      createdAt: this.clock.now(),
    });
  }

  private async requireSlot(tx: Tx, { flowId, caller: { address, apiKeyId } }: NewAsyncRun): Promise<void> {
    const ofCaller =
      apiKeyId === undefined ? 'caller_api_key_id IS NULL AND caller_address = ?' : 'caller_api_key_id = ?';
    // Counts running records, this one included, but no clicks: each resumes a run that was counted.
    const unfinished = await tx.one<Unfinished>(
      `SELECT COUNT(*) AS count, COUNT(CASE WHEN flow_id = ? THEN 1 END) AS "ofFlow",
       COUNT(CASE WHEN ${ofCaller} THEN 1 END) AS "ofCaller"
       FROM executions WHERE status = 'running' AND outlives_process = 1 AND process_id IS NOT NULL AND resumes IS NULL`,
      [flowId, apiKeyId ?? address],
    );
    const most = this.config.maxAsyncRuns;
    if (Number(unfinished?.count) > most) throw tooMany();
    if (Number(unfinished?.ofCaller) > shareOfCaller(most))
      throw new QuotaExceeded(runsOfCaller, RETRY_SECONDS);
    if (Number(unfinished?.ofFlow) > shareOfFlow(most)) throw new QuotaExceeded(runsOfFlow, RETRY_SECONDS);
  }

  /** Stores the end of a run, in the transaction that ends its record. */
  async end(tx: Tx, executionId: string, end: AsyncEnd): Promise<void> {
    const ended = await tx.one<EndedRow>(
      `UPDATE async_runs SET answer = ?, ended_at = ?, request_key = NULL WHERE id = ? AND ended_at IS NULL ${ENDED}`,
      [JSON.stringify(end), this.clock.now(), executionId],
    );
    await this.notify(tx, executionId, end, ended);
  }

  /** Replaces the question of a waiting run by its next end, with a callback of its own, if it is async. */
  async endAgain(tx: Tx, executionId: string, end: AsyncEnd): Promise<void> {
    const ended = await tx.one<EndedRow>(
      `UPDATE async_runs SET answer = ?, ended_at = ? WHERE id = ? ${ENDED}`,
      [JSON.stringify(end), this.clock.now(), executionId],
    );
    await this.notify(tx, executionId, end, ended);
  }

  private async notify(tx: Tx, executionId: string, end: AsyncEnd, ended?: EndedRow): Promise<void> {
    if (typeof ended?.callbackUrl !== 'string') return;
    const { callbackUrl, credentialId, status } = ended;
    const run = { executionId, callbackUrl, credentialId, status: { status, ...end } };
    for (const listener of this.endListeners) await listener(tx, run);
  }

  /** Returns the status and answer of a run; undefined if it is unknown. */
  async find(executionId: string): Promise<AsyncStatus | undefined> {
    const row = await this.reader.one<StatusRow>(
      `SELECT executions.status, async_runs.answer FROM async_runs JOIN executions ON executions.id = async_runs.id
       WHERE async_runs.id = ?`,
      [executionId],
    );
    return row && statusIn(row);
  }

  /** Returns the blob key of a run's call. */
  async requestKey(executionId: string): Promise<string | undefined> {
    const run = await this.reader.repository(AsyncRunEntity).findOneBy({ id: executionId });
    return run?.requestKey ?? undefined;
  }

  /** Returns true if this token opens the run; false if it was stored under another secret of the service. */
  async isOpenedBy(executionId: string, token: string): Promise<boolean> {
    const run = await this.reader.repository(AsyncRunEntity).findOneBy({ id: executionId });
    return run !== null && sameSecret(run.tokenHash, sha256Hex(token));
  }

  /** Returns a run of this flow by its token, or by its execution id for callers with a key. */
  async status(flowId: string, name: string, byId: boolean): Promise<AsyncStatus | undefined> {
    const row = await this.reader.one<StatusRow>(
      `SELECT executions.status, async_runs.answer FROM async_runs
       JOIN executions ON executions.id = async_runs.id
       WHERE executions.flow_id = ? AND async_runs.${byId ? 'id' : 'token_hash'} = ?`,
      [flowId, byId ? name : sha256Hex(name)],
    );
    return row && statusIn(row);
  }
}

/** Omits the earlier answer of a run that resumed after a human's answer. */
const statusIn = ({ status, answer }: StatusRow): AsyncStatus => ({
  status,
  ...(answer === null || status === 'running' ? {} : (JSON.parse(answer) as AsyncEnd)),
});

const tooMany = () =>
  new Overloaded(
    'Too many unfinished runs without a waiting caller. Try again later, or wait for the answer.',
    RETRY_SECONDS,
  );

const TOKEN_BYTES = 16;

/**
 * Returns the token in the address of a run whose caller does not wait (contract section 3): 128 bits, base64url, always
 * the same for one execution id, so that the address can be repeated although only a hash of the token is stored.
 */
export function runToken({ linkSecret }: Pick<Secrets, 'linkSecret'>, executionId: string): string {
  const whole = Buffer.from(hmacOf(linkSecret, `run\n${executionId}`), 'base64url');
  return whole.subarray(0, TOKEN_BYTES).toString('base64url');
}
