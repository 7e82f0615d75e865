import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { FlowsModule } from '../flows/flows.module.js';
import { ActiveRuns } from './active-runs.js';
import { ChatAbort } from './chat-abort.js';
import { ChatTurns } from './chat-turns.js';
import { ChatflowController } from './chatflow.controller.js';
import { FlowExecution } from './flow-execution.js';
import { FlowRunController } from './flow-run.controller.js';
import { FrameLogs } from './frame-logs.js';
import { ChatMemory } from './memory/chat-memory.js';
import { ChatState } from './memory/chat-state.entity.js';
import { ChatStop } from './memory/chat-stop.entity.js';
import { ChatTurn } from './memory/chat-turn.entity.js';
import { PredictionResponder } from './prediction-responder.js';
import { PredictionController } from './prediction.controller.js';
import { PredictionService } from './prediction.service.js';
import { Replays } from './replays.js';
import { RunClosing } from './run-closing.js';
import { RunOpening } from './run-opening.js';
import { StreamResume } from './stream-resume.js';

/** Runs a flow and answers, once or as a stream; keeps what chats remember. */
@Module({
  imports: [TypeOrmModule.forFeature([ChatTurn, ChatState, ChatStop]), FlowsModule, AuthModule],
  controllers: [PredictionController, FlowRunController, ChatflowController],
  providers: [
    ActiveRuns,
    ChatAbort,
    ChatMemory,
    ChatTurns,
    FlowExecution,
    FrameLogs,
    PredictionResponder,
    PredictionService,
    Replays,
    RunClosing,
    RunOpening,
    StreamResume,
  ],
})
export class PredictionModule {}
