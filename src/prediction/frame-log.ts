import { randomBytes } from 'node:crypto';
import type { WireEvent } from './wire-events.js';

export interface FrameRoom {
  /** Bytes that a run's log may hold now. */
  limit(): number;
  /** Bytes that it may hold for a moment, while a reader that does read catches up with a burst. */
  burst(): number;
  /** The log grew (or shrank) by so many bytes. */
  grew(bytes: number): void;
}

/** Who reads along. */
export interface Follower {
  changed(): void;
  /** Number of the frame that it waits for, while it deserves to be waited for. */
  needs(): number | undefined;
}

/**
 * The frames of one streamed run: readers follow it, each at its own pace, and a client that comes back reads what it
 * missed. Holds the newest frames only, up to the room it is given (always at least the last one): the one buffer
 * between a run and all of its readers. Frames are numbered from 1.
 */
export class FrameLog {
  /** Random 128 bits: who knows an execution id has no stream. */
  readonly token = randomBytes(16).toString('hex');
  ended = false;
  private frames: (string | undefined)[] = [];
  /** How many of `frames` were dropped from its front already. */
  private dropped = 0;
  /** Number of `frames[0]`. */
  private base = 1;
  private bytes = 0;
  /** The run may say much before its first reader stands here: that one is waited for like any that reads. */
  private hasBegun = false;
  private readonly followers = new Set<Follower>();

  constructor(
    readonly executionId: string,
    readonly flowId: string,
    private readonly room: FrameRoom,
  ) {}

  get first(): number {
    return this.base + this.dropped;
  }

  get last(): number {
    return this.base + this.frames.length - 1;
  }

  append(event: WireEvent): void {
    if (this.ended) return;
    const text = `id: ${this.token}:${this.last + 1}\ndata: ${JSON.stringify({ event: event.event, data: event.data })}\n\n`;
    this.frames.push(text);
    this.count(Buffer.byteLength(text));
    this.trim();
    this.tell();
  }

  /** Nothing more comes. */
  end(): void {
    this.ended = true;
    this.tell();
  }

  /** The frame of this number; `undefined` when it is gone or not there yet. */
  frame(number: number): string | undefined {
    return this.frames[number - this.base];
  }

  follow(follower: Follower): void {
    this.hasBegun = true;
    this.followers.add(follower);
  }

  unfollow(follower: Follower): void {
    this.followers.delete(follower);
  }

  /** Gives all room back: nobody can come back any more. Who still follows keeps what it needs. */
  forget(): void {
    this.room.grew(-this.bytes);
    this.bytes = 0;
  }

  /** Drops the oldest frames that there is no room for, and tells the readers that needed them. */
  trim(): void {
    const [limit, burst] = [this.room.limit(), this.room.burst()];
    const needed = this.bytes > limit ? this.needed() : 0;
    while (this.dropped < this.frames.length - 1) {
      if (this.bytes <= limit || (this.bytes <= burst && this.first >= needed)) break;
      this.count(-Buffer.byteLength(this.frames[this.dropped]!));
      this.frames[this.dropped++] = undefined;
    }
    if (this.dropped < 1_000 || this.dropped * 2 < this.frames.length) return;
    this.frames = this.frames.slice(this.dropped);
    this.base += this.dropped;
    this.dropped = 0;
  }

  private count(bytes: number): void {
    this.bytes += bytes;
    this.room.grew(bytes);
  }

  private needed(): number {
    let lowest = this.hasBegun ? Infinity : this.first;
    for (const follower of this.followers) lowest = Math.min(lowest, follower.needs() ?? Infinity);
    return lowest;
  }

  private tell(): void {
    for (const follower of this.followers) follower.changed();
  }
}
