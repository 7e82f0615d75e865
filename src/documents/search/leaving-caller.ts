import type { Request } from 'express';

/** Aborted when the caller goes away before it is answered. */
export function leavingCaller({ res: response }: Request): AbortSignal {
  const controller = new AbortController();
  response?.once('close', () => {
    if (!response.writableFinished) controller.abort(new Error('the caller went away'));
  });
  return controller.signal;
}
