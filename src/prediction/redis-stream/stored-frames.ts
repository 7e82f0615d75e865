import { Injectable } from '@nestjs/common';
import { FrameGroups, lastNumberOf } from './frame-groups.js';
import { OUTLIVES_MS } from './frame-keeper.js';
import { isRefusal, type Redis, RedisLink } from './redis-link.js';

/** A part of a stream: consecutive frames without gaps or repeats. */
export interface StoredPage {
  /** The next frames in order, without ids. */
  readonly frames: readonly string[];
  /** True if the next frame is lost, though later ones are stored. */
  readonly gap: boolean;
  /** True if more follow. */
  readonly more: boolean;
}

/** Groups per page; each has 64 KiB of frames, or one frame. */
const PAGE_GROUPS = 16;

/** Larger than any frame's number: nothing is added after it. */
const LAST_ID = `${Number.MAX_SAFE_INTEGER}-0`;

/** Reads the frames that processes have written to Redis. */
@Injectable()
export class StoredFrames {
  constructor(
    private readonly link: RedisLink,
    private readonly groups: FrameGroups,
  ) {}

  /**
   * Returns the stored frames after this number; undefined if Redis cannot be reached. `isOver` closes the stream
   * first: once the record of a run has ended, a process that does not know it yet must add nothing.
   */
  async after(token: string, seen: number, isOver: boolean): Promise<StoredPage | undefined> {
    const name = this.groups.streamKey(token);
    const entries = await this.link.ask(async (redis) => {
      const closed = isOver ? close(redis, name) : undefined;
      const range = redis.xRange(name, `(${seen}-0`, `(${LAST_ID}`, { COUNT: PAGE_GROUPS });
      const [answer] = await Promise.all([range.catch(nothingRefused), closed]);
      return answer;
    });
    if (!entries) return undefined;
    const frames: string[] = [];
    for (const { id, message } of entries) {
      const next = seen + frames.length + 1;
      const group = this.groups.open(name, Number.parseInt(id), String(message['frames']));
      if (!group || group.first > next || lastNumberOf(group) < next)
        return { frames, gap: true, more: false };
      frames.push(...group.frames.slice(next - group.first));
    }
    return { frames, gap: false, more: entries.length === PAGE_GROUPS };
  }
}

async function close(redis: Redis, name: string): Promise<void> {
  const closed = redis.xAdd(name, LAST_ID, { end: '' });
  const lives = redis.pExpire(name, OUTLIVES_MS);
  await Promise.all([closed.catch(nothingRefused), lives.catch(nothingRefused)]);
}

/** Ignores refusals, such as closing a closed stream; throws any other error. */
function nothingRefused(error: unknown): [] {
  if (isRefusal(error)) return [];
  throw error;
}
