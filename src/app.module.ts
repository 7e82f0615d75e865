import { Module, type OnModuleDestroy } from '@nestjs/common';
import { AuthModule } from './auth/auth.module.js';
import { CommonModule } from './common/common.module.js';
import { Readiness } from './common/health/readiness.js';
import { InFlight } from './common/http/in-flight.js';
import { ConsoleModule } from './console/console.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DocumentsModule } from './documents/documents.module.js';
import { ExecutionsModule } from './executions/executions.module.js';
import { FlowsModule } from './flows/flows.module.js';
import { InspectionModule } from './inspection/inspection.module.js';
import { PdfModule } from './pdf/pdf.module.js';
import { PredictionModule } from './prediction/prediction.module.js';
import { ServiceFigures } from './service-figures.js';
import { StorageModule } from './storage/storage.module.js';

/** Imports every module; each module imports only modules below it. */
@Module({
  // Nest matches routes in this order: the modules called most come first.
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
    DocumentsModule,
    ConsoleModule,
  ],
  providers: [ServiceFigures],
})
export class AppModule implements OnModuleDestroy {
  constructor(
    private readonly readiness: Readiness,
    private readonly inFlight: InFlight,
  ) {}

  /** Runs first at shutdown: refuses new calls and answers those under way before the modules stop. */
  async onModuleDestroy(): Promise<void> {
    this.readiness.markStopping();
    await this.inFlight.drain();
  }
}
