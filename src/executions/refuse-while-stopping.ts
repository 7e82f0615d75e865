import type { NextFunction, Request, Response } from 'express';
import type { ProblemFilter } from '../common/problem.filter.js';
import { type Readiness, shuttingDown } from '../common/readiness.js';
import { findApiCall } from './api-call.js';

/**
 * While the service stops, each new prediction, capture and render is 503 `shutting_down` at once. What only looks,
 * stops a run or comes back to a stream goes on: it helps running calls to end.
 */
export function refuseWhileStopping(readiness: Readiness, problems: ProblemFilter) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (readiness.isStopping && findApiCall(request)) problems.answer(shuttingDown(), request, response);
    else next();
  };
}
