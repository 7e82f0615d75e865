import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { FlowsModule } from '../flows/flows.module.js';
import { AsyncRuns } from './async/async-runs.js';
import { Callbacks } from './async/callbacks.js';
import { RunsController } from './async/runs.controller.js';
import { Audiences } from './audiences.js';
import { ChatAbort } from './chat-abort.js';
import { ChatTurns } from './chat-turns.js';
import { ChatflowController } from './clients/chatflow.controller.js';
import { AttachmentsController } from './clients/attachments.controller.js';
import { ChatFile } from './clients/chat-file.entity.js';
import { ChatUploads } from './clients/chat-uploads.js';
import { ChatFiles } from './clients/chat-files.js';
import { Feedback } from './clients/feedback.entity.js';
import { FeedbackController } from './clients/feedback.controller.js';
import { UploadSweeper } from './clients/upload-sweeper.js';
import { Lead } from './clients/lead.entity.js';
import { LeadsController } from './clients/leads.controller.js';
import { FlowExecution } from './flow-execution.js';
import { FlowRunController } from './flow-run.controller.js';
import { FrameLogs } from './frame-logs.js';
import { ChatMessages } from './memory/chat-messages.js';
import { ChatMessagesController } from './memory/chat-messages.controller.js';
import { ChatMemory } from './memory/chat-memory.js';
import { ChatState } from './memory/chat-state.entity.js';
import { ChatStop } from './memory/chat-stop.entity.js';
import { ChatTurn } from './memory/chat-turn.entity.js';
import { PredictionResponder } from './prediction-responder.js';
import { PredictionReader } from './prediction-reader.js';
import { PredictionController } from './prediction.controller.js';
import { PredictionService } from './prediction.service.js';
import { RunClosing } from './run-closing.js';
import { RunOpening } from './run-opening.js';
import { StreamResume } from './stream-resume.js';

/** Runs a flow and answers, once or as a stream; keeps what chats remember. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ChatTurn, ChatState, ChatStop, Feedback, Lead, ChatFile]),
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
    AttachmentsController,
  ],
  providers: [
    AsyncRuns,
    Callbacks,
    Audiences,
    ChatAbort,
    ChatFiles,
    ChatUploads,
    ChatMemory,
    ChatMessages,
    ChatTurns,
    FlowExecution,
    FrameLogs,
    PredictionReader,
    PredictionResponder,
    PredictionService,
    RunClosing,
    RunOpening,
    StreamResume,
    UploadSweeper,
  ],
})
export class PredictionModule {}
