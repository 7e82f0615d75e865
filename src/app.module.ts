import { Module, type OnModuleDestroy } from '@nestjs/common';
import { PredictionModule } from './prediction/prediction.module.js';
import { FlowsModule } from './flows/flows.module.js';
import { ExecutionsModule } from './executions/executions.module.js';
import { AuthModule } from './auth/auth.module.js';
import { CommonModule } from './common/common.module.js';
import { Readiness } from './common/readiness.js';
import { ConsoleModule } from './console/console.module.js';
import { DatabaseModule } from './database/database.module.js';
import { InspectionModule } from './inspection/inspection.module.js';
import { PdfModule } from './pdf/pdf.module.js';
import { StorageModule } from './storage/storage.module.js';

/** The roof: every room, each importing only rooms on floors below it. */
@Module({
  // Routes are looked through in this order: those that are called most stand first.
  imports: [
    PredictionModule,
    InspectionModule,
    PdfModule,
    CommonModule,
    DatabaseModule,
    StorageModule,
    ExecutionsModule,
    FlowsModule,
    AuthModule,
    ConsoleModule,
  ],
})
export class AppModule implements OnModuleDestroy {
  constructor(private readonly readiness: Readiness) {}

  /** The first hook of a stop: the rooms below wait for what runs, and nothing new may begin meanwhile. */
  onModuleDestroy(): void {
    this.readiness.markStopping();
  }
}
