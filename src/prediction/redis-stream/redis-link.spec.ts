import { type FakeRedis, startFakeRedis } from '../../../test/support/fake-redis.js';
import type { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { isRefusal, type Redis, RedisLink } from './redis-link.js';

class HurriedClock extends Clock {
  private shift = 0;

  override elapsed(): number {
    return super.elapsed() + this.shift;
  }

  advance(ms: number): void {
    this.shift += ms;
  }
}

class KeptLog extends Logger {
  readonly lines: string[] = [];

  override info(_: object, message: string): void {
    this.lines.push(message);
  }

  override warn(fields: { cause: string }, message: string): void {
    this.lines.push(`${message.split(':')[0]} (${fields.cause})`);
  }
}

const add = (redis: Redis) => redis.xAdd('stream:a', '1-0', { frames: '' });

describe('the link to Redis', () => {
  let fake: FakeRedis;
  let link: RedisLink;
  let log: KeptLog;
  let clock: HurriedClock;

  beforeEach(async () => {
    fake = await startFakeRedis();
    [log, clock] = [new KeptLog('silent'), new HurriedClock()];
    link = new RedisLink({ redisUrl: fake.url } as AppConfig, clock, log);
  });

  afterEach(async () => {
    link.onApplicationShutdown();
    await fake.close();
  });

  it('opens when it is first needed, once, for all who ask', async () => {
    expect(fake.connections).toBe(0);
    expect(await Promise.all([link.ask(add), link.ask(add)])).toEqual(['1-0', '1-0']);
    expect(await link.ask(add)).toBe('1-0');
    expect([fake.connections, log.lines]).toEqual([1, []]);
  });

  it('asks nobody where there is no address', async () => {
    const none = new RedisLink({ redisUrl: undefined } as AppConfig, clock, log);
    expect([none.isSet, await none.ask(add)]).toEqual([false, undefined]);
  });

  it('gives up a server that hangs, says so once, pauses, and says when it is back', async () => {
    await link.ask(add);
    fake.mode = 'hangs';
    expect(await Promise.all([link.ask(add), link.ask(add)])).toEqual([undefined, undefined]);
    fake.mode = 'takes';
    const asked = fake.commands.length;
    expect(await link.ask(add)).toBeUndefined();
    expect(fake.commands).toHaveLength(asked);
    clock.advance(600);
    fake.mode = 'follows';
    expect(await link.ask(add)).toBeUndefined();
    fake.mode = 'takes';
    clock.advance(600);
    expect(await link.ask(add)).toBeUndefined();
    clock.advance(600);
    expect(await link.ask(add)).toBe('1-0');
    expect(log.lines).toEqual(['Redis is away (it does not answer)', 'Redis is back']);
    expect(fake.connections).toBe(3);
  });

  it('stays where a command is refused', async () => {
    fake.mode = 'refuses';
    const said = await link.ask((redis) =>
      add(redis).catch((error: Error) => (isRefusal(error) ? error.message.slice(0, 3) : 'lost')),
    );
    expect([said, await link.ask(async () => 'asked')]).toEqual(['OOM', 'asked']);
    expect([fake.connections, log.lines]).toEqual([1, []]);
  });

  it('leaves a server that another took over from', async () => {
    fake.mode = 'follows';
    expect(await link.ask(add)).toBeUndefined();
    expect(log.lines).toEqual([expect.stringMatching(/^Redis is away \(READONLY/)]);
  });

  it('is closed with the process', async () => {
    await link.ask(add);
    link.onApplicationShutdown();
    expect(await link.ask(add)).toBeUndefined();
    expect(log.lines).toEqual([]);
  });
});
