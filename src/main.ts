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
import { ConnectionLost, isAway } from './database/away.js';
import { AnnouncedSecrets } from './database/presence/announced-secrets.js';
import { stopOnSignal } from './stop-on-signal.js';

/** Connections that the kernel completes ahead, while the loop is busy: beyond Node's 511 it resets some of a crowd. */
const BACKLOG = 4_096;

async function start(): Promise<void> {
  const config = AppConfig.fromProcess();
  const logger = new Logger(config.logLevel);
  // Nothing runs before the service listens; an interrupted start is like a killed one: the next start completes it.
  let close = async (): Promise<void> => undefined;
  stopOnSignal(logger, () => close());
  const app = await NestFactory.create<NestExpressApplication>(AppModule, { ...appOptions, logger }).catch(
    (error: unknown) => {
      throw databaseFault(config.databaseUrl, error) ?? error;
    },
  );
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
    throw new ConfigError([
      `HOST and PORT: cannot listen on ${config.host}:${config.port} (${reasonOf(error)})`,
    ]);
  });
  app.get(Readiness).markReady();
  const { port } = app.getHttpServer().address() as AddressInfo;
  const { adminKeyFile } = app.get(Secrets);
  const adminKey = adminKeyFile ?? 'ADMIN_API_KEY';
  logger.info({ port, host: config.host, dataDir: config.dataDir, adminKey }, 'ready');
  if (process.stdout.isTTY) greet(config, adminKeyFile, port);
}

/** The server is unreachable, refuses the login, or has no such database. */
function databaseFault(url: string, error: unknown): ConfigError | undefined {
  if (url.startsWith('sqlite:') || !isAway(error)) return undefined;
  const { code, message } = (error instanceof ConnectionLost ? error.cause : error) as NodeJS.ErrnoException;
  const { host, pathname } = new URL(url);
  const reason = message || String(code);
  return new ConfigError([
    `DATABASE_URL: the database ${pathname.length > 1 ? `${pathname.slice(1)} ` : ''}at ${host} cannot be opened (${reason}). Is it running, and are its address, user and password right?`,
  ]);
}

const reasonOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? String((error as Error).message);

/** For a person at a terminal: where things are and how to send the first message. */
function greet(config: AppConfig, adminKeyFile: string | undefined, port: number): void {
  const url = `http://${config.host === '0.0.0.0' ? '127.0.0.1' : config.host}:${port}`;
  const key = adminKeyFile === undefined ? 'as set by ADMIN_API_KEY' : `in ${adminKeyFile}`;
  process.stdout.write(`
  The service is ready at ${url}

    data        ${config.dataDir}
    admin key   ${key}
    console     ${url}/console
    chat page   ${url}/chat/inspection-assistant
    first message:

      curl -s -w '\\n' ${url}/api/v1/prediction/inspection-assistant \\
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
