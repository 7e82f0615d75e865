import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { ClaimModule } from '../inspection/claim.module.js';
import { PicturesModule } from '../inspection/decoding/pictures.module.js';
import { AssetEntity } from './asset.entity.js';
import { AssetsController } from './assets.controller.js';
import { BrandLogoCheck } from './brand-logo-check.js';
import { MailOutbox } from './delivery/mail-outbox.js';
import { MailSender } from './delivery/mail-sender.js';
import { ReportDelivery } from './delivery/report-delivery.js';
import { ReportMailEntity } from './delivery/report-mail.entity.js';
import { Logos } from './logos.js';
import { PdfController } from './pdf.controller.js';
import { RenderAccess } from './render-access.js';
import { RenderCalls } from './render-calls.js';
import { RenderClosing } from './render-closing.js';
import { RenderNode } from './render.node.js';
import { RenderOpening } from './render-opening.js';
import { RenderProgress } from './render-progress.js';
import { RenderRecords } from './render-records.js';
import { RenderService } from './render.service.js';
import { RenderStatus } from './render-status.js';
import { RendersController } from './renders.controller.js';
import { ReportDrawing } from './report-drawing.js';
import { ReportEntity } from './report.entity.js';
import { ReportFile } from './report-file.js';
import { ReportLinks } from './report-links.js';
import { ReportList } from './report-list.js';
import { ReportRedraw } from './report-redraw.js';
import { ReportVault } from './report-vault.js';
import { EvidenceSeal } from './seal/evidence-seal.js';
import { SealController } from './seal/seal.controller.js';
import { ReportsController } from './reports.controller.js';
import { ComparisonSource } from './sources/comparison-source.js';
import { InspectionSource } from './sources/inspection-source.js';
import { ReportSources } from './sources/report-sources.js';

/** Inspection reports: drawn from claims, kept in the vault, mailed. */
@Module({
  imports: [
    AuthModule,
    ClaimModule,
    PicturesModule,
    TypeOrmModule.forFeature([ReportEntity, ReportMailEntity, AssetEntity]),
  ],
  controllers: [PdfController, RendersController, ReportsController, SealController, AssetsController],
  providers: [
    RenderCalls,
    RenderAccess,
    ReportSources,
    InspectionSource,
    ComparisonSource,
    RenderService,
    RenderOpening,
    RenderClosing,
    RenderRecords,
    RenderStatus,
    RenderNode,
    RenderProgress,
    ReportDrawing,
    EvidenceSeal,
    ReportVault,
    ReportList,
    ReportLinks,
    ReportFile,
    ReportRedraw,
    Logos,
    BrandLogoCheck,
    ReportDelivery,
    MailOutbox,
    MailSender,
  ],
  exports: [Logos],
})
export class PdfModule {}
