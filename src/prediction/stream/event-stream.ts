import type { Response } from 'express';
import { EVENTS, StreamWriter } from '../../common/http/stream-writer.js';
import type { Follower, FrameLog } from './frame-log.js';

/**
 * Sends a run's frames after number `after` to one reader, until the last (contract section 3). Nothing is buffered
 * here: a slow reader has a position in the log, and is cut off if the log dropped frames that it has not read.
 */
export function streamTo(response: Response, log: FrameLog, after: number): void {
  const events = StreamWriter.begin(response, EVENTS);
  if (!events) return;
  const reader = new FrameReader(events, log, after + 1);
  log.follow(reader);
  events.on('ready', () => reader.changed());
  events.on('stalled', () => {
    log.trim();
    reader.changed();
  });
  events.once('closed', () => log.unfollow(reader));
  reader.changed();
}

class FrameReader implements Follower {
  private rest: Iterator<string> | undefined;

  constructor(
    private readonly events: StreamWriter,
    private readonly log: FrameLog,
    private next: number,
  ) {}

  needs(): number | undefined {
    return this.events.isStalled ? undefined : this.next;
  }

  changed(): void {
    if (this.next < this.log.first) return this.events.cutOff();
    while (!this.events.isBehind && this.next <= this.log.last)
      this.events.write(this.log.frame(this.next++)!);
    if (this.log.ended && this.next > this.log.last) this.sendRest();
  }

  private sendRest(): void {
    this.rest ??= this.log.rest();
    while (this.rest && !this.events.isOver) {
      if (this.events.isBehind) return;
      const next = this.rest.next();
      if (next.done === true) break;
      this.events.write(next.value);
    }
    this.events.end();
  }
}
