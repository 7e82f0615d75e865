import 'reflect-metadata';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import type { AddressInfo } from 'node:net';
import { AppModule } from '../../src/app.module.js';
import { appOptions, setUp } from '../../src/app.setup.js';
import { AppConfig } from '../../src/common/app-config.js';
import { Clock } from '../../src/common/clock.js';
import { Readiness } from '../../src/common/health/readiness.js';
import { Logger } from '../../src/common/logger.js';
import { type DatabaseKind, makePlace, type TestPlace } from './databases.js';
import { chosenStorage } from './s3-server.js';

/** The real time, until a test moves it. */
export class TestClock extends Clock {
  private shift = 0;

  override now(): number {
    return super.now() + this.shift;
  }

  /** Moves the time forward. */
  advance(ms: number): void {
    this.shift += ms;
  }
}

export interface TestApp {
  app: NestExpressApplication;
  /** `http://127.0.0.1:<port>` */
  url: string;
  adminKey: string;
  clock: TestClock;
  place: TestPlace;
  /** Stops the application. With `keep` its database and files stay for a restart on the same `place`. */
  close(options?: { keep?: boolean }): Promise<void>;
}

export const TEST_ADMIN_KEY = 'ak_test_admin_key_of_the_suite';

export interface TestAppOptions {
  env?: Record<string, string>;
  database?: DatabaseKind;
  /** Starts on the database and files of an earlier application. */
  place?: TestPlace;
  clock?: TestClock;
}

/** Starts the whole application in this process, on its own database and directory. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const place = options.place ?? (await makePlace(options.database, { migrated: true }));
  const clock = options.clock ?? new TestClock();
  const config = AppConfig.from({
    ...(await chosenStorage(place.dataDir)),
    DATA_DIR: place.dataDir,
    DATABASE_URL: place.databaseUrl,
    ADMIN_API_KEY: TEST_ADMIN_KEY,
    LOG_LEVEL: 'fatal',
    SAMPLES: 'off',
    ...options.env,
  });
  const module = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(AppConfig)
    .useValue(config)
    .overrideProvider(Clock)
    .useValue(clock)
    .compile();
  const logger = new Logger(config.logLevel);
  const app = setUp(module.createNestApplication<NestExpressApplication>({ ...appOptions, logger }));
  await app.listen(0, '127.0.0.1');
  app.get(Readiness).markReady();
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    app,
    url: `http://127.0.0.1:${port}`,
    adminKey: TEST_ADMIN_KEY,
    clock,
    place,
    close: async ({ keep = false } = {}) => {
      await app.close();
      if (!keep) await place.remove();
    },
  };
}
