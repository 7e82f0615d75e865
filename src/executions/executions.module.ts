import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StorageModule } from '../storage/storage.module.js';
import { ApprovalExpiry } from './approvals/approval-expiry.js';
import { ApprovalStore } from './approvals/approval-store.js';
import { ApprovalUpkeep } from './approvals/approval-upkeep.js';
import { ApprovalEntity } from './approvals/approval.entity.js';
import { WaitingRuns } from './approvals/waiting-runs.js';
import { CallLogMiddleware } from './arrival/call-log.middleware.js';
import { RecordedRoutes } from './arrival/recorded-routes.js';
import { RefusedTexts } from './arrival/refused-texts.js';
import { AsyncRunStore } from './async/async-run-store.js';
import { AsyncRunEntity } from './async/async-run.entity.js';
import { CallbackEntity } from './async/callback.entity.js';
import { Audiences } from './calls/audiences.js';
import { CallLifecycle } from './calls/call-lifecycle.js';
import { Cancellation } from './calls/cancellation.js';
import { EffectJournal } from './calls/effect-journal.js';
import { EffectEntity } from './calls/effect.entity.js';
import { IdempotentAnswers } from './calls/idempotency.js';
import { IdempotentAnswerEntity } from './calls/idempotent-answer.entity.js';
import { RunFiles } from './calls/run-files.js';
import { RunningCalls } from './calls/running-calls.js';
import { Takeover } from './calls/takeover.js';
import { ExecutionLog } from './log/execution-log.js';
import { ExecutionNodeEntity } from './log/execution-node.entity.js';
import { ExecutionEntity } from './log/execution.entity.js';
import { NodeTraces } from './log/node-traces.js';
import { PresentedKeys } from './log/presented-keys.js';
import { UnopenedCalls } from './log/unopened-calls.js';
import { OutboxRooms } from './outbox/outbox.js';
import { ExecutionArchive } from './read/execution-archive.js';
import { ExecutionFeed } from './read/execution-feed.js';
import { ExecutionSearch } from './read/execution-search.js';
import { ExecutionStats } from './read/execution-stats.js';
import { ExecutionsController } from './read/executions.controller.js';
import { ForgottenRuns } from './upkeep/forgotten-runs.js';
import { Recovery } from './upkeep/recovery.js';
import { Retention } from './upkeep/retention.js';

/** The execution log shared by all modules: records, traces, stored answers, and the admin routes that read them. */
@Global()
@Module({
  imports: [
    StorageModule,
    TypeOrmModule.forFeature([
      ExecutionEntity,
      ExecutionNodeEntity,
      IdempotentAnswerEntity,
      EffectEntity,
      AsyncRunEntity,
      CallbackEntity,
      ApprovalEntity,
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
    RunFiles,
    Audiences,
    RunningCalls,
    CallLifecycle,
    Takeover,
    AsyncRunStore,
    PresentedKeys,
    RecordedRoutes,
    CallLogMiddleware,
    ExecutionSearch,
    ExecutionArchive,
    ExecutionStats,
    ExecutionFeed,
    Cancellation,
    ForgottenRuns,
    Recovery,
    Retention,
    OutboxRooms,
    ApprovalStore,
    WaitingRuns,
    ApprovalExpiry,
    ApprovalUpkeep,
  ],
  exports: [
    ApprovalStore,
    ApprovalExpiry,
    ApprovalUpkeep,
    WaitingRuns,
    ExecutionLog,
    Audiences,
    CallLifecycle,
    RunningCalls,
    Takeover,
    AsyncRunStore,
    EffectJournal,
    RunFiles,
    OutboxRooms,
    CallLogMiddleware,
    PresentedKeys,
    Cancellation,
    Recovery,
  ],
})
export class ExecutionsModule {}
