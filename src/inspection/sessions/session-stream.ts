import type { Response } from 'express';
import {
  concatMap,
  distinctUntilChanged,
  filter,
  fromEvent,
  interval,
  map,
  merge,
  startWith,
  takeUntil,
} from 'rxjs';
import { EVENTS, eventFrame, StreamWriter } from '../../common/http/stream-writer.js';
import type { Logger } from '../../common/logger.js';
import type { SessionAddress, SessionChanges } from '../session.js';
import type { InspectionSessions } from './inspection-sessions.js';

/** Polling interval, for changes by renders and other processes. */
const LOOK_MS = 2_000;

/** Streams `{"event":"session","data":<summary>}` at once and after each change, until the client disconnects. */
export function streamSession(
  sessions: InspectionSessions,
  changes: SessionChanges,
  logger: Logger,
  response: Response,
  { flowId, sessionId }: SessionAddress,
): void {
  const events = StreamWriter.begin(response, EVENTS);
  if (!events) return;
  const closed = fromEvent(events, 'closed');
  const mine = changes.changed.pipe(
    filter((change) => change.flowId === flowId && change.sessionId === sessionId),
  );
  merge(mine, interval(LOOK_MS))
    .pipe(
      startWith(undefined),
      concatMap(() => sessions.summary(flowId, sessionId)),
      map((summary) => eventFrame('session', { flowId, sessionId, ...summary })),
      distinctUntilChanged(),
      takeUntil(closed),
    )
    .subscribe({
      next: (frame) => events.write(frame),
      error: (error: unknown) => {
        logger.warn({ err: error }, 'a session could not be shown live');
        events.cutOff();
      },
    });
}
