import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { FlowsModule } from '../flows/flows.module.js';
import { DeletedFlows } from './approvals/deleted-flows.js';
import { HumanAnswers } from './approvals/human-answers.js';
import { AsyncEnds } from './async/async-ends.js';
import { AsyncOpening } from './async/async-opening.js';
import { AsyncRuns } from './async/async-runs.js';
import { Callbacks } from './async/callbacks.js';
import { RunsController } from './async/runs.controller.js';
import { StoredCalls } from './async/stored-calls.js';
import { CaseEngine } from './cases/case-engine.js';
import { CaseJudge } from './cases/case-judge.js';
import { CaseRecorder } from './cases/case-recorder.js';
import { CaseRunStore } from './cases/case-run-store.js';
import { CaseRunner } from './cases/case-runner.js';
import { CaseRunsController } from './cases/case-runs.controller.js';
import { CaseRuns } from './cases/case-runs.js';
import { CaseStore } from './cases/case-store.js';
import { CaseBlobEntity, CaseEntity, CaseResultEntity, CaseRunEntity } from './cases/case.entity.js';
import { CasesController } from './cases/cases.controller.js';
import { AttachmentsController } from './clients/attachments.controller.js';
import { ChatFile } from './clients/chat-file.entity.js';
import { ChatFiles } from './clients/chat-files.js';
import { ChatUploads } from './clients/chat-uploads.js';
import { ChatflowController } from './clients/chatflow.controller.js';
import { FeedbackController } from './clients/feedback.controller.js';
import { Feedback } from './clients/feedback.entity.js';
import { Lead } from './clients/lead.entity.js';
import { LeadsController } from './clients/leads.controller.js';
import { UploadSweeper } from './clients/upload-sweeper.js';
import { ConsoleRuns } from './http/console-runs.js';
import { FlowRunController } from './http/flow-run.controller.js';
import { PredictionReader } from './http/prediction-reader.js';
import { PredictionResponder } from './http/prediction-responder.js';
import { PredictionController } from './http/prediction.controller.js';
import { ChatMemory } from './memory/chat-memory.js';
import { ChatMessagesController } from './memory/chat-messages.controller.js';
import { ChatState } from './memory/chat-state.entity.js';
import { ChatTurn } from './memory/chat-turn.entity.js';
import { OpenAiCalls } from './openai/openai-calls.js';
import { OpenAiModels } from './openai/openai-models.js';
import { OpenAiController } from './openai/openai.controller.js';
import { FrameGroups } from './redis-stream/frame-groups.js';
import { FrameKeeper } from './redis-stream/frame-keeper.js';
import { RedisLink } from './redis-stream/redis-link.js';
import { StoredFrames } from './redis-stream/stored-frames.js';
import { ProcessAddress } from './replicas/process-address.entity.js';
import { ProcessAddresses } from './replicas/process-addresses.js';
import { ReplicaSignatures } from './replicas/replica-signatures.js';
import { StreamForward } from './replicas/stream-forward.js';
import { InternalStreamsController } from './resume/internal-streams.controller.js';
import { StreamEnds } from './resume/stream-ends.js';
import { StreamResume } from './resume/stream-resume.js';
import { ChatLocks } from './run/chat-locks.js';
import { FirstCalls } from './run/first-calls.js';
import { FlowExecution } from './run/flow-execution.js';
import { FlowSecrets } from './run/flow-secrets.js';
import { PredictionService } from './run/prediction.service.js';
import { RunClosing } from './run/run-closing.js';
import { RunFileEntity } from './run/run-file.entity.js';
import { RunHandover } from './run/run-handover.js';
import { RunInputs } from './run/run-inputs.js';
import { RunOpening } from './run/run-opening.js';
import { RunRemains } from './run/run-remains.js';
import { LiveStreams } from './stream/live-streams.js';
import { ResumeTokens } from './stream/resume-tokens.js';
import { VisitorLists } from './visitors/visitor-lists.js';
import { VisitorsController } from './visitors/visitors.controller.js';

/** Runs flows and answers as JSON or as a stream; stores the memory of chats. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      ...[ChatTurn, ChatState, Feedback, Lead, ChatFile, ProcessAddress, RunFileEntity],
      ...[CaseEntity, CaseBlobEntity, CaseRunEntity, CaseResultEntity],
    ]),
    FlowsModule,
    AuthModule,
  ],
  controllers: [
    PredictionController,
    RunsController,
    ChatMessagesController,
    FlowRunController,
    ChatflowController,
    FeedbackController,
    LeadsController,
    VisitorsController,
    AttachmentsController,
    OpenAiController,
    InternalStreamsController,
    CaseRunsController,
    CasesController,
  ],
  providers: [
    AsyncEnds,
    AsyncOpening,
    AsyncRuns,
    StoredCalls,
    CaseEngine,
    CaseJudge,
    CaseRecorder,
    CaseRunStore,
    CaseRunner,
    CaseRuns,
    CaseStore,
    Callbacks,
    ChatFiles,
    ChatUploads,
    ConsoleRuns,
    ChatMemory,
    ChatLocks,
    DeletedFlows,
    FirstCalls,
    FlowExecution,
    FlowSecrets,
    FrameGroups,
    FrameKeeper,
    LiveStreams,
    StoredFrames,
    RedisLink,
    HumanAnswers,
    OpenAiCalls,
    OpenAiModels,
    PredictionReader,
    PredictionResponder,
    PredictionService,
    RunClosing,
    RunInputs,
    RunHandover,
    RunOpening,
    RunRemains,
    ProcessAddresses,
    ReplicaSignatures,
    ResumeTokens,
    StreamEnds,
    StreamForward,
    StreamResume,
    UploadSweeper,
    VisitorLists,
  ],
})
export class PredictionModule {}
