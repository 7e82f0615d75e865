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
import { databaseFault, listenFault, requireDatabaseFolder } from './start-faults.js';

/** Connections that the kernel queues while the event loop is busy; Node's default of 511 is too few for a crowd. */
const BACKLOG = 4_096;

async function start(): Promise<void> {
  const config = AppConfig.fromProcess();
  const isTerminal = process.stdout.isTTY;
  const logger = new Logger(config.logLevel);
  // Nothing runs before the service listens, and the next start completes an interrupted one: an early signal
  // just ends it.
  let close = async (): Promise<void> => undefined;
  shutdownOnSignal(logger, () => close());
  await requireDatabaseFolder(config);
  const options = {
    ...appOptions,
    // Nest logs start faults too; at a terminal the sentence below is enough.
    logger: isTerminal ? (false as const) : logger,
  };
  const app = await NestFactory.create<NestExpressApplication>(AppModule, options).catch((error: unknown) => {
    throw databaseFault(config, error) ?? error;
  });
  app.get(AnnouncedSecrets).onRefused(({ faults }) => {
    process.stderr.write(
      `The service cannot continue: while it was away, other processes have started.\n  - ${faults.join('\n  - ')}\n`,
    );
    // The other processes recover its runs, as after a crash.
    process.exit(1);
  });
  await setUp(app).init();
  close = () => app.close();
  // Nest passes every argument to Node's `listen`, but its types lack the backlog.
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

/** Longer than every timeout of the shutdown. The next start recovers what is still unwritten then. */
const LONGEST_STOP_MS = 18_000;

/** Signals within this time count as one: a terminal signals the whole process group, `npm start` forwards its own. */
const ONE_SIGNAL_MS = 500;

/**
 * Calls `stop` on SIGTERM, SIGINT or SIGHUP, then ends the process with 0. Ends it with 1 if `stop` fails or takes
 * longer than 18 seconds, and at once on a second signal.
 */
function shutdownOnSignal(logger: Logger, stop: () => Promise<void>): void {
  const isTerminal = process.stdout.isTTY;
  let signalled: 'not yet' | 'just now' | 'before' = 'not yet';
  const onSignal = (signal: NodeJS.Signals): void => {
    if (signalled === 'before')
      end(1, () => logger.warn({ signal }, 'second signal: the service ends at once'));
    if (signalled !== 'not yet') return;
    signalled = 'just now';
    setTimeout(() => (signalled = 'before'), ONE_SIGNAL_MS).unref();
    setTimeout(() => end(1, () => logger.error({}, TOO_LONG)), LONGEST_STOP_MS).unref();
    // After SIGHUP the terminal is closed: writing to it would fail and keep the process from ending.
    const say = (fields: object, line: string): void => {
      if (!isTerminal || signal !== 'SIGHUP') logger.info(fields, line);
    };
    say({ signal }, 'stopping: calls under way have 8 seconds to end');
    stop().then(
      () => end(0, () => say({}, 'stopped')),
      (error: unknown) => end(1, () => logger.error({ err: error }, 'the service could not stop cleanly')),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
}

const TOO_LONG = 'the service could not stop in time; what is left is recovered at the next start';

function end(code: number, say: () => void): never {
  say();
  process.exit(code);
}
