import { Global, Module } from '@nestjs/common';
import { AdminGuard } from './admin.guard.js';
import { AppConfig } from './app-config.js';
import { Clock } from './clock.js';
import { Logger } from './logger.js';
import { ProblemFilter } from './problem.filter.js';

/** What every room may use: configuration, time, log, the error filter, the admin guard. */
@Global()
@Module({
  providers: [
    { provide: AppConfig, useFactory: () => AppConfig.fromProcess() },
    { provide: Logger, inject: [AppConfig], useFactory: (config: AppConfig) => new Logger(config.logLevel) },
    Clock,
    ProblemFilter,
    AdminGuard,
  ],
  exports: [AppConfig, Logger, Clock, ProblemFilter, AdminGuard],
})
export class CommonModule {}
