import type { PredictionEnding, StreamForm, WireEvent } from '../call/answer-form.js';

export interface FrameRoom {
  /** Bytes that a run's log may hold now. */
  limit(): number;
  /** Bytes that it may hold for a moment, while a reader that keeps up works through a burst. */
  burst(): number;
  /** The log grew (or shrank) by so many bytes. */
  grew(bytes: number): void;
  /** The log has one more frame, or has ended. */
  changed(log: FrameLog): void;
}

/** A reader that follows the log. */
export interface Follower {
  changed(): void;
  /** The number of the frame that it reads next; undefined when it has stalled and is not waited for. */
  needs(): number | undefined;
}

/** A frame with the id that a client comes back with after it. */
export const numberedFrame = (token: string, number: number, frame: string): string =>
  `id: ${token}:${number}\n${frame}`;

/**
 * The frames of one streamed run: readers follow it, each at its own pace, and a client that comes back reads what it
 * missed. Holds the newest frames only, up to the room it is given (always at least the last one): the one buffer
 * between a run and all of its readers. Frames are numbered from 1.
 */
export class FrameLog {
  ended = false;
  /** Without their ids, which would be a third of them. */
  private frames: (string | undefined)[] = [];
  /** Number of frames that were already dropped from the front of `frames`. */
  private dropped = 0;
  /** Number of `frames[0]`. */
  private base = 1;
  private bytes = 0;
  private ending: PredictionEnding | undefined;
  private beforeEnd: number | undefined;
  /**
   * The run may produce many frames before its first reader arrives: frames are kept for that one as for any that keeps
   * up.
   */
  private hasBegun = false;
  private readonly followers = new Set<Follower>();

  constructor(
    readonly executionId: string,
    readonly flowId: string,
    readonly token: string,
    private readonly room: FrameRoom,
    readonly form: StreamForm,
  ) {}

  get first(): number {
    return this.base + this.dropped;
  }

  get last(): number {
    return this.base + this.frames.length - 1;
  }

  /** The number of the last frame of the run itself: those that tell its end come after it. */
  get lastBeforeEnd(): number {
    return this.beforeEnd ?? this.last;
  }

  append(event: WireEvent): void {
    if (this.ended) return;
    const text = this.form.frame(event);
    if (text === undefined) return;
    this.frames.push(text);
    this.count(Buffer.byteLength(text));
    this.trim();
    this.tell();
  }

  /** Appends the end of the run. */
  close(ending: PredictionEnding): void {
    this.beforeEnd = this.last;
    for (const event of this.form.closing(ending)) this.append(event);
    // An answer may be large, and is in the frames already.
    if (this.form.rest) this.ending = ending;
    this.end();
  }

  /** The text that follows the last frame, made anew for each reader; undefined where nothing does. */
  rest(): Iterator<string> | undefined {
    return this.ending && this.form.rest?.(this.ending)[Symbol.iterator]();
  }

  /** Marks the end: no more frames. */
  end(): void {
    this.ended = true;
    this.tell();
  }

  /** The frame of this number; `undefined` when it is gone or not there yet. */
  frame(number: number): string | undefined {
    const text = this.plainFrame(number);
    return text !== undefined && this.form.resumes ? numberedFrame(this.token, number, text) : text;
  }

  /** The same without its id. */
  plainFrame(number: number): string | undefined {
    return this.frames[number - this.base];
  }

  follow(follower: Follower): void {
    this.hasBegun = true;
    this.followers.add(follower);
  }

  unfollow(follower: Follower): void {
    this.followers.delete(follower);
  }

  /** Releases the room: no client can come back any more. Readers that still follow keep the frames that they need. */
  forget(): void {
    this.room.grew(-this.bytes);
    this.bytes = 0;
  }

  /** Drops the oldest frames beyond the room, and notifies the readers that needed them. */
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
    this.room.changed(this);
  }
}
