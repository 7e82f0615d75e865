import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { v7 as uuidV7 } from 'uuid';
import { matchesDomain, pageOf } from '../../auth/guards/allowed-domain.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { OutboundHttp } from '../../common/outbound-http.js';
import { InvalidRequest } from '../../common/service-error.js';
import type { Tx } from '../../database/tx.js';
import { Outbox, type OutboxRow, OutboxRooms } from '../../executions/outbox/outbox.js';
import { OutboxRounds } from '../../executions/outbox/outbox-rounds.js';
import { Credentials } from '../../flows/credentials/credentials.js';
import type { PredictionCall } from '../prediction-call.js';

/** What is posted, and where; signed with the secret of a credential of the kind `webhook`. */
export interface Callback {
  executionId: string;
  url: string;
  credentialId: string;
  body: string;
}

interface CallbackRow extends OutboxRow {
  execution_id: string;
  url: string;
  credential_id: string;
  body: string;
}

const TIMEOUT_MS = 15_000;

/** Between the tries, in seconds: about a day in all. */
const WAITS_S = [5, 30, 120, 600, 1_800, 3_600, ...Array<number>(22).fill(3_600)];

/**
 * Posts the ends of async runs to those who asked for it, as Standard Webhooks says (contract section 3): from a durable
 * outbox, signed, the same `webhook-id` at each try, until the other side takes it, says 410, or a day has passed.
 */
@Injectable()
export class Callbacks implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly outbox: Outbox<CallbackRow>;
  private readonly rounds: OutboxRounds;

  constructor(
    rooms: OutboxRooms,
    private readonly http: OutboundHttp,
    private readonly credentials: Credentials,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.outbox = new Outbox('callbacks', rooms);
    this.rounds = new OutboxRounds(() => this.sendOne(), logger);
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.rounds.stop();
  }

  /** Throws 400 unless this caller may have this flow post to the address that it names. */
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

  async queue(tx: Tx, { executionId, url, credentialId, body }: Callback): Promise<void> {
    const now = this.clock.now();
    await tx.run(
      `INSERT INTO callbacks (id, execution_id, url, credential_id, body, state, attempts, next_attempt_at, created_at)
       VALUES (?, ?, ?, ?, ?, 'queued', 0, ?, ?)`,
      [`msg_${uuidV7({ msecs: now })}`, executionId, url, credentialId, body, now, now],
    );
  }

  /** Something was queued: the next round need not be waited for. */
  hurry(): void {
    this.rounds.kick();
  }

  private async sendOne(): Promise<boolean> {
    const row = await this.outbox.take();
    if (!row) return false;
    const refusal = await this.post(row);
    const wait = WAITS_S[row.attempts - 1];
    if (refusal === undefined) await this.outbox.finish(row, { state: 'sent' });
    else if (refusal.forGood || wait === undefined)
      await this.outbox.finish(row, { state: 'failed', error: refusal.reason });
    else await this.outbox.finish(row, { state: 'queued', waitMs: wait * 1000, error: refusal.reason });
    this.logger.info(
      { callbackId: row.id, executionId: row.execution_id, error: refusal?.reason },
      'called back',
    );
    return true;
  }

  /** Undefined when it was taken. */
  private async post(row: CallbackRow): Promise<{ reason: string; forGood: boolean } | undefined> {
    try {
      const { Webhook } = await import('standardwebhooks');
      const secret = await this.credentials.webhookSecret(row.credential_id);
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

const refused = (message: string): InvalidRequest => new InvalidRequest([{ path: 'callbackUrl', message }]);
