import type { PredictionEvent } from '../../api/predictions.js';
import type { PredictionEnding, StreamForm } from '../call/answer-form.js';

export interface FrameBudget {
  /** Returns the bytes that a log may hold. */
  limit(): number;
  /** Returns the bytes that a log may hold briefly, while a fast reader works through a burst. */
  burst(): number;
  /** Counts bytes added to (or removed from) a log. */
  grew(bytes: number): void;
  /** Reports a new frame or the end of a log. */
  changed(log: FrameLog): void;
}

/** A reader that follows the log. */
export interface Follower {
  changed(): void;
  /** Returns the number of the next frame to read; undefined for a stalled reader, which is not waited for. */
  needs(): number | undefined;
}

/** Returns a frame with the id after which a client resumes. */
export const numberedFrame = (token: string, number: number, frame: string): string =>
  `id: ${token}:${number}\n${frame}`;

/**
 * The frames of one streamed run, the only buffer between the run and its readers: each reader follows at its own pace,
 * and a returning client reads what it missed. Holds the newest frames within its budget, at least the last one. Frames
 * are numbered from 1.
 */
export class FrameLog {
  ended = false;
  /** Frames without ids, which would be a third of the bytes. */
  private frames: (string | undefined)[] = [];
  /** Frames dropped from the front of `frames`. */
  private dropped = 0;
  private base = 1;
  private bytes = 0;
  private ending: PredictionEnding | undefined;
  private beforeEnd: number | undefined;
  /** False until the first reader arrives: frames are retained for it as for a fast reader. */
  private hasBegun = false;
  private readonly followers = new Set<Follower>();

  constructor(
    readonly executionId: string,
    readonly flowId: string,
    readonly token: string,
    private readonly budget: FrameBudget,
    readonly form: StreamForm,
  ) {}

  get first(): number {
    return this.base + this.dropped;
  }

  get last(): number {
    return this.base + this.frames.length - 1;
  }

  /** Number of the last frame of the run itself, before those of its end. */
  get lastBeforeEnd(): number {
    return this.beforeEnd ?? this.last;
  }

  append(event: PredictionEvent): void {
    const frame = this.ended ? undefined : this.form.frame(event);
    if (frame !== undefined) this.add(frame);
  }

  private add(text: string): void {
    this.frames.push(text);
    this.count(Buffer.byteLength(text));
    this.trim();
    this.notify();
  }

  /** Appends the end of the run. */
  close(ending: PredictionEnding): void {
    this.beforeEnd = this.last;
    for (const frame of this.form.closing(ending)) this.add(frame);
    // Stored only for `rest`: an answer may be large and is in the frames already.
    if (this.form.rest) this.ending = ending;
    this.end();
  }

  /** Returns the text after the last frame, made for each reader; undefined if there is none. */
  rest(): Iterator<string> | undefined {
    return this.ending && this.form.rest?.(this.ending)[Symbol.iterator]();
  }

  /** Ends the log. */
  end(): void {
    this.ended = true;
    this.notify();
  }

  /** Returns the frame with this number; undefined if it is dropped or not there yet. */
  frame(number: number): string | undefined {
    const text = this.plainFrame(number);
    return text !== undefined && this.form.resumes ? numberedFrame(this.token, number, text) : text;
  }

  /** Returns the frame without its id. */
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

  /** Releases the budget once no client can return. Current readers retain the frames that they need. */
  forget(): void {
    this.budget.grew(-this.bytes);
    this.bytes = 0;
  }

  /** Drops the oldest frames beyond the budget. */
  trim(): void {
    const [limit, burst] = [this.budget.limit(), this.budget.burst()];
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
    this.budget.grew(bytes);
  }

  private needed(): number {
    let lowest = this.hasBegun ? Infinity : this.first;
    for (const follower of this.followers) lowest = Math.min(lowest, follower.needs() ?? Infinity);
    return lowest;
  }

  private notify(): void {
    for (const follower of this.followers) follower.changed();
    this.budget.changed(this);
  }
}
