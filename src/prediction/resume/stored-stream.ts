import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { setTimeout as pause } from 'node:timers/promises';
import { Clock } from '../../common/clock.js';
import { EVENTS, eventFrame, StreamWriter } from '../../common/http/stream-writer.js';
import { StoredFrames, type StoredPage } from '../redis-stream/stored-frames.js';
import type { StreamPlace } from '../replicas/stream-forward.js';
import { numberedFrame } from '../stream/frame-log.js';
import type { FoundRun } from './stream-ends.js';

/** Between two looks for more of a run that goes on. */
const LOOK_MS = 250;

/** Of a run that goes on: then its reader is sent back, and may find the process that runs it. */
const FOLLOWED_MS = 5_000;

/**
 * Tells a stream without the process that ran it: what Redis keeps of its frames after the one that was seen, up to the
 * first that is not kept, and then the end as the record tells it (contract section 13).
 */
@Injectable()
export class StoredStream {
  constructor(
    private readonly frames: StoredFrames,
    private readonly clock: Clock,
  ) {}

  /**
   * `find` looks for the run's end, where it is not `found` yet. While there is none, a reader follows what its process
   * still writes, for some seconds; false where nothing is known to follow what was seen.
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

/** Whether the next frames may still come. */
const mayFollow = (page: StoredPage | undefined): boolean => page?.gap === false;
