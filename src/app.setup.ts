import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { AppConfig } from './common/app-config.js';
import { askLate } from './common/bodies/expect-continue.js';
import { discardLeftovers } from './common/bodies/leftover-body.js';
import { Readiness, shuttingDown } from './common/health/readiness.js';
import { boundConnections, limitConnections } from './common/http/connection-limits.js';
import { cors } from './common/http/cors.js';
import { InFlight } from './common/http/in-flight.js';
import { Metrics } from './common/http/metrics.js';
import { closeWithConnection } from './common/http/pipelined-calls.js';
import { ProblemFilter } from './common/http/problem.filter.js';
import { readablePath } from './common/http/readable-path.js';
import { RouteTable } from './common/http/route-table.js';
import { warnOfProxy } from './common/http/unconfigured-proxy.js';
import { UnreadAnswers } from './common/http/unread-answers.js';
import { limitJsonValues } from './common/json/json-limits.js';
import { Logger } from './common/logger.js';
import { serveApiDocs } from './console/api-docs/serve-api-docs.js';
import { findApiCall } from './executions/api-call.js';
import { CallLogMiddleware } from './executions/arrival/call-log.middleware.js';

/** Options for `NestFactory.create`: guards run before bodies are read, and open streams end at shutdown. */
export const appOptions = {
  bodyParser: false,
  forceCloseConnections: true,
  abortOnError: false,
  cors: false,
};

/** Sets up everything in front of the routes, the same for `main` and for tests. */
export function setUp(app: NestExpressApplication): NestExpressApplication {
  const config = app.get(AppConfig);
  const problems = app.get(ProblemFilter);
  const server = app.getHttpServer();
  boundConnections(server);
  limitConnections(server, config.isBehindProxy);
  askLate(server);
  app.set('trust proxy', config.trustProxy ?? false);
  app.set('etag', false);
  app.disable('x-powered-by');
  limitJsonValues(app, config.maxJsonValues);
  app.use(
    inOrder([
      closeWithConnection,
      readablePath,
      ...(config.trustProxy === undefined ? [warnOfProxy(app.get(Logger))] : []),
      discardLeftovers(config.maxMultipartBytes),
      app.get(UnreadAnswers).watch,
      app.get(Metrics).count,
      securityHeaders(),
      cors(config, app.get(RouteTable)),
      app.get(CallLogMiddleware).use,
      refuseWhileStopping(app.get(Readiness), problems),
      app.get(InFlight).limit,
    ]),
  );
  app.useGlobalFilters(problems);
  serveApiDocs(app);
  return app;
}

/**
 * Joins handlers into one layer of the router: as a layer of its own, each would cost more than it does. None may wait: what
 * they throw reaches the router only at once.
 */
function inOrder(
  handlers: readonly ((request: Request, response: Response, next: NextFunction) => void)[],
): RequestHandler {
  return (request, response, next) => {
    const pass = (at: number): void => {
      const handler = handlers[at];
      if (!handler) next();
      else handler(request, response, (error?: unknown) => (error ? next(error) : pass(at + 1)));
    };
    pass(0);
  };
}

/**
 * Refuses new predictions, captures and renders with 503 `shutting_down` during shutdown. Calls that read, cancel a run
 * or resume a stream are still served, because they help running calls to end.
 */
function refuseWhileStopping(readiness: Readiness, problems: ProblemFilter) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (readiness.isStopping && findApiCall(request)) problems.answer(shuttingDown(), request, response);
    else next();
  };
}

/** Reads Helmet's headers once: they are the same on every answer. */
function securityHeaders() {
  const headers = new Map<string, string>();
  const recorder = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: () => undefined,
  };
  const set = helmet({
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
    // The proxy that terminates TLS sets it.
    strictTransportSecurity: false,
  });
  set({} as Request, recorder as unknown as Response, () => undefined);
  return (_request: Request, response: Response, next: NextFunction): void => {
    response.setHeaders(headers);
    next();
  };
}
