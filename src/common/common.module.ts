import { Global, Module } from '@nestjs/common';
import { AdminGuard } from './admin.guard.js';
import { AppConfig } from './app-config.js';
import { Clock } from './clock.js';
import { HealthController } from './health.controller.js';
import { InFlight } from './in-flight.js';
import { Logger } from './logger.js';
import { OutboundHttp } from './outbound-http.js';
import { MetricsController } from './metrics.controller.js';
import { Metrics } from './metrics.js';
import { ProblemFilter } from './problem.filter.js';
import { Readiness } from './readiness.js';
import { Secrets } from './secrets/secrets.js';

/** What every room may use: configuration, time, log, the error filter, the admin guard. */
@Global()
@Module({
  controllers: [HealthController, MetricsController],
  providers: [
    { provide: AppConfig, useFactory: () => AppConfig.fromProcess() },
    { provide: Logger, inject: [AppConfig], useFactory: (config: AppConfig) => new Logger(config.logLevel) },
    {
      provide: Secrets,
      inject: [AppConfig, Logger],
      useFactory: (config: AppConfig, logger: Logger) => Secrets.open(config, logger),
    },
    Clock,
    ProblemFilter,
    AdminGuard,
    OutboundHttp,
    Readiness,
    InFlight,
    Metrics,
  ],
  exports: [
    AppConfig,
    Logger,
    Secrets,
    Clock,
    ProblemFilter,
    AdminGuard,
    OutboundHttp,
    Readiness,
    InFlight,
    Metrics,
  ],
})
export class CommonModule {}
