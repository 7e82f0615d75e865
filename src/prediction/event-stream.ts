import type { Response } from 'express';
import type { FrameLog } from './frame-log.js';

const HEARTBEAT_MS = 15_000;

/** Heartbeats that a reader may let pass without reading anything before it is cut off. */
const PATIENCE = 4;

/**
 * Sends a run's frames to one reader, beginning after number `after`, and closes behind the last (contract section 3).
 * Nothing is buffered here: a reader that does not read stands still in the log, and is cut off when the log had to
 * drop what it has not read.
 */
export function streamTo(response: Response, log: FrameLog, after: number): void {
  if (response.closed) return;
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-cache',
    Connection: 'keep-alive',
    'X-Accel-Buffering': 'no',
  });
  const reader = new StreamReader(response, log, after + 1);
  const unfollow = log.follow(() => reader.send());
  const heartbeat = setInterval(() => reader.beat(), HEARTBEAT_MS);
  response.once('close', () => {
    clearInterval(heartbeat);
    unfollow();
  });
  response.flushHeaders();
  reader.send();
}

class StreamReader {
  private blocked = false;
  private missedBeats = 0;

  constructor(
    private readonly response: Response,
    private readonly log: FrameLog,
    private next: number,
  ) {}

  send(): void {
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
    this.response.once('drain', () => {
      this.blocked = false;
      this.missedBeats = 0;
      this.send();
    });
  }

  private cutOff(): void {
    this.response.destroy();
  }
}
