import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { v7 as uuidV7 } from 'uuid';
import { matchesDomain, pageOf } from '../../auth/guards/allowed-domains.guard.js';
import { declareBudget } from '../../common/budgets/budget.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { OutboundHttp } from '../../common/outbound/outbound-http.js';
import { InvalidRequest } from '../../common/service-error.js';
import type { Tx } from '../../database/tx.js';
import { AsyncRunStore, type EndedRun } from '../../executions/async/async-run-store.js';
import { CallbackEntity } from '../../executions/async/callback.entity.js';
import { OutboxRounds } from '../../executions/outbox/outbox-rounds.js';
import { Outbox, OutboxRooms, type OutboxShare } from '../../executions/outbox/outbox.js';
import { Credentials } from '../../flows/credentials/credentials.js';
import type { FlowSettings } from '../../flows/definition/flow-definition.js';
import type { PredictionCall } from '../call/prediction-call.js';

const TIMEOUT_MS = 15_000;

const ofTarget = declareBudget({
  name: 'callbacks under way to a target',
  unit: 'calls',
  owner: 'target',
  share: 2,
  total: 32,
  beyond: 'the callback waits',
  reason: 'A target that answers takes hundreds a second through two; one that hangs keeps no other waiting.',
});

const ofFlow = declareBudget({
  ...ofTarget,
  name: 'callbacks under way of a flow',
  owner: 'flow',
  share: 8,
  reason: 'A quarter: a flow whose callers name many targets that hang leaves places for the others.',
});

const AT_ONCE = ofTarget.total;

export const CALLBACK_SHARES: readonly OutboxShare<CallbackEntity>[] = [
  { column: 'target', most: ofTarget.share },
  { column: 'flowId', most: ofFlow.share },
];

/** Pauses between attempts, in seconds: about a day in all. */
const WAITS_S = [5, 30, 120, 600, 1_800, 3_600, ...Array<number>(22).fill(3_600)];

/**
 * Posts the ends of async runs to their `callbackUrl` by the rules of Standard Webhooks (contract section 3): from a
 * durable outbox, signed, with the same `webhook-id` at each attempt, until the target accepts it, answers 410, or a
 * day has passed.
 */
@Injectable()
export class Callbacks implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly outbox: Outbox<CallbackEntity>;
  private readonly rounds: OutboxRounds<CallbackEntity>;

  constructor(
    rooms: OutboxRooms,
    runs: AsyncRunStore,
    private readonly http: OutboundHttp,
    private readonly credentials: Credentials,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    runs.onEnd((tx, run) => this.queue(tx, run));
    this.outbox = new Outbox(CallbackEntity, rooms, CALLBACK_SHARES);
    const take = () => this.outbox.take();
    const work = { take, send: (row: CallbackEntity) => this.send(row), atOnce: AT_ONCE };
    this.rounds = new OutboxRounds(work, logger);
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.rounds.stop();
  }

  /** Throws 400 unless the flow may post to the caller's `callbackUrl`. */
  check({ body, flow, apiKeyId }: PredictionCall): void {
    const { callbackUrl } = body;
    if (callbackUrl === undefined) return;
    const page = /^https?:\/\//i.test(callbackUrl) ? pageOf({ origin: callbackUrl }) : 'opaque';
    if (page === undefined || page === 'opaque') throw refused('must be an http or https address');
    if (flow.definition.webhookCredentialId === undefined)
      throw refused('needs a flow that names a webhookCredentialId to sign with');
    const hosts = flow.definition.callbackHosts ?? [];
    if (apiKeyId === undefined && !hosts.some((host) => matchesDomain(host, page)))
      throw refused("needs the flow's API key, or a host of the flow's callbackHosts");
  }

  /** Queues a callback. It is signed with the credential that the flow names now, or else with that of the call. */
  private async queue(tx: Tx, run: EndedRun): Promise<void> {
    const { executionId, callbackUrl: url, status } = run;
    const { flowId, signer } = await flowOf(tx, executionId);
    const credentialId = signer ?? run.credentialId;
    if (credentialId === null) return;
    const body = JSON.stringify(status);
    const now = this.clock.now();
    const target = `${flowId} ${new URL(url).host}`;
    await tx.repository(CallbackEntity).insert({
      id: `msg_${uuidV7({ msecs: now })}`,
      ...{ executionId, flowId, target, url, credentialId, body },
      ...{ state: 'queued', attempts: 0, nextAttemptAt: now, createdAt: now },
    });
  }

  /** Starts a round now. */
  hurry(): void {
    this.rounds.kick();
  }

  private async send(row: CallbackEntity): Promise<void> {
    const refusal = await this.post(row);
    const wait = WAITS_S[row.attempts - 1];
    if (refusal === undefined) await this.outbox.finish(row, { state: 'sent' });
    else if (refusal.forGood || wait === undefined)
      await this.outbox.finish(row, { state: 'failed', error: refusal.reason });
    else await this.outbox.finish(row, { state: 'queued', waitMs: wait * 1000, error: refusal.reason });
    this.logger.info(
      { callbackId: row.id, executionId: row.executionId, error: refusal?.reason },
      'called back',
    );
  }

  /** Posts a callback. Returns undefined if the target has accepted it. */
  private async post(row: CallbackEntity): Promise<{ reason: string; forGood: boolean } | undefined> {
    try {
      const { Webhook } = await import('standardwebhooks');
      const secret = await this.credentials.webhookSecret(row.credentialId);
      const now = new Date(this.clock.now());
      const { status } = await this.http.request({
        url: row.url,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': row.id,
          'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
          'webhook-signature': new Webhook(secret).sign(row.id, now, row.body),
        },
        body: row.body,
        maxBytes: 0,
        timeoutMs: TIMEOUT_MS,
        statusOnly: true,
      });
      if (status >= 200 && status < 300) return undefined;
      return { reason: `the target answered ${status}`, forGood: status === 410 };
    } catch (error) {
      return { reason: (error as Error).message, forGood: false };
    }
  }
}

/** Returns the flow of this execution and its current signing credential. */
async function flowOf(tx: Tx, executionId: string): Promise<{ flowId: string; signer: string | undefined }> {
  const sql = `SELECT flow_id AS "flowId", settings FROM executions LEFT JOIN flows ON flows.id = flow_id
    WHERE executions.id = ?`;
  const row = await tx.one<{ flowId: string; settings: string | null }>(sql, [executionId]);
  const settings = row?.settings ? (JSON.parse(row.settings) as FlowSettings) : undefined;
  return { flowId: row?.flowId ?? '', signer: settings?.webhookCredentialId };
}

const refused = (message: string): InvalidRequest => new InvalidRequest([{ path: 'callbackUrl', message }]);
