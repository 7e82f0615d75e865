import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AppConfig } from './app-config.js';
import { Clock } from './clock.js';
import { Readiness } from './health/readiness.js';
import { AdminGuard } from './http/admin.guard.js';
import { ErrorForms } from './http/error-forms.js';
import { HealthController } from './http/health.controller.js';
import { InFlight } from './http/in-flight.js';
import { MetricsController } from './http/metrics.controller.js';
import { Metrics } from './http/metrics.js';
import { ProblemFilter } from './http/problem.filter.js';
import { RouteTable } from './http/route-table.js';
import { UnreadAnswers } from './http/unread-answers.js';
import { Logger } from './logger.js';
import { OutboundHttp } from './outbound/outbound-http.js';
import { Secrets } from './secrets/secrets.js';

/** Configuration, time, log, the error filter and the admin guard, for every module. */
@Global()
@Module({
  imports: [DiscoveryModule],
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
    RouteTable,
    ErrorForms,
    ProblemFilter,
    AdminGuard,
    OutboundHttp,
    Readiness,
    InFlight,
    UnreadAnswers,
    Metrics,
  ],
  exports: [
    AppConfig,
    Logger,
    Secrets,
    Clock,
    RouteTable,
    ProblemFilter,
    AdminGuard,
    OutboundHttp,
    Readiness,
    InFlight,
    UnreadAnswers,
    Metrics,
  ],
})
export class CommonModule {}
