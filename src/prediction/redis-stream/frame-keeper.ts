import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import type { FrameLog } from '../stream/frame-log.js';
import { LiveStreams, type LogWatcher } from '../stream/live-streams.js';
import { type FrameGroup, FrameGroups, lastNumberOf } from './frame-groups.js';
import { isRefusal, type Redis, RedisLink } from './redis-link.js';

/** Frames gather for so long before they are written as one group. */
const GATHER_MS = 25;

/** A group is no larger than this, unless it is one frame. */
const GROUP_BYTES = 64 * 1024;

/** Of one stream, in Redis; more than that is trimmed, and a single frame larger than that never written. */
const STREAM_BYTES = 1024 * 1024;

/** In one turn: sealing holds the event loop for a few milliseconds at most. The others wait, and gather more. */
const [MOST_STREAMS, MOST_BYTES] = [32, 512 * 1024];

/** While Redis takes nothing. */
const RETRY_MS = 1_000;

/** How long what is kept of a stream outlives its process; of one that says nothing it is renewed meanwhile. */
export const OUTLIVES_MS = 120_000;
const RENEW_MS = 30_000;

/** At a stop, for what has gathered. */
const LAST_WRITES_MS = 1_000;

/** A stream, and the position up to which it is stored. */
interface WrittenStream {
  readonly log: FrameLog;
  readonly name: string;
  /** The number of the last frame that is in Redis, or never will be. */
  written: number;
  /** The same once what is under way is there. */
  upTo: number;
  /** The groups that count against the room of the stream, oldest first, and their bytes together. */
  readonly groups: { readonly last: number; readonly bytes: number }[];
  bytes: number;
  /** Groups before the one that ends with this number are trimmed. */
  trimmedTo: number;
  /** The run had ended when this was last written: there is no more to come. */
  isEnding: boolean;
}

/** A group that is written now. */
interface Write {
  readonly stream: WrittenStream;
  readonly group: FrameGroup;
  readonly sealed: string;
}

/**
 * Writes the frames of this process's streams to Redis, in groups, so that they outlive it (contract section 13). No
 * stream waits for that: the frames are read from its log, and what the log has dropped before it could be written is a
 * gap, which readers see by the numbers. The end of a stream is not written: its record tells that.
 */
@Injectable()
export class FrameKeeper implements LogWatcher, OnModuleInit, BeforeApplicationShutdown {
  private readonly streams = new Map<FrameLog, WrittenStream>();
  /** Logs with more than what is written, the one that has waited longest first. */
  private readonly waiting = new Set<FrameLog>();
  private timer: NodeJS.Timeout | undefined;
  private renewing: NodeJS.Timeout | undefined;
  private writing: Promise<boolean> | undefined;
  private isRefused = false;
  private isStopping = false;

  constructor(
    private readonly config: AppConfig,
    private readonly link: RedisLink,
    private readonly groups: FrameGroups,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly logs: LiveStreams,
  ) {}

  onModuleInit(): void {
    if (!this.link.isSet) return;
    this.logs.watch(this);
    this.renewing = setInterval(() => this.renew(), RENEW_MS).unref();
  }

  changed(log: FrameLog): void {
    if (!log.form.resumes) return;
    this.waiting.add(log);
    this.soon(GATHER_MS);
  }

