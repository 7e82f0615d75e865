import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AddressInfo } from 'node:net';
import { AppModule } from './app.module.js';
import { appOptions, setUp } from './app.setup.js';
import { AppConfig, ConfigError } from './common/app-config.js';
import { Readiness } from './common/health/readiness.js';
import { Logger } from './common/logger.js';
import { Secrets } from './common/secrets/secrets.js';
import { AnnouncedSecrets } from './database/presence/announced-secrets.js';
import { greeting } from './greeting.js';
import { shutdownOnSignal } from './shutdown-on-signal.js';
import { databaseFault, listenFault, requireDatabaseFolder } from './start-faults.js';

/** Connections that the kernel completes ahead, while the loop is busy: beyond Node's 511 it resets some of a crowd. */
const BACKLOG = 4_096;

async function start(): Promise<void> {
  const config = AppConfig.fromProcess();
  const isTerminal = process.stdout.isTTY;
  const logger = new Logger(config.logLevel);
  // Nothing runs before the service listens; an interrupted start is like a killed one: the next start completes it.
  let close = async (): Promise<void> => undefined;
  shutdownOnSignal(logger, () => close());
  await requireDatabaseFolder(config);
  const options = {
    ...appOptions,
    // Nest logs the fault of a start too; at a terminal the sentence that follows is enough.
    logger: isTerminal ? (false as const) : logger,
  };
  const app = await NestFactory.create<NestExpressApplication>(AppModule, options).catch((error: unknown) => {
    throw databaseFault(config, error) ?? error;
  });
  app.get(AnnouncedSecrets).onRefused(({ faults }) => {
    process.stderr.write(
      `The service cannot go on: while it was away, others have started.\n  - ${faults.join('\n  - ')}\n`,
    );
    // At once: what it ran is recovered by those, as after a crash.
    process.exit(1);
  });
  await setUp(app).init();
  close = () => app.close();
  // Nest hands all of it to Node's `listen`, but types no backlog.
  const place = [config.port, config.host, BACKLOG] as unknown as [number, string];
  await app.listen(...place).catch((error: unknown) => {
    throw listenFault(config, error);
  });
  app.get(Readiness).markReady();
  const { port } = app.getHttpServer().address() as AddressInfo;
  const { adminKeyFile } = app.get(Secrets);
  const adminKey = adminKeyFile ?? 'ADMIN_API_KEY';
  logger.info({ port, host: config.host, dataDir: config.dataDir, adminKey }, 'ready');
  if (isTerminal && logger.writes('info')) process.stdout.write(greeting(config, adminKeyFile, port));
}

start().catch((error: unknown) => {
  const fault =
    error instanceof ConfigError
      ? error.message
      : `The service could not start: ${String((error as Error).stack ?? error)}`;
  process.stderr.write(`${fault}\n`);
  process.exit(1);
});
