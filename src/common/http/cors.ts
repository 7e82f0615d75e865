import { Reflector } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import type { AppConfig } from '../app-config.js';
import { isOwnOrigin } from './own-origin.js';
import type { RouteTable } from './route-table.js';

/**
 * Marks a route or controller that pages of any origin may call. The flow's own list decides the status there, not the
 * CORS headers.
 */
export const CrossOrigin = Reflector.createDecorator<void, true>({ transform: () => true });

const EXPOSED =
  'X-Execution-Id, X-Request-Id, X-Should-Retry, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Idempotent-Replay, Location, ETag, Accept-Ranges, Content-Range';

/**
 * CORS (contract section 2): every preflight is 204 and counts nothing; answers of the public routes, errors too, echo
 * the origin without credentials; admin and report routes follow `CORS_ORIGINS`, and the service's own origin works.
 */
export function cors(config: AppConfig, table: RouteTable) {
  const isPublic = publicAddresses(table);
  const listed = new Set(config.corsOrigins);
  return (request: Request, response: Response, next: NextFunction): void => {
    const origin = request.headers.origin;
    if (origin === undefined) return next();
    response.vary('Origin');
    if (
      isPublic(methodOf(request), request.path) ||
      listed.has(origin) ||
      isOwnOrigin(origin, request, config)
    ) {
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Expose-Headers', EXPOSED);
    }
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return next();
    response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE');
    const headers = request.headers['access-control-request-headers'];
    if (headers !== undefined) response.setHeader('Access-Control-Allow-Headers', headers);
    response.setHeader('Access-Control-Max-Age', '600');
    response.status(204).end();
  };
}

/** Returns the method of a call; for a preflight, that of the call which it announces. */
const methodOf = ({ method, headers }: Request): string =>
  method === 'OPTIONS' ? (headers['access-control-request-method'] ?? method) : method;

/**
 * Returns a check whether a call goes to a public route. A path with the same prefix counts too, so that a page can read
 * its 404 or 405. Of several matching prefixes the longest decides (`/renders/:id` is not `/render`), and of routes with
 * one prefix the one with the call's method. Case does not matter, as in the router.
 */
function publicAddresses(table: RouteTable): (method: string, path: string) => boolean {
  const open = new Set(table.withDecorator(CrossOrigin).map(({ route }) => route.handler));
  const longestFirst = table.routes
    .map(({ method, path, handler }) => {
      const isOpen = open.has(handler);
      const beginning = beginningOf(path).toLowerCase();
      const bare = beginning.replace(/\/$/, '');
      return { method, isOpen, text: isOpen ? beginning : bare, length: bare.length };
    })
    .sort((one, other) => other.length - one.length);
  return (method, path) => {
    const called = `${path}/`.toLowerCase();
    const fitting = longestFirst.filter(({ text }) => called.startsWith(text));
    const decisive = fitting.filter(({ length }) => length === fitting[0]!.length);
    const own = decisive.filter((route) => route.method === method);
    return (own.length > 0 ? own : decisive).some(({ isOpen }) => isOpen);
  };
}

/** Returns a route up to its first parameter. */
const beginningOf = (path: string): string => path.split(':', 1)[0]!;
