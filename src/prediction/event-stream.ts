import type { Response } from 'express';
import { beginEvents } from '../common/begin-events.js';
import type { Follower, FrameLog } from './frame-log.js';

const HEARTBEAT_MS = 15_000;

/** A reader that took nothing for so long is no longer waited for: what it needs may be dropped. */
const STALLED_MS = 2_000;

/** Heartbeats that a reader may let pass without reading anything before it is cut off. */
const PATIENCE = 4;

/**
 * Sends a run's frames to one reader, beginning after number `after`, and closes behind the last (contract section 3).
 * Nothing is buffered here: a reader that does not read stands still in the log, and is cut off when the log had to
 * drop what it has not read.
 */
export function streamTo(response: Response, log: FrameLog, after: number): void {
  const headers = {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-cache',
    Connection: 'keep-alive',
  };
  if (!beginEvents(response, headers)) return;
  const reader = new StreamReader(response, log, after + 1);
  const heartbeat = setInterval(() => reader.beat(), HEARTBEAT_MS);
  log.follow(reader);
  response.once('close', () => {
    clearInterval(heartbeat);
    log.unfollow(reader);
    reader.close();
  });
  reader.changed();
}

class StreamReader implements Follower {
  private blocked = false;
  private stalled = false;
  private stallTimer: NodeJS.Timeout | undefined;
  private missedBeats = 0;

  constructor(
    private readonly response: Response,
    private readonly log: FrameLog,
    private next: number,
  ) {}

  needs(): number | undefined {
    return this.stalled ? undefined : this.next;
  }

  changed(): void {
    if (this.next < this.log.first) return this.cutOff();
    while (!this.blocked && this.next <= this.log.last) this.write(this.log.frame(this.next++)!);
    if (this.log.ended && this.next > this.log.last && !this.response.writableEnded) this.response.end();
  }

  beat(): void {
    if (!this.blocked) this.write(':heartbeat\n\n');
    else if (++this.missedBeats >= PATIENCE) this.cutOff();
  }

  private write(text: string): void {
    if (this.response.write(text)) return;
    this.blocked = true;
    this.stallTimer = setTimeout(() => {
      this.stalled = true;
      this.log.trim();
      this.changed();
    }, STALLED_MS);
    this.response.once('drain', () => {
      this.close();
      this.blocked = this.stalled = false;
      this.missedBeats = 0;
      this.changed();
    });
  }

  close(): void {
    clearTimeout(this.stallTimer);
  }

  private cutOff(): void {
    this.response.destroy();
  }
}
