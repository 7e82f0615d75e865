import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import type { FrameLog } from '../stream/frame-log.js';
import { LiveStreams, type LogWatcher } from '../stream/live-streams.js';
import { type FrameGroup, FrameGroups, lastNumberOf } from './frame-groups.js';
import { isRefusal, type Redis, RedisLink } from './redis-link.js';

/** Time in which frames gather before they are written as one group. */
const GATHER_MS = 25;

/** Largest group, unless it is one frame. */
const GROUP_BYTES = 64 * 1024;

/** Most bytes of one stream in Redis: more is trimmed, and a single larger frame is never written. */
const STREAM_BYTES = 1024 * 1024;

/** Most streams and bytes of one write, because sealing blocks the event loop. */
const [MOST_STREAMS, MOST_BYTES] = [32, 512 * 1024];

/** Pause while Redis refuses. */
const RETRY_MS = 1_000;

/** Lifetime of a stored stream after its process died; renewed while the stream is idle. */
export const OUTLIVES_MS = 120_000;
const RENEW_MS = 30_000;

/** Time for the last writes at shutdown. */
const LAST_WRITES_MS = 1_000;

/** A stream and the position up to which it is written. */
interface WrittenStream {
  readonly log: FrameLog;
  readonly name: string;
  /** Number of the last frame that is in Redis or never will be. */
  written: number;
  /** The same after the write under way. */
  upTo: number;
  /** Groups that count against the budget of the stream, oldest first, and their bytes. */
  readonly groups: { readonly last: number; readonly bytes: number }[];
  bytes: number;
  /** Groups before the one ending with this number are trimmed. */
  trimmedTo: number;
  /** True if the run had ended at the last write: nothing follows. */
  isEnding: boolean;
}

/** A group being written. */
interface Write {
  readonly stream: WrittenStream;
  readonly group: FrameGroup;
  readonly sealed: string;
}

/**
 * Writes the frames of this process's streams to Redis in groups, so that they outlive it (contract section 13). No
 * stream waits for it: frames are read from its log, and those dropped before they were written leave a gap in the
 * numbers. The end of a stream is in its record, not in Redis.
 */
@Injectable()
export class FrameKeeper implements LogWatcher, OnModuleInit, BeforeApplicationShutdown {
  private readonly streams = new Map<FrameLog, WrittenStream>();
  /** Logs with unwritten frames, longest waiting first. */
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

  /** Schedules a write; frames gather while one is under way. */
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

  /** Writes the next groups. Returns false if Redis did not accept everything; never rejects. */
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

  /** Sends everything at once and returns Redis' refusals. */
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

/** Returns the groups of the log from this number on, without frames that are too large. */
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

/** Adds a group. Returns undefined if it is in Redis, else the refusal. */
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
    // It is stored already, by an attempt whose answer was lost, or the stream is closed.
    if (!/equal or smaller/.test(refusal)) return refusal;
  }
  return undefined;
}

function count(stream: WrittenStream, group: FrameGroup, bytes: number): void {
  const { groups } = stream;
  // Earlier attempts with the same frames.
  while (groups.length > 0 && groups.at(-1)!.last >= group.first) stream.bytes -= groups.pop()!.bytes;
  groups.push({ last: lastNumberOf(group), bytes });
  stream.bytes += bytes;
  while (stream.bytes > STREAM_BYTES && groups.length > 1) {
    stream.bytes -= groups.shift()!.bytes;
    stream.trimmedTo = groups[0]!.last;
  }
}

/** Returns Redis' message; throws any other error. */
function refusalOf(error: unknown): string {
  if (isRefusal(error)) return error.message;
  throw error;
}
