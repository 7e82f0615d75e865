import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { DatabaseReader } from '../database/database-reader.js';
import { type FiledRun, RunFiles, type StoredRunFile } from '../executions/calls/run-files.js';
import { NodeKindRegistry } from '../flows/definition/node-kind-registry.js';
import { ToolTypes } from '../flows/tools/tool-types.js';
import { OwnSessionGuard } from './access/own-session.guard.js';
import { SessionAccess } from './access/session-access.js';
import { CaptureCalls } from './capture/capture-calls.js';
import { CaptureController } from './capture/capture.controller.js';
import { captureNode } from './capture/capture.node.js';
import { CaptureService } from './capture/capture.service.js';
import { captureTool } from './capture/capture.tool.js';
import { PhotographIntake } from './capture/photograph-intake.js';
import { PreviousItemsController } from './check-out/previous-items.controller.js';
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
import { RunInspections } from './runs/run-inspections.js';
import { SessionChanges } from './session.js';
import { InspectionSessionEntity } from './sessions/inspection-session.entity.js';
import { InspectionSessions } from './sessions/inspection-sessions.js';
import { PhotographsController } from './sessions/photographs.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { ThingsController } from './things/things.controller.js';

/** Returns the photographs that a run captured in the inspection of its chat. */
const photographsOfRun = (
  reader: DatabaseReader,
  { executionId, flowId, chatId }: FiledRun,
): Promise<StoredRunFile[]> =>
  reader.all(
    `SELECT COALESCE(file_name, '') AS name, original_key AS "blobKey" FROM photographs
     WHERE session_id = ? AND flow_id = ? AND execution_id = ? ORDER BY arrival`,
    [chatId, flowId, executionId],
  );

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
    PreviousItemsController,
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
    RunInspections,
  ],
  exports: [
    CaptureService,
    ClaimService,
    EditionClaims,
    PhotographPrints,
    PictureWorkers,
    RunInspections,
    SessionAccess,
  ],
})
export class InspectionModule {
  constructor(
    kinds: NodeKindRegistry,
    tools: ToolTypes,
    inspections: RunInspections,
    reader: DatabaseReader,
    files: RunFiles,
  ) {
    files.register((run) => photographsOfRun(reader, run));
    kinds.register(captureNode(inspections.capture));
    tools.register(captureTool(inspections.capture));
    kinds.register(correctNode(inspections.correct));
    tools.register(correctTool(inspections.correct));
    kinds.register(setDetailsNode(inspections.setDetails));
  }
}
