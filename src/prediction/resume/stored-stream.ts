import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { setTimeout as pause } from 'node:timers/promises';
import { Clock } from '../../common/clock.js';
import { EVENTS, eventFrame, StreamWriter } from '../../common/http/stream-writer.js';
import { StoredFrames, type StoredPage } from '../redis-stream/stored-frames.js';
import type { StreamPlace } from '../replicas/stream-forward.js';
import { numberedFrame } from '../stream/frame-log.js';
import type { FoundRun } from './stream-ends.js';

/** Interval of polling a running stream. */
const LOOK_MS = 250;

/** Longest time to follow a running stream; then the reader returns, and may reach the process that runs it. */
const FOLLOWED_MS = 5_000;

/**
 * Sends a stream without its process: the frames in Redis after the last one seen, up to the first gap, then the end
 * from the record (contract section 13).
 */
@Injectable()
export class StoredStream {
  constructor(
    private readonly frames: StoredFrames,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends the stored frames. `find` reads the run's end, if it is not `found` yet; until then a reader follows for some
   * seconds what the process still writes. Returns false if nothing is known to follow.
   */
  async send(
    { executionId, token, seen }: StreamPlace,
    found: FoundRun,
    find: () => Promise<FoundRun>,
    response: Response,
  ): Promise<boolean> {
    let { end } = found;
    let page = await this.frames.after(token, seen, end !== undefined);
    if (!end && !mayFollow(page) && !page?.frames.length) return false;
    response.setHeader('X-Execution-Id', executionId);
    const events = StreamWriter.begin(response, EVENTS);
    if (!events) return true;
    const write = async (frame: string): Promise<void> => {
      events.write(numberedFrame(token, ++seen, frame));
      await events.taken();
    };
    const until = this.clock.elapsed() + FOLLOWED_MS;
    for (;;) {
      for (const frame of page?.frames ?? []) await write(frame);
      if (events.isOver) return true;
      if (!page?.more) {
        if (end) break;
        if (!mayFollow(page) || this.clock.elapsed() > until) return (events.cutOff(), true);
        await pause(LOOK_MS);
        ({ end } = await find());
      }
      page = await this.frames.after(token, seen, end !== undefined);
    }
    for (const { event, data } of end) await write(eventFrame(event, data));
    events.end();
    return true;
  }
}

/** Returns true if the next frames may still arrive. */
const mayFollow = (page: StoredPage | undefined): boolean => page?.gap === false;
