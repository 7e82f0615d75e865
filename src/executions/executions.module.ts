import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AsyncRunEntity } from './calls/async-run.entity.js';
import { AsyncRunStore } from './calls/async-run-store.js';
import { CallLives } from './calls/call-lives.js';
import { CallbackEntity } from './calls/callback.entity.js';
import { EffectEntity } from './calls/effect.entity.js';
import { EffectJournal } from './calls/effect-journal.js';
import { RunningCalls } from './calls/running-calls.js';
import { Takeover } from './calls/takeover.js';
import { CallLogMiddleware } from './call-log.middleware.js';
import { Cancellation } from './cancellation.js';
import { ExecutionArchive } from './execution-archive.js';
import { ExecutionEntity } from './execution.entity.js';
import { ExecutionFeed } from './execution-feed.js';
import { ExecutionLog } from './execution-log.js';
import { ExecutionNodeEntity } from './execution-node.entity.js';
import { ExecutionSearch } from './execution-search.js';
import { ExecutionStats } from './execution-stats.js';
import { ExecutionsController } from './executions.controller.js';
import { IdempotentAnswerEntity } from './idempotent-answer.entity.js';
import { IdempotentAnswers } from './idempotency.js';
import { NodeTraces } from './node-traces.js';
import { OutboxRooms } from './outbox/outbox.js';
import { Recovery } from './recovery.js';
import { RefusedTexts } from './refused-texts.js';
import { Retention } from './retention.js';
import { UnopenedCalls } from './unopened-calls.js';

/** The log that every room shares: records, traces, kept answers, and what admins see of them. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([
      ExecutionEntity,
      ExecutionNodeEntity,
      IdempotentAnswerEntity,
      EffectEntity,
      AsyncRunEntity,
      CallbackEntity,
    ]),
  ],
  controllers: [ExecutionsController],
  providers: [
    NodeTraces,
    UnopenedCalls,
    ExecutionLog,
    IdempotentAnswers,
    RefusedTexts,
    EffectJournal,
    RunningCalls,
    CallLives,
    Takeover,
    AsyncRunStore,
    CallLogMiddleware,
    ExecutionSearch,
    ExecutionArchive,
    ExecutionStats,
    ExecutionFeed,
    Cancellation,
    Recovery,
    Retention,
    OutboxRooms,
  ],
  exports: [
    ExecutionLog,
    CallLives,
    RunningCalls,
    Takeover,
    AsyncRunStore,
    EffectJournal,
    OutboxRooms,
    CallLogMiddleware,
    Cancellation,
    Recovery,
  ],
})
export class ExecutionsModule {}
