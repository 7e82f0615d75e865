import fc from 'fast-check';
import type { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import type { Secrets } from '../../common/secrets/secrets.js';
import { FrameLog } from '../stream/frame-log.js';
import type { LiveStreams } from '../stream/live-streams.js';
import { predictionForm } from '../stream/prediction-form.js';
import { FrameGroups } from './frame-groups.js';
import { FrameKeeper } from './frame-keeper.js';
import { type Redis, RedisLink } from './redis-link.js';
import { StoredFrames } from './stored-frames.js';

const TOKEN = '0123456789abcdef0123456789abcdef';

class SimpleError extends Error {}

/** `late`: everything is done and the answer is lost. */
type Mood = 'well' | 'away' | 'late' | 'full';

/** One stream of a Redis. */
class OneStream {
  mood: Mood = 'well';
  entries: { id: number; frames: string }[] = [];

  readonly redis = {
    xAdd: async (
      _: string,
      id: string,
      message: { frames: string },
      { TRIM }: { TRIM?: { threshold: number } } = {},
    ) => {
      const number = Number.parseInt(id);
      if (this.mood === 'full') throw new SimpleError('OOM command not allowed');
      if (number <= (this.entries.at(-1)?.id ?? 0)) throw new SimpleError('ERR The ID is equal or smaller');
      this.entries.push({ id: number, frames: message.frames });
      if (TRIM) this.entries = this.entries.filter((entry) => entry.id >= TRIM.threshold);
      return id;
    },
    xRange: async (_: string, from: string, to: string, { COUNT }: { COUNT: number }) =>
      this.entries
        .filter(({ id }) => id > Number.parseInt(from.slice(1)) && id < Number.parseInt(to.slice(1)))
        .slice(0, COUNT)
        .map(({ id, frames }) => ({ id: `${id}-0`, message: { frames } })),
    pExpire: async () => 1,
  };
}

function setUp() {
  const stream = new OneStream();
  const config = { redisUrl: 'redis://127.0.0.1', streamGraceMs: 15_000 } as AppConfig;
  const link = new RedisLink(config, new Clock(), new Logger('silent'));
  link.ask = async <Answer>(commands: (redis: Redis) => Promise<Answer>): Promise<Answer | undefined> => {
    if (stream.mood === 'away') return undefined;
    const answer = await commands(stream.redis as unknown as Redis);
    return stream.mood === 'late' ? undefined : answer;
  };
  const groups = new FrameGroups({ linkSecret: 'a link secret of the tests' } as Secrets);
  const keeper = new FrameKeeper(config, link, groups, new Clock(), new Logger('silent'), {} as LiveStreams);
  const budget = {
    limit: () => 1024 * 1024,
    burst: () => 4 * 1024 * 1024,
    grew: () => undefined,
    changed: () => undefined,
  };
  const log = new FrameLog('e', 'f', TOKEN, budget, predictionForm.stream('e'));
  const reader = new StoredFrames(link, groups);
  const said: string[] = [];
  return {
    stream,
    log,
    keeper,
    reader,
    said,
    append: (bytes: number) => {
      log.append({ event: 'token', data: 'é'.repeat(bytes / 2) });
      said.push(log.plainFrame(log.last)!);
    },
    /** Lets the keeper write what it can. */
    write: async () => {
      keeper.changed(log);
      await keeper.beforeApplicationShutdown();
    },
    /** Returns all frames after this number. */
    after: async (seen: number) => {
      const frames: string[] = [];
      for (;;) {
        const page = (await reader.after(TOKEN, seen + frames.length, false))!;
        frames.push(...page.frames);
        if (!page.more) return frames;
      }
    },
  };
}

describe('frames in Redis', () => {
  it('are told after any that was seen without one left out, doubled or changed, whatever Redis went through', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            sizes: fc.array(fc.constantFrom(2, 200, 30_000, 90_000), { maxLength: 8 }),
            mood: fc.constantFrom<Mood>('well', 'well', 'away', 'late', 'full'),
            lost: fc.boolean(),
          }),
          { minLength: 1, maxLength: 12 },
        ),
        async (steps) => {
          const { stream, append, write, after, said } = setUp();
          for (const { sizes, mood, lost } of steps) {
            sizes.forEach(append);
            stream.mood = mood;
            await write();
            if (lost) stream.entries.splice(stream.entries.length >> 1, 1);
          }
          stream.mood = 'well';
          await write();
          const step = Math.ceil(said.length / 12) || 1;
          for (let seen = 0; seen <= said.length; seen += step) {
            const told = await after(seen);
            expect(told.join('') === said.slice(seen, seen + told.length).join('')).toBe(true);
          }
          if (steps.some(({ lost }) => lost)) return;
          expect(await after(said.length - 1)).toHaveLength(Math.min(said.length, 1));
          // Sealed, they are a third larger.
          const bytes = said.reduce((sum, frame) => sum + Buffer.byteLength(frame), 0);
          if (bytes < 700_000) expect(await after(0)).toHaveLength(said.length);
        },
      ),
      { numRuns: 60 },
    ));

  it('are all there in a Redis that was well, up to a megabyte', async () => {
    const { append, write, after, said, stream } = setUp();
    for (let n = 0; n < 200; n++) {
      append(2_000);
      if (n % 7 === 0) await write();
    }
    await write();
    expect(await after(0)).toEqual(said);
    for (let n = 0; n < 2_000; n++) {
      append(2_000);
      if (n % 7 === 0) await write();
    }
    await write();
    expect(await after(0)).toEqual([]);
    const bytes = stream.entries.reduce((sum, { frames }) => sum + frames.length, 0);
    expect(bytes).toBeLessThanOrEqual(1024 * 1024);
    expect(bytes).toBeGreaterThan(900_000);
    expect(await after(said.length - 200)).toEqual(said.slice(-200));
  });

  it('are missing where one is larger than all that is kept, and go on after it', async () => {
    const { append, write, after, said, log } = setUp();
    append(100);
    append(1_100_000);
    await write();
    expect(await after(0)).toEqual(said.slice(0, 1));
    append(100);
    await write();
    expect([await after(1), await after(2)]).toEqual([[], said.slice(2)]);
    log.close({ error: { message: 'It failed.' } as never });
    await write();
    expect(await after(2)).toEqual(said.slice(2));
  });

  it('tell nothing to whoever lacks the secret, and open at their place alone', async () => {
    const { append, write, stream, reader } = setUp();
    append(100);
    await write();
    append(100);
    await write();
    expect(stream.entries).toHaveLength(2);
    expect(
      stream.entries.map(({ frames }) => Buffer.from(frames, 'base64url').toString()).join(),
    ).not.toContain('token');
    const [first, second] = stream.entries.map(({ frames }) => frames);
    stream.entries[0]!.frames = second!;
    expect(await reader.after(TOKEN, 0, false)).toEqual({ frames: [], gap: true, more: false });
    stream.entries[0]!.frames = first!;
    expect((await reader.after(TOKEN, 0, false))!.frames).toHaveLength(2);
  });
});
