import type { NextFunction, Request, Response } from 'express';

/** Matches the scheme and host of an absolute request target (RFC 9112, section 3.2.2). */
const SCHEME_AND_HOST = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/**
 * Reduces the request target to path and query, so that the router and the call log read the same address. Escapes the
 * percent signs of a path that cannot be decoded, so that it passes the same checks as any unknown id (contract section 2)
 * instead of failing in the router. Replaces NUL, which PostgreSQL cannot store, in paths and queries as in bodies.
 */
export function readablePath(request: Request, _response: Response, next: NextFunction): void {
  request.url = pathAndQuery(request.url);
  const [path = '', ...query] = request.url.split('?');
  try {
    decodeURIComponent(path);
  } catch {
    request.url = [path.replaceAll('%', '%25'), ...query].join('?');
  }
  request.url = request.url.replaceAll('%00', '%EF%BF%BD');
  next();
}

function pathAndQuery(target: string): string {
  const [rest = ''] = target.replace(SCHEME_AND_HOST, '').split('#', 1);
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest;
}
