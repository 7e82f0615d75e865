import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { AppConfig } from '../common/app-config.js';
import { Clock } from '../common/clock.js';
import { Logger } from '../common/logger.js';
import { NodeKindRegistry } from '../flows/definition/node-kind-registry.js';
import { Rehearsals } from '../flows/definition/rehearsals.js';
import { DefinitionChecks } from '../flows/store/definition-checks.js';
import { ToolTypes } from '../flows/tools/tool-types.js';
import { InspectionModule } from '../inspection/inspection.module.js';
import { MailOutbox } from './delivery/mail-outbox.js';
import { MailSender } from './delivery/mail-sender.js';
import { ReportDelivery } from './delivery/report-delivery.js';
import { ReportMailEntity } from './delivery/report-mail.entity.js';
import { DrawingQueue } from './drawing/drawing-queue.js';
import { ReportDrawing } from './drawing/report-drawing.js';
import { ReportFitting } from './drawing/report-fitting.js';
import { AssetEntity } from './logos/asset.entity.js';
import { AssetsController } from './logos/assets.controller.js';
import { brandLogoFaults } from './logos/flow-brands.js';
import { Logos } from './logos/logos.js';
import { PacksController } from './packs/packs.controller.js';
import { Packs } from './packs/packs.js';
import { ReportRehearsals } from './rehearsal/report-rehearsals.js';
import { FlowRenders } from './render/flow-renders.js';
import { PdfController } from './render/pdf.controller.js';
import { Previews } from './render/previews.js';
import { RenderCalls } from './render/render-calls.js';
import { RenderClosing } from './render/render-closing.js';
import { RenderStatus } from './render/render-status.js';
import { renderNode } from './render/render.node.js';
import { RenderService } from './render/render.service.js';
import { renderTool } from './render/render.tool.js';
import { RendersController } from './render/renders.controller.js';
import { PastReports } from './reports/past-reports.js';
import { ReportsController } from './reports/reports.controller.js';
import { SealController } from './reports/seal.controller.js';
import { ReportSigning } from './signing/report-signing.js';
import { EditionSource } from './sources/edition-source.js';
import { SessionSource } from './sources/session-source.js';
import { SourceFinder } from './sources/source-finder.js';
import { ExpiredFiles } from './vault/expired-files.js';
import { PackPartEntity } from './vault/pack-part.entity.js';
import { PreviewEntity } from './vault/preview.entity.js';
import { ReportAccess } from './vault/report-access.js';
import { ReportFiles } from './vault/report-files.js';
import { ReportLinks } from './vault/report-links.js';
import { ReportVault } from './vault/report-vault.js';
import { ReportEntity } from './vault/report.entity.js';

/** Inspection reports: drawn from claims, stored in the vault, mailed. */
@Module({
  imports: [
    AuthModule,
    InspectionModule,
    TypeOrmModule.forFeature([ReportEntity, ReportMailEntity, PreviewEntity, PackPartEntity, AssetEntity]),
  ],
  controllers: [
    PdfController,
    RendersController,
    ReportsController,
    PacksController,
    SealController,
    AssetsController,
  ],
  providers: [
    RenderCalls,
    ReportAccess,
    SourceFinder,
    SessionSource,
    EditionSource,
    RenderService,
    RenderClosing,
    RenderStatus,
    FlowRenders,
    ReportRehearsals,
    DrawingQueue,
    ReportDrawing,
    ReportFitting,
    Previews,
    Packs,
    ExpiredFiles,
    {
      provide: ReportSigning,
      inject: [AppConfig, Clock, Logger],
      useFactory: (config: AppConfig, clock: Clock, logger: Logger) =>
        ReportSigning.open(config, clock, logger),
    },
    ReportVault,
    ReportLinks,
    ReportFiles,
    PastReports,
    Logos,
    ReportDelivery,
    MailOutbox,
    MailSender,
  ],
  exports: [Logos, ReportDrawing, ReportSigning],
})
export class PdfModule {
  constructor(
    kinds: NodeKindRegistry,
    tools: ToolTypes,
    checks: DefinitionChecks,
    renders: ReportRehearsals,
    rehearsals: Rehearsals,
    logos: Logos,
  ) {
    rehearsals.register((run) => renders.open(run));
    kinds.register(renderNode(renders));
    tools.register(renderTool(renders));
    checks.register((definition) => brandLogoFaults(definition, logos));
  }
}
