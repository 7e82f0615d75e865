import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { CaptureCalls } from './capture/capture-calls.js';
import { CaptureUploads } from './capture/capture-upload.js';
import { CaptureNode } from './capture/capture.node.js';
import { CaptureService } from './capture/capture.service.js';
import { CaptureTool } from './capture/capture.tool.js';
import { FlowCaptures } from './capture/flow-captures.js';
import { PhotographIntake } from './capture/photograph-intake.js';
import { CallCorrections } from './corrections/call-corrections.js';
import { CorrectedItemEntity } from './corrections/corrected-item.entity.js';
import { CorrectionEntity } from './corrections/correction.entity.js';
import { CorrectionService } from './corrections/correction.service.js';
import { CorrectionsController } from './corrections/corrections.controller.js';
import { CorrectNode } from './corrections/flow/correct.node.js';
import { CorrectTool } from './corrections/flow/correct.tool.js';
import { FlowCorrections } from './corrections/flow/flow-corrections.js';
import { CorrectionKeyEntity } from './corrections/keys/correction-key.entity.js';
import { OwnRecordGuard } from './corrections/own-record.guard.js';
import { PicturesModule } from './decoding/pictures.module.js';
import { DetailsController } from './details/details.controller.js';
import { InspectionDetailsEntity } from './details/inspection-details.entity.js';
import { InspectionDetails } from './details/inspection-details.js';
import { SetDetailsNode } from './details/set-details.node.js';
import { EditionClaims } from './editions/edition-claims.js';
import { FactEntity } from './facts/fact.entity.js';
import { InspectionController } from './inspection.controller.js';
import { PhotographEntity } from './photograph.entity.js';
import { PhotographPrints } from './photos/photograph-prints.js';
import { TurnedPrintEntity } from './photos/turned-print.entity.js';
import { RemarkEntity } from './remark.entity.js';
import { InspectionSessionEntity } from './sessions/inspection-session.entity.js';
import { InspectionSessions } from './sessions/inspection-sessions.js';
import { OwnSessionGuard } from './sessions/own-session.guard.js';
import { OwnSessions } from './sessions/own-sessions.js';
import { MessagePhotographs } from './sessions/photographs-of-messages.js';
import { PhotographsController } from './sessions/photographs.controller.js';
import { SessionAccess } from './sessions/session-access.js';
import { SessionChanges } from './sessions/session-changes.js';
import { SessionStream } from './sessions/session-stream.js';
import { SessionsController } from './sessions/sessions.controller.js';

/** Photographs and remarks of inspections. Claims of them are in `ClaimModule`. */
@Module({
  imports: [
    AuthModule,
    PicturesModule,
    TypeOrmModule.forFeature([
      FactEntity,
      CorrectedItemEntity,
      CorrectionEntity,
      CorrectionKeyEntity,
      InspectionDetailsEntity,
      InspectionSessionEntity,
      PhotographEntity,
      RemarkEntity,
      TurnedPrintEntity,
    ]),
  ],
  controllers: [
    InspectionController,
    SessionsController,
    DetailsController,
    PhotographsController,
    CorrectionsController,
  ],
  providers: [
    CaptureCalls,
    CaptureUploads,
    PhotographIntake,
    CaptureService,
    FlowCaptures,
    CaptureNode,
    CaptureTool,
    InspectionDetails,
    MessagePhotographs,
    CallCorrections,
    CorrectNode,
    CorrectTool,
    FlowCorrections,
    CorrectionService,
    OwnRecordGuard,
    PhotographPrints,
    EditionClaims,
    SetDetailsNode,
    InspectionSessions,
    OwnSessions,
    OwnSessionGuard,
    SessionAccess,
    SessionChanges,
    SessionStream,
  ],
  exports: [CaptureService, EditionClaims, InspectionSessions, OwnSessions, PhotographPrints],
})
export class InspectionModule {}
