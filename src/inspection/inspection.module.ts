import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { CaptureCalls } from './capture/capture-calls.js';
import { CaptureUploads } from './capture/capture-upload.js';
import { PhotographIntake } from './capture/photograph-intake.js';
import { CaptureNode } from './capture.node.js';
import { CaptureService } from './capture.service.js';
import { InspectionController } from './inspection.controller.js';
import { InspectionSessionEntity } from './inspection-session.entity.js';
import { InspectionSessions } from './inspection-sessions.js';
import { PhotographEntity } from './photograph.entity.js';
import { PhotographsController } from './photographs.controller.js';
import { PicturesModule } from './decoding/pictures.module.js';
import { RemarkEntity } from './remark.entity.js';
import { SessionAccess } from './session-access.js';
import { SessionChanges } from './session-changes.js';
import { SessionStream } from './session-stream.js';
import { SessionsController } from './sessions.controller.js';

/** What was photographed and said during an inspection. Claims of it are in `ClaimModule`. */
@Module({
  imports: [
    AuthModule,
    PicturesModule,
    TypeOrmModule.forFeature([InspectionSessionEntity, PhotographEntity, RemarkEntity]),
  ],
  controllers: [InspectionController, SessionsController, PhotographsController],
  providers: [
    CaptureCalls,
    CaptureUploads,
    PhotographIntake,
    CaptureService,
    CaptureNode,
    InspectionSessions,
    SessionAccess,
    SessionChanges,
    SessionStream,
  ],
  exports: [CaptureService, InspectionSessions],
})
export class InspectionModule {}