  forget(log: FrameLog): void {
    this.waiting.delete(log);
    this.streams.delete(log);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.renewing);
    clearTimeout(this.timer);
    const until = this.clock.elapsed() + LAST_WRITES_MS;
    let accepted = true;
    while (accepted && this.waiting.size > 0 && this.clock.elapsed() < until)
      accepted = await (this.writing ?? this.writeNext());
  }

  /** One turn after the other: while one is under way, frames gather for the next. */
  private soon(ms: number): void {
    if (this.timer || this.writing || this.isStopping) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.writing = this.writeNext();
      void this.writing.then((isWritten) => {
        this.writing = undefined;
        if (this.waiting.size > 0) this.soon(isWritten ? GATHER_MS : RETRY_MS);
      });
    }, ms).unref();
  }

  private renew(): void {
    for (const log of this.streams.keys()) this.changed(log);
  }

  /** False where Redis did not take everything; never rejects. */
  private async writeNext(): Promise<boolean> {
    const { streams, writes } = this.gather();
    const refusals = await this.link.ask((redis) => this.write(redis, streams, writes));
    if (refusals) this.reportRefusal(refusals[0]);
    const isWritten = refusals?.length === 0;
    for (const stream of streams) {
      const { log } = stream;
      if (isWritten) stream.written = stream.upTo;
      if (!this.streams.has(log)) continue;
      if (!isWritten || stream.written < log.lastBeforeEnd) this.waiting.add(log);
      else if (stream.isEnding) this.forget(log);
    }
    return isWritten;
  }

  private gather(): { streams: WrittenStream[]; writes: Write[] } {
    const [streams, writes]: [WrittenStream[], Write[]] = [[], []];
    let bytes = 0;
    for (const log of this.waiting) {
      if (streams.length >= MOST_STREAMS || bytes >= MOST_BYTES) break;
      this.waiting.delete(log);
      const stream = this.streamOf(log);
      stream.isEnding = log.ended;
      streams.push(stream);
      stream.upTo = log.lastBeforeEnd;
      for (const group of groupsOf(log, stream.written + 1)) {
        const sealed = this.groups.seal(stream.name, group);
        writes.push({ stream, group, sealed });
        if ((bytes += sealed.length) < MOST_BYTES) continue;
        stream.upTo = lastNumberOf(group);
        break;
      }
    }
    return { streams, writes };
  }

  private streamOf(log: FrameLog): WrittenStream {
    const found = this.streams.get(log);
    if (found) return found;
    const name = this.groups.streamKey(log.token);
    const stream = { log, name, written: 0, upTo: 0, groups: [], bytes: 0, trimmedTo: 0, isEnding: false };
    this.streams.set(log, stream);
    return stream;
  }

  /** Sends everything at once; answers what Redis refused. */
  private async write(
    redis: Redis,
    streams: readonly WrittenStream[],
    writes: readonly Write[],
  ): Promise<string[]> {
    const { streamGraceMs } = this.config;
    const added = writes.map((write) => add(redis, write));
    const lives = streams.map(({ name, isEnding }) =>
      redis.pExpire(name, isEnding ? streamGraceMs : OUTLIVES_MS).then(() => undefined, refusalOf),
    );
    const answers = await Promise.all([...added, ...lives]);
    return answers.filter((answer) => answer !== undefined);
  }

  private reportRefusal(refusal: string | undefined): void {
    if ((refusal !== undefined) === this.isRefused) return;
    this.isRefused = refusal !== undefined;
    if (refusal === undefined) this.logger.info({}, 'Redis takes frames again');
    else
      this.logger.warn(
        { cause: refusal },
        'Redis takes no frames: streams do not outlive their process meanwhile',
      );
  }
}

/** The groups from this number on that the log has, without those that are too large to be kept. */
function* groupsOf(log: FrameLog, from: number): Iterable<FrameGroup> {
  let first = Math.max(from, log.first);
  let [frames, bytes]: [string[], number] = [[], 0];
  for (let number = first; number <= log.lastBeforeEnd; number++) {
    const frame = log.plainFrame(number)!;
    const size = Buffer.byteLength(frame);
    if (frames.length > 0 && bytes + size > GROUP_BYTES) {
      yield { first, frames };
      [first, frames, bytes] = [number, [], 0];
    }
    if (size > STREAM_BYTES) first = number + 1;
    else [bytes] = [bytes + size, frames.push(frame)];
  }
  if (frames.length > 0) yield { first, frames };
}

/** Undefined where the group is in Redis, else why it was refused. */
async function add(redis: Redis, { stream, group, sealed }: Write): Promise<string | undefined> {
  const last = lastNumberOf(group);
  count(stream, group, sealed.length);
  const trim = { strategy: 'MINID', strategyModifier: '~', threshold: stream.trimmedTo } as const;
  try {
    await redis.xAdd(
      stream.name,
      `${last}-0`,
      { frames: sealed },
      stream.trimmedTo === 0 ? {} : { TRIM: trim },
    );
  } catch (error) {
    const refusal = refusalOf(error);
    // It is there, by an attempt whose answer was lost; or readers have been told the end.
    if (!/equal or smaller/.test(refusal)) return refusal;
  }
  return undefined;
}

function count(stream: WrittenStream, group: FrameGroup, bytes: number): void {
  const { groups } = stream;
  // Attempts whose frames it holds again.
  while (groups.length > 0 && groups.at(-1)!.last >= group.first) stream.bytes -= groups.pop()!.bytes;
  groups.push({ last: lastNumberOf(group), bytes });
  stream.bytes += bytes;
  while (stream.bytes > STREAM_BYTES && groups.length > 1) {
    stream.bytes -= groups.shift()!.bytes;
    stream.trimmedTo = groups[0]!.last;
  }
}

/** The words of Redis; throws any other error. */
function refusalOf(error: unknown): string {
  if (isRefusal(error)) return error.message;
  throw error;
}
