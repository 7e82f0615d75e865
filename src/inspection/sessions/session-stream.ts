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
import { EVENTS, eventFrame, StreamWriter } from '../../common/http/stream-writer.js';
import { Logger } from '../../common/logger.js';
import { SessionChanges } from '../session.js';
import { InspectionSessions } from './inspection-sessions.js';

/** Polling interval, for changes by renders and other processes. */
const LOOK_MS = 2_000;

/** Live view of one session: `{"event":"session","data":<summary>}` at once and after each change. */
@Injectable()
export class SessionStream {
  constructor(
    private readonly sessions: InspectionSessions,
    private readonly changes: SessionChanges,
    private readonly logger: Logger,
  ) {}

  /** Streams the summary until the client disconnects. */
  open(response: Response, flowId: string, sessionId: string): void {
    const events = StreamWriter.begin(response, EVENTS);
    if (!events) return;
    const closed = fromEvent(events, 'closed');
    const mine = this.changes.changed.pipe(
      filter((change) => change.flowId === flowId && change.sessionId === sessionId),
    );
    merge(mine, interval(LOOK_MS))
      .pipe(
        startWith(undefined),
        concatMap(() => this.sessions.summary(flowId, sessionId)),
        map((summary) => eventFrame('session', { flowId, sessionId, ...summary })),
        distinctUntilChanged(),
        takeUntil(closed),
      )
      .subscribe({
        next: (frame) => events.write(frame),
        error: (error: unknown) => {
          this.logger.warn({ err: error }, 'a session could not be shown live');
          events.cutOff();
        },
      });
  }
}
