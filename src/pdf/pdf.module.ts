import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { AppConfig } from '../common/app-config.js';
import { Clock } from '../common/clock.js';
import { Logger } from '../common/logger.js';
import { InspectionModule } from '../inspection/inspection.module.js';
import { MailOutbox } from './delivery/mail-outbox.js';
import { MailSender } from './delivery/mail-sender.js';
import { ReportDelivery } from './delivery/report-delivery.js';
import { ReportMailEntity } from './delivery/report-mail.entity.js';
import { EditionSource } from './editions/edition-source.js';
import { MailEditions } from './fitting/mail-editions.js';
import { ReportFitting } from './fitting/report-fitting.js';
import { SmallerPrints } from './fitting/smaller-prints.js';
import { AssetEntity } from './logos/asset.entity.js';
import { AssetsController } from './logos/assets.controller.js';
import { BrandLogoCheck } from './logos/brand-logo-check.js';
import { FlowBrands } from './logos/flow-brands.js';
import { Logos } from './logos/logos.js';
import { PackPartEntity } from './packs/pack-part.entity.js';
import { PacksController } from './packs/packs.controller.js';
import { Packs } from './packs/packs.js';
import { PreviewEntity } from './previews/preview.entity.js';
import { PreviewsController } from './previews/previews.controller.js';
import { Previews } from './previews/previews.js';
import { ActiveRenders } from './render/active-renders.js';
import { FlowRenders } from './render/flow-renders.js';
import { PdfController } from './render/pdf.controller.js';
import { RenderAccess } from './render/render-access.js';
import { RenderCalls } from './render/render-calls.js';
import { RenderClosing } from './render/render-closing.js';
import { RenderOpening } from './render/render-opening.js';
import { RenderRecords } from './render/render-records.js';
import { RenderStatus } from './render/render-status.js';
import { RenderNode } from './render/render.node.js';
import { RenderService } from './render/render.service.js';
import { RenderTool } from './render/render.tool.js';
import { RendersController } from './render/renders.controller.js';
import { ReportDrawing } from './render/report-drawing.js';
import { EvidenceSeal } from './seal/evidence-seal.js';
import { SealController } from './seal/seal.controller.js';
import { ReportSigning } from './signing/report-signing.js';
import { ReportSources } from './sources/report-sources.js';
import { ReportsSource } from './sources/reports-source.js';
import { SessionSource } from './sources/session-source.js';
import { ExpiredFiles } from './vault/expired-files.js';
import { LinkedFiles } from './vault/linked-files.js';
import { PrintedDetails } from './vault/printed-details.js';
import { ReportFile } from './vault/report-file.js';
import { ReportLinks } from './vault/report-links.js';
import { ReportList } from './vault/report-list.js';
import { ReportRedraw } from './vault/report-redraw.js';
import { ReportVault } from './vault/report-vault.js';
import { ReportEntity } from './vault/report.entity.js';
import { ReportsController } from './vault/reports.controller.js';

/** Inspection reports: drawn from claims, kept in the vault, mailed. */
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
    PreviewsController,
    PacksController,
    SealController,
    AssetsController,
  ],
  providers: [
    RenderCalls,
    RenderAccess,
    ReportSources,
    SessionSource,
    ReportsSource,
    EditionSource,
    RenderService,
    RenderOpening,
    RenderClosing,
    RenderRecords,
    RenderStatus,
    FlowRenders,
    RenderNode,
    RenderTool,
    ActiveRenders,
    ReportDrawing,
    ReportFitting,
    MailEditions,
    SmallerPrints,
    Previews,
    Packs,
    ExpiredFiles,
    EvidenceSeal,
    {
      provide: ReportSigning,
      inject: [AppConfig, Clock, Logger],
      useFactory: (config: AppConfig, clock: Clock, logger: Logger) =>
        ReportSigning.open(config, clock, logger),
    },
    ReportVault,
    ReportList,
    PrintedDetails,
    ReportLinks,
    ReportFile,
    LinkedFiles,
    ReportRedraw,
    Logos,
    FlowBrands,
    BrandLogoCheck,
    ReportDelivery,
    MailOutbox,
    MailSender,
  ],
  exports: [Logos, EvidenceSeal, ReportDrawing, ReportSigning],
})
export class PdfModule {}
