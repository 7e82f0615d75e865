import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { declareBudget } from '../../common/budgets/budget.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { ServiceError } from '../../common/service-error.js';
import { isAway } from '../../database/away.js';
import { OutboxRounds } from '../../executions/outbox/outbox-rounds.js';
import { Outbox, OutboxRooms } from '../../executions/outbox/outbox.js';
import { ModelError } from '../../flows/models/model-error.js';
import { Unextractable } from '../extract/extraction-terms.js';
import { SlowLaneTaken } from '../extract/fair-extraction.js';
import { DocumentEntity } from '../stores/document.entity.js';
import { DocumentJob } from './document-job.js';
import { type DocumentEnd, DocumentRows, LeaseLost, WrongDimension } from './document-rows.js';

/** Documents that one process works on at once, and those of one store among them. */
const BUDGET = declareBudget({
  name: 'documents that are read at a time, by their store',
  unit: 'calls',
  owner: 'target',
  share: 2,
  total: 4,
  beyond: 'the document waits',
  reason: 'A large upload into one store leaves places to the others.',
});

/** Pauses in seconds before a failed call to a model is retried: about two hours in all. */
const WAITS_S = [2, 10, 30, 120, 600, 1_800, 3_600];

/** The longest pause, whatever the model's Retry-After. */
const LONGEST_WAIT_MS = 60 * 60_000;

const AWAY_WAIT_MS = 5_000;
const SLOW_LANE_WAIT_MS = 10_000;

/** Attempts without progress after which a document fails: more than a model's retries, so it is what ends processes. */
const MOST_TRIES = 12;

/**
 * Makes the documents of stores ready and deletes those that were removed: jobs in a table, each leased by one process at a
 * time. A process that shuts down releases its documents; those of a dead process are resumed by another.
 */
@Injectable()
export class Ingestion implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly outbox: Outbox<DocumentEntity>;
  private readonly rounds: OutboxRounds<DocumentEntity>;
  private readonly stopping = new AbortController();

  constructor(
    private readonly rooms: OutboxRooms,
    private readonly job: DocumentJob,
    private readonly rows: DocumentRows,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.outbox = new Outbox(DocumentEntity, rooms, [{ column: 'storeId', most: BUDGET.share }]);
    const take = () => this.outbox.take();
    const work = { take, send: (row: DocumentEntity) => this.workOn(row), atOnce: BUDGET.total };
    this.rounds = new OutboxRounds(work, logger);
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort(new Error('the service stops'));
    await this.rounds.stop();
  }

  /** Starts a round now, because a document was added or removed. */
  hurry(): void {
    this.rounds.kick();
  }

  private async workOn(document: DocumentEntity): Promise<void> {
    const end = await this.endOf(document).catch(unlessLost);
    if (!end) return;
    // Retried, because a document that is not released waits for the end of its lease.
    await this.rooms.lateWrites.attempt(`the release of document ${document.id}`, () =>
      this.rows.end(document, end).catch(unlessLost),
    );
  }

  private async endOf(document: DocumentEntity): Promise<DocumentEnd> {
    // The document itself may end each process that takes it.
    if (document.attempts > MOST_TRIES && document.removed === 0) return this.end('failed', NEVER_ENDED);
    try {
      const end = await this.job.advance(document, this.stopping.signal);
      if (end === 'deleted') throw new LeaseLost();
      return this.end(end === 'ready' ? 'sent' : 'queued', null);
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      return this.afterFailure(error, document);
    }
  }

  private afterFailure(error: unknown, { id, attempts }: DocumentEntity): DocumentEnd {
    if (this.stopping.signal.aborted) return this.end('queued', null);
    if (error instanceof SlowLaneTaken) return this.end('queued', null, { waitMs: SLOW_LANE_WAIT_MS });
    if (isAway(error)) return this.end('queued', null, { waitMs: AWAY_WAIT_MS });
    if (error instanceof ModelError && error.mayPass) {
      const wait = WAITS_S[attempts - 1];
      if (wait === undefined) return this.end('failed', documentFailure(error));
      const waitMs = Math.min(Math.max(error.retryAfterMs ?? 0, wait * 1_000), LONGEST_WAIT_MS);
      return this.end('queued', documentFailure(error), { waitMs, attempts });
    }
    const failure = documentFailure(error);
    if (failure.code === 'internal_error')
      this.logger.error({ err: error, documentId: id }, 'a document could not be made ready');
    return this.end('failed', failure);
  }

  private end(
    state: DocumentEnd['state'],
    failure: DocumentFailure | null,
    { waitMs = 0, attempts = 0 }: { waitMs?: number; attempts?: number } = {},
  ): DocumentEnd {
    return {
      state,
      error: failure?.message.slice(0, 1_000).toWellFormed() ?? null,
      errorCode: failure?.code ?? null,
      attempts,
      nextAttemptAt: this.clock.now() + waitMs,
    };
  }
}

/** The reason why a document could not be made ready: a code that never changes, and a sentence for its owner. */
interface DocumentFailure {
  readonly code: string;
  readonly message: string;
}

/** The failure of a document whose processes ended repeatedly without making progress. */
const NEVER_ENDED: DocumentFailure = {
  code: 'internal_error',
  message:
    'The service stopped each time that it made the document ready. Save the store (PUT) to retry it, or send it in parts.',
};

/** Returns `internal_error` for faults of the service, whose cause is in the log. */
function documentFailure(error: unknown): DocumentFailure {
  if (error instanceof Unextractable) return error.fault;
  if (error instanceof ModelError) return { code: 'embedding_failed', message: error.message };
  if (error instanceof WrongDimension) return { code: 'wrong_dimension', message: error.message };
  if (error instanceof ServiceError) return { code: error.code, message: error.message };
  return { code: 'internal_error', message: 'The document could not be made ready. The log says why.' };
}

function unlessLost(error: unknown): void {
  if (!(error instanceof LeaseLost)) throw error;
}
