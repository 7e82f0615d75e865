import type { NextFunction, Request, Response } from 'express';
import type { Logger } from '../logger.js';

/**
 * Warns once when a proxy forwards the address of a caller and `TRUST_PROXY` is not set: then all its callers share one
 * rate limit, one block and one share of every budget.
 */
export function warnOfProxy(logger: Pick<Logger, 'warn'>) {
  let warned = false;
  return ({ headers, socket }: Request, _: Response, next: NextFunction): void => {
    if (!warned && (headers['x-forwarded-for'] ?? headers.forwarded) !== undefined) {
      warned = true;
      logger.warn(
        { proxy: socket.remoteAddress },
        'a proxy forwards the addresses of callers, but all callers count as one: set TRUST_PROXY to the number of proxies or to their addresses',
      );
    }
    next();
  };
}
