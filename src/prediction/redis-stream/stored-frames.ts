import { Injectable } from '@nestjs/common';
import { FrameGroups, lastNumberOf } from './frame-groups.js';
import { OUTLIVES_MS } from './frame-keeper.js';
import { isRefusal, type Redis, RedisLink } from './redis-link.js';

/** A part of a stream: consecutive frames, none left out or told twice. */
export interface StoredPage {
  /** Without their ids: the next numbers, in order. */
  readonly frames: readonly string[];
  /** The frame after these is not kept, though later ones are. */
  readonly gap: boolean;
  /** More follow. */
  readonly more: boolean;
}

/** Groups of a page; each has 64 KiB of frames, or one. */
const PAGE_GROUPS = 16;

/** Larger than any number of a frame: nothing is added after it. */
const LAST_ID = `${Number.MAX_SAFE_INTEGER}-0`;

/** Reads what the processes have written of their streams to Redis. */
@Injectable()
export class StoredFrames {
  constructor(
    private readonly link: RedisLink,
    private readonly groups: FrameGroups,
  ) {}

  /**
   * The frames after the one of this number, as many as stand in Redis now; undefined where it cannot be asked. `isOver`
   * closes the stream first: of a run whose record has ended, a process that does not know it yet adds nothing more to
   * what readers are told.
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

/** Redis refuses to close what is closed, and to tell what it may not. */
function nothingRefused(error: unknown): [] {
  if (isRefusal(error)) return [];
  throw error;
}
