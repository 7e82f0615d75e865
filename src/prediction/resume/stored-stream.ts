import type { Response } from 'express';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../common/clock.js';
import { EVENTS, eventFrame, StreamWriter } from '../../common/http/stream-writer.js';
import type { StoredFrames, StoredPage } from '../redis-stream/stored-frames.js';
import type { StreamPlace } from '../replicas/stream-forward.js';
import { numberedFrame } from '../stream/frame-log.js';
import type { FoundRun } from './stream-ends.js';

/** Interval of polling a running stream. */
const LOOK_MS = 250;

/** Longest time to follow a running stream; then the reader returns, and may reach the process that runs it. */
const FOLLOWED_MS = 5_000;

/** Reads of a run's stored stream: its frames in Redis, and its end. */
export interface StoredStream {
  frames: StoredFrames;
  clock: Clock;
  found: FoundRun;
  /** Reads the run again while it has not ended. */
  find: () => Promise<FoundRun>;
}

/**
 * Sends a stream without its process: the frames in Redis after the last one seen, up to the first gap, then the end from
 * the record (contract section 13). While the run has not ended, a reader follows for some seconds what its process still
 * writes. Returns false if nothing is known to follow.
 */
export async function sendStoredStream(
  { executionId, token, seen }: StreamPlace,
  { frames, clock, found, find }: StoredStream,
  response: Response,
): Promise<boolean> {
  let { end } = found;
  let page = await frames.after(token, seen, end !== undefined);
  if (!end && !mayFollow(page) && !page?.frames.length) return false;
  response.setHeader('X-Execution-Id', executionId);
  const events = StreamWriter.begin(response, EVENTS);
  if (!events) return true;
  const write = async (frame: string): Promise<void> => {
    events.write(numberedFrame(token, ++seen, frame));
    await events.taken();
  };
  const until = clock.elapsed() + FOLLOWED_MS;
  for (;;) {
    for (const frame of page?.frames ?? []) await write(frame);
    if (events.isOver) return true;
    if (!page?.more) {
      if (end) break;
      if (!mayFollow(page) || clock.elapsed() > until) return (events.cutOff(), true);
      await pause(LOOK_MS);
      ({ end } = await find());
    }
    page = await frames.after(token, seen, end !== undefined);
  }
  for (const { event, data } of end) await write(eventFrame(event, data));
  events.end();
  return true;
}

/** Returns true if the next frames may still arrive. */
const mayFollow = (page: StoredPage | undefined): boolean => page?.gap === false;
