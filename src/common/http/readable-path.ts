import type { NextFunction, Request, Response } from 'express';

/**
 * A path that cannot be decoded names nothing that exists: its percent signs are taken as they are, so that it goes
 * through the same checks as any other unknown id (contract section 2) instead of failing in the router. NUL, which no
 * database text holds, is replaced in paths and queries as it is in bodies.
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
