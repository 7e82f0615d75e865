import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import { AppConfig } from './common/app-config.js';
import { askLate } from './common/bodies/expect-continue.js';
import { limitJsonValues } from './common/bodies/json-limits.js';
import { boundConnections } from './common/connection-limits.js';
import { cors } from './common/cors.js';
import { InFlight } from './common/in-flight.js';
import { Metrics } from './common/metrics.js';
import { giveUpLeftovers } from './common/bodies/leftover-body.js';
import { closeWithConnection } from './common/pipelined-calls.js';
import { ProblemFilter } from './common/problem.filter.js';
import { Readiness } from './common/readiness.js';
import { readablePath } from './common/readable-path.js';
import { CallLogMiddleware } from './executions/call-log.middleware.js';
import { refuseWhileStopping } from './executions/refuse-while-stopping.js';
import { serveApiDocs } from './console/api-docs/serve-api-docs.js';

/** What `NestFactory.create` is given: bodies are read after the guards, open streams end when the service closes. */
export const appOptions = {
  bodyParser: false,
  forceCloseConnections: true,
  abortOnError: false,
  cors: false,
};

/** What every instance of the application shares, started by `main` or by a test: the edge in front of the routes. */
export function setUp(app: NestExpressApplication): NestExpressApplication {
  const config = app.get(AppConfig);
  const problems = app.get(ProblemFilter);
  const server = app.getHttpServer();
  boundConnections(server);
  askLate(server);
  app.set('trust proxy', config.trustProxy ?? false);
  app.set('etag', false);
  app.disable('x-powered-by');
  limitJsonValues(app, config.maxJsonValues);
  app.use(closeWithConnection);
  app.use(giveUpLeftovers);
  app.use(app.get(Metrics).count);
  app.use(readablePath);
  app.use(securityHeaders());
  app.use(cors(config));
  app.use(app.get(CallLogMiddleware).use);
  app.use(refuseWhileStopping(app.get(Readiness), problems));
  app.use(app.get(InFlight).limit);
  app.useGlobalFilters(problems);
  serveApiDocs(app);
  return app;
}

const securityHeaders = () =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        styleSrc: ["'self'", "'unsafe-inline'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'self'"],
        formAction: ["'self'"],
      },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    // Set by the proxy that ends TLS; on plain HTTP it says nothing.
    strictTransportSecurity: false,
  });
