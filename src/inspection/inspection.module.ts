import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { Clock } from '../common/clock.js';
import { DatabaseReader } from '../database/database-reader.js';
import { EffectJournal } from '../executions/calls/effect-journal.js';
import { NodeKindRegistry } from '../flows/definition/node-kind-registry.js';
import { ToolTypes } from '../flows/tools/tool-types.js';
import { OwnSessionGuard } from './access/own-session.guard.js';
import { SessionAccess } from './access/session-access.js';
import { CaptureCalls } from './capture/capture-calls.js';
import { CaptureController } from './capture/capture.controller.js';
import { captureNode } from './capture/capture.node.js';
import { CaptureService } from './capture/capture.service.js';
import { captureTool } from './capture/capture.tool.js';
import { captureInRun } from './capture/flow-captures.js';
import { PhotographIntake } from './capture/photograph-intake.js';
import { ClaimEntity } from './claims/claim.entity.js';
import { ClaimService } from './claims/claim.service.js';
import { EditionClaims } from './claims/edition-claims.js';
import { CallCorrections } from './corrections/call-corrections.js';
import { CorrectedItemEntity } from './corrections/corrected-item.entity.js';
import { CorrectionKeyEntity } from './corrections/correction-key.entity.js';
import { CorrectionEntity } from './corrections/correction.entity.js';
import { CorrectionService } from './corrections/correction.service.js';
import { CorrectionsController } from './corrections/corrections.controller.js';
import { correctNode } from './corrections/flow/correct.node.js';
import { correctTool } from './corrections/flow/correct.tool.js';
import { correctInRun } from './corrections/flow/flow-corrections.js';
import { OwnRecordGuard } from './corrections/own-record.guard.js';
import { UndoController } from './corrections/undo.controller.js';
import { DetailChangeEntity } from './details/detail-change.entity.js';
import { DetailsController } from './details/details.controller.js';
import { InspectionDetailsEntity } from './details/inspection-details.entity.js';
import { InspectionDetails } from './details/inspection-details.js';
import { setDetailsNode } from './details/set-details.node.js';
import { FactEntity } from './facts/fact.entity.js';
import { PhotographEntity } from './photograph.entity.js';
import { PhotographPrints } from './pictures/photograph-prints.js';
import { PictureWorkers } from './pictures/picture-workers.js';
import { TurnedPrintEntity } from './pictures/turned-print.entity.js';
import { RemarkEntity } from './remark.entity.js';
import { SessionChanges } from './session.js';
import { InspectionSessionEntity } from './sessions/inspection-session.entity.js';
import { InspectionSessions } from './sessions/inspection-sessions.js';
import { PhotographsController } from './sessions/photographs.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { ThingsController } from './things/things.controller.js';

/** Photographs and remarks of inspections, and the claims of reports on them. */
@Module({
  imports: [
    AuthModule,
    TypeOrmModule.forFeature([
      ClaimEntity,
      FactEntity,
      CorrectedItemEntity,
      CorrectionEntity,
      CorrectionKeyEntity,
      DetailChangeEntity,
      InspectionDetailsEntity,
      InspectionSessionEntity,
      PhotographEntity,
      RemarkEntity,
      TurnedPrintEntity,
    ]),
  ],
  controllers: [
    CaptureController,
    SessionsController,
    DetailsController,
    PhotographsController,
    CorrectionsController,
    UndoController,
    ThingsController,
  ],
  providers: [
    CaptureCalls,
    PhotographIntake,
    CaptureService,
    InspectionDetails,
    CallCorrections,
    CorrectionService,
    OwnRecordGuard,
    PhotographPrints,
    ClaimService,
    EditionClaims,
    PictureWorkers,
    InspectionSessions,
    SessionAccess,
    OwnSessionGuard,
    SessionChanges,
  ],
  exports: [CaptureService, ClaimService, EditionClaims, PhotographPrints, PictureWorkers, SessionAccess],
})
export class InspectionModule {
  constructor(
    kinds: NodeKindRegistry,
    tools: ToolTypes,
    captures: CaptureService,
    corrections: CorrectionService,
    details: InspectionDetails,
    journal: EffectJournal,
    reader: DatabaseReader,
    clock: Clock,
  ) {
    const capture = captureInRun(captures, clock, journal);
    kinds.register(captureNode(capture));
    tools.register(captureTool(capture));
    const correct = correctInRun(corrections, reader, journal);
    kinds.register(correctNode(correct));
    tools.register(correctTool(correct));
    kinds.register(setDetailsNode(details, journal));
  }
}
