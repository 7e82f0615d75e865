import { Injectable } from '@nestjs/common';
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
import { beginEvents } from '../common/begin-events.js';
import { Logger } from '../common/logger.js';
import { InspectionSessions } from './inspection-sessions.js';
import { SessionChanges } from './session-changes.js';

const HEARTBEAT_MS = 15_000;
/** How soon what a render or another process did is seen. */
const LOOK_MS = 2_000;
/** A reader further behind is cut off. */
const MOST_WAITING_BYTES = 1024 * 1024;

/** Live view of one session: `{"event":"session","data":<summary>}` at once and after each change. */
@Injectable()
export class SessionStream {
  constructor(
    private readonly sessions: InspectionSessions,
    private readonly changes: SessionChanges,
    private readonly logger: Logger,
  ) {}

  /** Until the reader leaves. */
  open(response: Response, flowId: string, sessionId: string): void {
    const headers = {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
    };
    if (!beginEvents(response, headers)) return;
    const send = (frame: string): void => {
      if (response.writableLength > MOST_WAITING_BYTES) response.destroy();
      else if (!response.destroyed) response.write(frame);
    };
    send(':heartbeat\n\n');
    const closed = fromEvent(response, 'close');
    const mine = this.changes.changed.pipe(
      filter((change) => change.flowId === flowId && change.sessionId === sessionId),
    );
    merge(mine, interval(LOOK_MS))
      .pipe(
        startWith(undefined),
        concatMap(() => this.sessions.summary(flowId, sessionId)),
        map((summary) => JSON.stringify({ event: 'session', data: { flowId, sessionId, ...summary } })),
        distinctUntilChanged(),
        takeUntil(closed),
      )
      .subscribe({
        next: (data) => send(`data: ${data}\n\n`),
        error: (error: unknown) => {
          this.logger.warn({ err: error }, 'a session could not be shown live');
          response.destroy();
        },
      });
    interval(HEARTBEAT_MS)
      .pipe(takeUntil(closed))
      .subscribe(() => send(':heartbeat\n\n'));
  }
}
