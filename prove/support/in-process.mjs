/** Starts the built application inside the proof's own process, with a clock that the proof moves. */
import 'reflect-metadata';
import { Test } from '@nestjs/testing';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ADMIN_KEY, dist } from './service.mjs';

/** Imports a module of the tested build. */
export const load = (file) => import(pathToFileURL(join(dist, file)).href);

export async function startInProcess(place, env = {}) {
  const { AppModule } = await load('app.module.js');
  const { appOptions, setUp } = await load('app.setup.js');
  const { AppConfig } = await load('common/app-config.js');
  const { Clock } = await load('common/clock.js');
  const { Readiness } = await load('common/health/readiness.js');
  class MovableClock extends Clock {
    shift = 0;
    now() {
      return super.now() + this.shift;
    }
  }
  const clock = new MovableClock();
  const config = AppConfig.from({
    DATA_DIR: place.dataDir,
    DATABASE_URL: place.databaseUrl,
    ADMIN_API_KEY: ADMIN_KEY,
    LOG_LEVEL: 'fatal',
    SAMPLES: 'off',
    ...env,
  });
  const module = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(AppConfig)
    .useValue(config)
    .overrideProvider(Clock)
    .useValue(clock)
    .compile();
  const app = setUp(module.createNestApplication({ ...appOptions, logger: false }));
  await app.listen(0, '127.0.0.1');
  app.get(Readiness).markReady();
  return {
    app,
    clock,
    url: `http://127.0.0.1:${app.getHttpServer().address().port}`,
    close: () => app.close(),
  };
}
