import type { NextFunction, Request, Response } from 'express';
import type { AppConfig } from './app-config.js';
import type { ProblemFilter } from './problem.filter.js';
import { ServiceError } from './service-error.js';

/**
 * Sheds load before latency collapses: beyond `MAX_IN_FLIGHT` calls under way the next is 503 `overloaded` with
 * `Retry-After`, at once. Health routes always answer.
 */
export function limitInFlight(config: AppConfig, problems: ProblemFilter) {
  let inFlight = 0;
  return (request: Request, response: Response, next: NextFunction): void => {
    if (request.path.startsWith('/health/')) return next();
    if (inFlight >= config.maxInFlight) {
      const detail =
        'The service has as many calls under way as it can serve. Try again after the seconds in Retry-After.';
      problems.answer(
        new ServiceError(503, 'overloaded', detail, { headers: { 'Retry-After': '1' } }),
        request,
        response,
      );
      return;
    }
    inFlight++;
    response.once('close', () => inFlight--);
    next();
  };
}
