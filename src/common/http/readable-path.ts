import type { NextFunction, Request, Response } from 'express';

/**
 * Escapes the percent signs of a path that cannot be decoded, so that it passes the same checks as any unknown id (contract
 * section 2) instead of failing in the router. Replaces NUL, which PostgreSQL cannot store, in paths and queries as in
 * bodies.
 */
export function readablePath(request: Request, _response: Response, next: NextFunction): void {
  const [path = '', ...query] = request.url.split('?');
  try {
    decodeURIComponent(path);
  } catch {
    request.url = [path.replaceAll('%', '%25'), ...query].join('?');
  }
  request.url = request.url.replaceAll('%00', '%EF%BF%BD');
  next();
}
