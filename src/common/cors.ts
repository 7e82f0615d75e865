import type { NextFunction, Request, Response } from 'express';
import type { AppConfig } from './app-config.js';
import { isOwnOrigin } from './own-origin.js';

/** Routes that pages of any origin call: the flow's own list decides the status there, not these headers. */
const publicRoutes = [
  '/api/v1/prediction/',
  '/api/v1/inspection/capture',
  '/api/v1/pdf/render',
  '/api/v1/chatflows-streaming/',
  '/api/v1/public-chatbotConfig/',
  '/api/v1/chatmessage/',
  '/api/v1/feedback/',
  '/api/v1/leads',
  '/api/v1/attachments/',
  '/api/v1/get-upload-file',
];

const EXPOSED =
  'X-Execution-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Idempotent-Replay, Location, ETag, Accept-Ranges, Content-Range';

const isPublic = (path: string): boolean =>
  publicRoutes.some((route) => path.startsWith(route) || path === route.replace(/\/$/, '')) &&
  !path.startsWith('/api/v1/pdf/renders');

/**
 * CORS (contract section 2): every preflight is 204 and counts nothing; answers of the public routes, errors too, echo
 * the origin without credentials; admin and report routes follow `CORS_ORIGINS`, and the service's own origin works.
 */
export function cors(config: AppConfig) {
  const listed = new Set(config.corsOrigins);
  return (request: Request, response: Response, next: NextFunction): void => {
    const origin = request.headers.origin;
    if (origin === undefined) return next();
    response.vary('Origin');
    if (isPublic(request.path) || listed.has(origin) || isOwnOrigin(origin, request, config)) {
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Expose-Headers', EXPOSED);
    }
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return next();
    response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE');
    const headers = request.headers['access-control-request-headers'];
    if (headers !== undefined) response.setHeader('Access-Control-Allow-Headers', headers);
    response.setHeader('Access-Control-Max-Age', '600');
    response.status(204).end();
  };
}
