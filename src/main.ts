import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AddressInfo } from 'node:net';
import { AppModule } from './app.module.js';
import { appOptions, setUp } from './app.setup.js';
import { AppConfig, ConfigError } from './common/app-config.js';
import { Logger } from './common/logger.js';
import { Readiness } from './common/readiness.js';

async function start(): Promise<void> {
  const config = AppConfig.fromProcess();
  const logger = new Logger(config.logLevel);
  const app = await NestFactory.create<NestExpressApplication>(AppModule, { ...appOptions, logger });
  setUp(app).enableShutdownHooks();
  await app.init();
  await app.listen(config.port, config.host).catch((error: unknown) => {
    throw new ConfigError([
      `HOST and PORT: cannot listen on ${config.host}:${config.port} (${reasonOf(error)})`,
    ]);
  });
  app.get(Readiness).markReady();
  const { port } = app.getHttpServer().address() as AddressInfo;
  logger.info({ port, host: config.host, dataDir: config.dataDir }, 'ready');
  if (process.stdout.isTTY) greet(config, port);
}

const reasonOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? String((error as Error).message);

/** For a person at a terminal: where things are and how to send the first message. */
function greet(config: AppConfig, port: number): void {
  const url = `http://${config.host === '0.0.0.0' ? '127.0.0.1' : config.host}:${port}`;
  const key = config.adminKeyIsGiven ? 'as set by ADMIN_API_KEY' : `in ${config.adminKeyFile}`;
  process.stdout.write(`
  The service is ready at ${url}

    data        ${config.dataDir}
    admin key   ${key}
    first message:

      curl -s ${url}/api/v1/prediction/inspection-assistant \\
        -H 'Content-Type: application/json' -d '{"question":"Hello","chatId":"my-first-inspection"}'

`);
}

start().catch((error: unknown) => {
  const fault =
    error instanceof ConfigError
      ? error.message
      : `The service could not start: ${String((error as Error).stack ?? error)}`;
  process.stderr.write(`${fault}\n`);
  process.exit(1);
});
